"""Unknown values: decided during apply, with refinements.

Source: the wire format document, "Unknown Values".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn, TypeVar, overload

from typing_extensions import TypeIs

from tofutypes.errors import IndexStep, KeyStep, NullValueError, Path, Step, UnknownValueError
from tofutypes.narrowing import is_mapping
from tofutypes.numbers import AnyNumber
from tofutypes.refinements import Refinements

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

T = TypeVar("T")
K = TypeVar("K")


class Unknown:
    """A value that is decided during apply, with what is already known about it.

    Immutable, hashable and picklable. Two unknown values are equal if their refinements are
    equal; their final values may still differ. Use as a known value raises an
    `UnknownValueError`: truth, length, elements, arithmetic, and formatting with an f-string
    (`{value!r}` works).

        >>> Unknown(prefix="arn:aws:", not_null=True)
        Unknown(not_null=True, prefix='arn:aws:')

    Args:
        not_null: The value will not be null.
        prefix: The value will be a string with this prefix.
        lower: The value will be a number of at least this.
        lower_inclusive: Whether the value may equal `lower`.
        upper: The value will be a number of at most this.
        upper_inclusive: Whether the value may equal `upper`.
        min_length: The value will be a collection of at least this many elements.
        max_length: The value will be a collection of at most this many elements.

    Raises:
        RefinementError: If two refinements contradict each other, or one has a wrong type.
    """

    __slots__ = ("refinements",)
    __kind__: ClassVar[str] = "an unknown value"

    refinements: Refinements

    def __init__(
        self,
        *,
        not_null: bool = False,
        prefix: str | None = None,
        lower: AnyNumber | None = None,
        lower_inclusive: bool = True,
        upper: AnyNumber | None = None,
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
        """The unknown value with these refinements."""
        if not refinements:
            return UNKNOWN
        unknown = object.__new__(cls)
        object.__setattr__(unknown, "refinements", refinements)
        return unknown

    def narrow(self, other: Unknown | Refinements) -> Unknown:
        """The unknown value that carries the refinements of both.

        Raises:
            RefinementError: If the refinements contradict each other.
        """
        refinements = other.refinements if isinstance(other, Unknown) else other
        return Unknown.of(self.refinements.narrow(refinements))

    def refine(
        self,
        *,
        not_null: bool = False,
        prefix: str | None = None,
        lower: AnyNumber | None = None,
        lower_inclusive: bool = True,
        upper: AnyNumber | None = None,
        upper_inclusive: bool = True,
        min_length: int | None = None,
        max_length: int | None = None,
    ) -> Unknown:
        """Return an unknown value with more refinements. The arguments are those of `Unknown`.

            >>> Unknown(prefix="arn:").refine(prefix="arn:aws:", not_null=True)
            Unknown(not_null=True, prefix='arn:aws:')

        Raises:
            RefinementError: If a refinement contradicts the existing ones.
        """
        return self.narrow(
            Refinements(
                not_null,
                prefix,
                lower,
                lower_inclusive,
                upper,
                upper_inclusive,
                min_length,
                max_length,
            )
        )

    def could_be(self, value: object) -> bool:
        """Whether the refinements allow this final value."""
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

    if not TYPE_CHECKING:
        # Type checkers would accept an assignment to any attribute.

        def __setattr__(self, name: str, value: object) -> NoReturn:
            raise AttributeError("unknown values are immutable; refine() returns a new one")

        def __delattr__(self, name: str) -> NoReturn:
            raise AttributeError("unknown values are immutable")

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.is_instance_schema(cls)

    def _refuse(self, *_: object) -> NoReturn:
        raise UnknownValueError(
            "the value is unknown until apply: test is_known(value) before using the value"
        )

    if TYPE_CHECKING:
        # A property: of a method that never returns mypy concludes that no value is unknown.
        @property
        def __bool__(self) -> Callable[[], NoReturn]: ...

    else:
        # Type checkers must not see these, or they would accept `disk.size * 2`. They are not
        # `None`, because the message says what to do.
        __bool__ = _refuse
        __len__ = __iter__ = __contains__ = __getitem__ = __call__ = __format__ = _refuse
        __int__ = __float__ = __complex__ = __index__ = __round__ = __abs__ = _refuse
        __neg__ = __pos__ = __invert__ = _refuse
        __lt__ = __le__ = __gt__ = __ge__ = _refuse
        __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
        __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _refuse
        __pow__ = __rpow__ = __divmod__ = __rdivmod__ = __matmul__ = __rmatmul__ = _refuse
        __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _refuse
        __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _refuse


UNKNOWN: Final = object.__new__(Unknown)
"""The unknown value without refinements."""
object.__setattr__(UNKNOWN, "refinements", Refinements())


class _Nothing:
    """Fits no argument except `Any`: an overload for it comes first, so that `Any` stays `Any`."""


# Without overloads for numbers, mypy infers `object` from `int | Decimal`.
@overload
def is_known(value: _Nothing) -> TypeIs[Any]: ...
@overload
def is_known(value: int | Decimal | Unknown) -> TypeIs[int | Decimal]: ...
@overload
def is_known(value: T | Unknown) -> TypeIs[T]: ...
def is_known(value: object) -> bool:
    """Whether a value is known. Its elements and attributes may still be unknown.

    Type checkers narrow the type: `str | Unknown | None` becomes `str | None`.

        >>> is_known(Unknown(prefix="ami-"))
        False
    """
    return not isinstance(value, Unknown)


# The overlaps concern a bare `Unknown`, for which these functions raise, and mappings, which are
# iterable.
@overload
def known(value: _Nothing) -> Any: ...
@overload
def known(value: bool | Unknown) -> bool: ...  # type: ignore[overload-overlap]
@overload
def known(value: int | Unknown) -> int: ...  # type: ignore[overload-overlap]
@overload
def known(value: Decimal | Unknown) -> Decimal: ...
@overload
def known(value: int | Decimal | Unknown) -> int | Decimal: ...
@overload
def known(value: T | Unknown) -> T: ...
def known(value: object) -> object:
    """The value, where it cannot be unknown, as in stored state. For type checkers.

        >>> known(server.name).upper()
        'WEB'

    Raises:
        UnknownValueError: If the value is unknown.
    """
    if isinstance(value, Unknown):
        raise UnknownValueError("expected a known value, got an unknown value")
    return value


@overload
def present(value: _Nothing) -> Any: ...
@overload
def present(value: bool | Unknown | None) -> bool: ...  # type: ignore[overload-overlap]
@overload
def present(value: int | Unknown | None) -> int: ...  # type: ignore[overload-overlap]
@overload
def present(value: Decimal | Unknown | None) -> Decimal: ...
@overload
def present(value: int | Decimal | Unknown | None) -> int | Decimal: ...
@overload
def present(value: T | Unknown | None) -> T: ...
def present(value: object) -> object:
    """The value, where it can be neither unknown nor null, as the id of an existing resource.

    Raises:
        UnknownValueError: If the value is unknown.
        NullValueError: If the value is null.
    """
    if value is None:
        raise NullValueError("expected a value, got null")
    return known(value)


@overload
def known_items(items: Mapping[K, T | Unknown]) -> dict[K, T]: ...  # type: ignore[overload-overlap]
@overload
def known_items(items: Iterable[T | Unknown]) -> list[T]: ...
def known_items(items: Mapping[Any, object] | Iterable[object]) -> object:
    """The elements of a collection, where none can be unknown: a list, or a dict of a mapping.

        >>> sorted(known_items(known(server.rule)), key=lambda rule: known(rule.port))

    `[element for element in elements if is_known(element)]` leaves unknown elements out instead.

    Raises:
        UnknownValueError: If an element is unknown. The message has its position or key.
    """
    return _items(items, known)


@overload
def present_items(items: Mapping[K, T | Unknown | None]) -> dict[K, T]: ...  # type: ignore[overload-overlap]
@overload
def present_items(items: Iterable[T | Unknown | None]) -> list[T]: ...
def present_items(items: Mapping[Any, object] | Iterable[object]) -> object:
    """The elements of a collection, where none can be unknown or null: a list, or a dict.

        >>> present_items(present(server.tags))
        {'Name': 'web'}

    Raises:
        UnknownValueError: If an element is unknown. The message has its position or key.
        NullValueError: If an element is null.
    """
    return _items(items, present)


def _items(
    items: Mapping[Any, object] | Iterable[object], check: Callable[[object], object]
) -> object:
    if is_mapping(items):
        return {key: _item(value, KeyStep(str(key)), check) for key, value in items.items()}
    return [_item(value, IndexStep(index), check) for index, value in enumerate(items)]


def _item(value: object, step: Step, check: Callable[[object], object]) -> object:
    try:
        return check(value)
    except (UnknownValueError, NullValueError) as error:
        raise type(error)(f"{Path((step,))}: {error}") from None
