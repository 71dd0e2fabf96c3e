"""Unknown values: decided only at apply, and what is known about them already.

Source: the wire format document, "Unknown Values" and "Unknown value refinements".
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import TYPE_CHECKING, ClassVar, Final, NoReturn, TypeAlias, TypeVar

from typing_extensions import TypeIs

from tofutypes.errors import NumberError, RefinementError, UnknownValueError
from tofutypes.numbers import AnyNumber, Number, normalize_number

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

T = TypeVar("T")
Bound: TypeAlias = "AnyNumber | tuple[AnyNumber, bool]"
"""A bound as a user gives it: a number, or a number and whether it is itself included."""


@dataclass(frozen=True, slots=True, init=False)
class Refinements:
    """What is known about a value that is not known.

    Attributes:
        not_null: the value will not be null. (False says nothing.)
        prefix: the value will be a string that starts so.
        lower: the value will be a number not below this; with `lower_inclusive` it may equal it.
        upper: the value will be a number not above this; with `upper_inclusive` it may equal it.
        min_length: the value will be a collection of at least so many elements.
        max_length: the value will be a collection of at most so many elements.

    `lower` and `upper` also take a pair `(number, inclusive)` at construction.

    Raises:
        RefinementError: two refinements contradict each other, or one is not of its kind.
    """

    not_null: bool = False
    prefix: str | None = None
    lower: Number | None = None
    lower_inclusive: bool = True
    upper: Number | None = None
    upper_inclusive: bool = True
    min_length: int | None = None
    max_length: int | None = None

    def __init__(
        self,
        not_null: bool = False,
        prefix: str | None = None,
        lower: Bound | None = None,
        lower_inclusive: bool = True,
        upper: Bound | None = None,
        upper_inclusive: bool = True,
        min_length: int | None = None,
        max_length: int | None = None,
    ) -> None:
        self._set("not_null", bool(not_null))
        self._set("prefix", _checked_prefix(prefix))
        self._set_bound("lower", lower, lower_inclusive)
        self._set_bound("upper", upper, upper_inclusive)
        self._set("min_length", _checked_length(min_length) or None)
        self._set("max_length", _checked_length(max_length))
        self._check_consistency()

    def _check_consistency(self) -> None:
        if self.prefix is not None and (self._has_bounds or self._has_lengths):
            raise RefinementError("a prefix is for strings, bounds for numbers, lengths for others")
        if self._has_bounds and self._has_lengths:
            raise RefinementError("bounds are for numbers, lengths are for collections")
        # The reference lets exclusive bounds meet, although no number lies between them.
        if self.lower is not None and self.upper is not None and self.lower > self.upper:
            raise RefinementError("the lower bound is above the upper bound")
        if None not in (self.min_length, self.max_length) and self._least > self._most:
            raise RefinementError("the least length is above the greatest length")

    def __bool__(self) -> bool:
        """Whether anything is known at all."""
        return self != _NOTHING

    def narrow(self, other: Refinements) -> Refinements:
        """What is known when both hold.

        Raises:
            RefinementError: both cannot hold.
        """
        lower, lower_inclusive = _tighter(self._lower, other._lower, tightest=max)
        upper, upper_inclusive = _tighter(self._upper, other._upper, tightest=min)
        lengths = [n for n in (self.min_length, other.min_length) if n is not None]
        limits = [n for n in (self.max_length, other.max_length) if n is not None]
        return Refinements(
            not_null=self.not_null or other.not_null,
            prefix=_longer_prefix(self.prefix, other.prefix),
            lower=lower,
            lower_inclusive=lower_inclusive,
            upper=upper,
            upper_inclusive=upper_inclusive,
            min_length=max(lengths, default=None),
            max_length=min(limits, default=None),
        )

    def could_be(self, value: object) -> bool:
        """Whether the final value may be this one. An unknown value may be if both can hold."""
        if isinstance(value, Unknown):
            try:
                self.narrow(value.refinements)
            except RefinementError:
                return False
            return True
        if value is None:
            return not self.not_null
        if isinstance(value, str):
            return not self._has_bounds and not self._has_lengths and self._starts(value)
        if self.prefix is not None:
            return False
        if isinstance(value, bool):
            return not self._has_bounds and not self._has_lengths
        if isinstance(value, int | float | Decimal):
            return not self._has_lengths and self._holds(value)
        if self._has_bounds:
            return False
        if not self._has_lengths:
            return True
        try:
            length = len(value)  # type: ignore[arg-type]  # anything without a length is caught
        except TypeError:
            return False
        return self._least <= length <= self._most

    def __str__(self) -> str:
        return ", ".join(f"{name}={value!r}" for name, value in self._shown())

    def _shown(self) -> Iterator[tuple[str, object]]:
        for field in fields(self):
            value = getattr(self, field.name)
            if value != field.default:
                yield field.name, value

    @property
    def _has_bounds(self) -> bool:
        return self.lower is not None or self.upper is not None

    @property
    def _has_lengths(self) -> bool:
        return self.min_length is not None or self.max_length is not None

    @property
    def _lower(self) -> tuple[Number | None, bool]:
        return self.lower, self.lower_inclusive

    @property
    def _upper(self) -> tuple[Number | None, bool]:
        return self.upper, self.upper_inclusive

    @property
    def _least(self) -> int:
        return self.min_length or 0

    @property
    def _most(self) -> float:
        return float("inf") if self.max_length is None else self.max_length

    def _starts(self, value: str) -> bool:
        return unicodedata.normalize("NFC", value).startswith(self.prefix or "")

    def _holds(self, value: AnyNumber) -> bool:
        try:
            number = normalize_number(value)
        except NumberError:
            return False
        above = self.lower is None or (
            number >= self.lower if self.lower_inclusive else number > self.lower
        )
        below = self.upper is None or (
            number <= self.upper if self.upper_inclusive else number < self.upper
        )
        return above and below

    def _set_bound(self, name: str, bound: Bound | None, inclusive: bool) -> None:
        if isinstance(bound, tuple):
            bound, inclusive = bound
        self._set(name, None if bound is None else _bound_number(bound))
        self._set(f"{name}_inclusive", bound is None or bool(inclusive))

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)


def _checked_prefix(prefix: str | None) -> str | None:
    if prefix is not None and not isinstance(prefix, str):
        raise RefinementError("a prefix must be a string")
    return unicodedata.normalize("NFC", prefix) if prefix else None


def _checked_length(length: int | None) -> int | None:
    if length is None:
        return None
    if not isinstance(length, int) or isinstance(length, bool):
        raise RefinementError("a length must be an int")
    if length < 0:
        raise RefinementError("a length must not be negative")
    return length


def _bound_number(bound: AnyNumber) -> Number:
    if isinstance(bound, bool) or not isinstance(bound, int | float | Decimal):
        raise RefinementError("a bound must be a number")
    try:
        return normalize_number(bound)
    except NumberError as error:
        raise RefinementError(f"bound: {error}") from None


def _tighter(
    one: tuple[Number | None, bool],
    two: tuple[Number | None, bool],
    *,
    tightest: Callable[[Number, Number], Number],
) -> tuple[Number | None, bool]:
    if one[0] is None:
        return two
    if two[0] is None:
        return one
    if one[0] == two[0]:
        return one[0], one[1] and two[1]
    return one if tightest(one[0], two[0]) == one[0] else two


def _longer_prefix(one: str | None, two: str | None) -> str | None:
    if one is None or two is None:
        return one if two is None else two
    longer, shorter = (one, two) if len(one) >= len(two) else (two, one)
    if not longer.startswith(shorter):
        raise RefinementError("two prefixes contradict each other")
    return longer


_NOTHING: Final = Refinements()


class Unknown:
    """A value that is decided only at apply, with what is known about it already.

    Immutable, hashable, comparable (two unknown values are equal when the same is known about
    them; whether their final values will be equal is not known) and picklable. It cannot be
    mistaken for a value: asking for its truth, its length, its elements or its sum is an error.

        >>> Unknown(prefix="arn:aws:", not_null=True)
        Unknown(not_null=True, prefix='arn:aws:')

    Args:
        not_null, prefix, lower, upper, lower_inclusive, upper_inclusive, min_length, max_length:
            see [`Refinements`][tofutypes.unknown.Refinements].

    Raises:
        RefinementError: two refinements contradict each other, or one is not of its kind.
    """

    __slots__ = ("refinements",)
    __kind__: ClassVar[str] = "an unknown value"

    refinements: Refinements

    def __init__(
        self,
        *,
        not_null: bool = False,
        prefix: str | None = None,
        lower: Bound | None = None,
        lower_inclusive: bool = True,
        upper: Bound | None = None,
        upper_inclusive: bool = True,
        min_length: int | None = None,
        max_length: int | None = None,
    ) -> None:
        refinements = Refinements(
            not_null,
            prefix,
            lower,
            lower_inclusive,
            upper,
            upper_inclusive,
            min_length,
            max_length,
        )
        object.__setattr__(self, "refinements", refinements)

    @classmethod
    def of(cls, refinements: Refinements) -> Unknown:
        """The unknown value about which exactly this is known."""
        if not refinements:
            return UNKNOWN
        unknown = object.__new__(cls)
        object.__setattr__(unknown, "refinements", refinements)
        return unknown

    def narrow(self, other: Unknown | Refinements) -> Unknown:
        """The unknown value about which both is known.

        Raises:
            RefinementError: both cannot hold.
        """
        refinements = other.refinements if isinstance(other, Unknown) else other
        return Unknown.of(self.refinements.narrow(refinements))

    def refine(
        self,
        *,
        not_null: bool = False,
        prefix: str | None = None,
        lower: Bound | None = None,
        upper: Bound | None = None,
        min_length: int | None = None,
        max_length: int | None = None,
    ) -> Unknown:
        """The unknown value about which this is known too.

        Raises:
            RefinementError: it contradicts what is known already.
        """
        return self.narrow(
            Unknown(
                not_null=not_null,
                prefix=prefix,
                lower=lower,
                upper=upper,
                min_length=min_length,
                max_length=max_length,
            )
        )

    def could_be(self, value: object) -> bool:
        """Whether the final value may be this one."""
        return self.refinements.could_be(value)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Unknown):
            return self.refinements == other.refinements
        return NotImplemented

    def __hash__(self) -> int:
        return hash((Unknown, self.refinements))

    def __repr__(self) -> str:
        return f"Unknown({self.refinements})"

    def __reduce__(self) -> tuple[object, tuple[Refinements]]:
        return Unknown.of, (self.refinements,)

    def __copy__(self) -> Unknown:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Unknown:
        return self

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("an unknown value is immutable; use refine() to make another one")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("an unknown value is immutable")

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.is_instance_schema(cls)

    def _refuse(self, *_: object) -> NoReturn:
        raise UnknownValueError(
            "the value is not known yet: test it with is_known(value) before using it"
        )

    # Not __iter__ = None and the like: the reader of the error should be told what to do.
    __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = __call__ = _refuse
    __int__ = __float__ = __complex__ = __index__ = __round__ = __abs__ = _refuse
    __neg__ = __pos__ = __invert__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _refuse
    __pow__ = __rpow__ = __divmod__ = __rdivmod__ = __matmul__ = __rmatmul__ = _refuse
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _refuse
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _refuse


UNKNOWN: Final = object.__new__(Unknown)
"""The unknown value about which nothing is known."""
object.__setattr__(UNKNOWN, "refinements", _NOTHING)


def is_known(value: T | Unknown) -> TypeIs[T]:
    """Whether the value itself is known. (Its elements and attributes may still be unknown.)

    Type checkers narrow by it: `str | Unknown | None` becomes `str | None`.
    """
    return not isinstance(value, Unknown)


__all__ = ["UNKNOWN", "Bound", "Refinements", "Unknown", "is_known"]
