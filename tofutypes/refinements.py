"""Refinements: what is known about a value that is unknown until apply.

Source: the wire format document, "Unknown value refinements".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Final

from tofutypes.errors import InvalidValueError, NumberError, RefinementError, describe
from tofutypes.narrowing import is_number
from tofutypes.numbers import INT64_MAX, AnyNumber, Number, exact_value, normalize_number
from tofutypes.text import nfc, normalize_string

MAX_LENGTH: Final = INT64_MAX
"""The greatest length: it is an int64 on the wire."""


@dataclass(frozen=True, slots=True, init=False)
class Refinements:
    """What is known about an unknown value.

    Attributes:
        not_null: The value will not be null. (False says nothing.)
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
        lower: AnyNumber | None = None,
        lower_inclusive: bool = True,
        upper: AnyNumber | None = None,
        upper_inclusive: bool = True,
        min_length: int | None = None,
        max_length: int | None = None,
    ) -> None:
        self._set("not_null", bool(not_null))
        self._set("prefix", _checked_prefix(prefix))
        self._set_bound("lower", lower, lower_inclusive)
        self._set_bound("upper", upper, upper_inclusive)
        self._set("min_length", _checked_length("min_length", min_length) or None)
        self._set("max_length", _checked_length("max_length", max_length))
        self._check_consistency()

    def _check_consistency(self) -> None:
        if self.prefix is not None and (self._has_bounds or self._has_lengths):
            raise RefinementError("a string prefix excludes number bounds and lengths")
        if self._has_bounds and self._has_lengths:
            raise RefinementError("number bounds exclude lengths")
        # go-cty lets exclusive bounds meet, although no number lies between them.
        if self.lower is not None and self.upper is not None and _is_below(self.upper, self.lower):
            raise RefinementError("the lower bound is above the upper bound")
        if None not in (self.min_length, self.max_length) and self._least > self._most:
            raise RefinementError("the minimum length is above the maximum length")

    def __bool__(self) -> bool:
        """Whether there is any refinement."""
        return self.not_null or self.prefix is not None or self._has_bounds or self._has_lengths

    def narrow(self, other: Refinements) -> Refinements:
        """What is known when both hold.

        Raises:
            RefinementError: If the refinements contradict each other.
        """
        lower, lower_inclusive = _tighter(self._lower, other._lower, is_tighter=_is_above)
        upper, upper_inclusive = _tighter(self._upper, other._upper, is_tighter=_is_below)
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
        refinements = getattr(value, "refinements", None)
        if isinstance(refinements, Refinements):
            return self._agrees_with(refinements)
        if value is None:
            return not self.not_null
        if isinstance(value, str):
            return not self._has_bounds and not self._has_lengths and self._starts(value)
        if self.prefix is not None:
            return False
        if isinstance(value, bool):
            return not self._has_bounds and not self._has_lengths
        if is_number(value):
            return not self._has_lengths and self._holds(value)
        if self._has_bounds:
            return False
        if not self._has_lengths:
            return True
        try:
            length = len(value)  # type: ignore[arg-type]  # anything without a length is caught
        except TypeError:
            return False
        # A set with unknown elements has not decided on its length.
        lengths = getattr(value, "__tofu_lengths__", None)
        least, most = (length, length) if lengths is None else lengths()
        return bool(self._least <= most and least <= self._most)

    def _agrees_with(self, other: Refinements) -> bool:
        try:
            self.narrow(other)
        except RefinementError:
            return False
        return True

    def order(self) -> tuple[tuple[bool, object], ...]:
        """A key that sorts refinements. The order means nothing, but it is always the same."""
        values = [getattr(self, field.name) for field in fields(self)]
        return tuple((value is not None, value) for value in values)

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
        return nfc(value).startswith(self.prefix or "")

    def _holds(self, value: AnyNumber) -> bool:
        try:
            number = normalize_number(value)
        except NumberError:
            return False
        lower, upper = self.lower, self.upper
        above = lower is None or (
            _is_below(lower, number) or (self.lower_inclusive and number == lower)
        )
        below = upper is None or (
            _is_below(number, upper) or (self.upper_inclusive and number == upper)
        )
        return above and below

    def _set_bound(self, name: str, bound: AnyNumber | None, inclusive: bool) -> None:
        self._set(name, None if bound is None else _checked_bound(name, bound))
        self._set(f"{name}_inclusive", bound is None or bool(inclusive))

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)


def _is_above(one: Number, other: Number) -> bool:
    return _is_below(other, one)


def _is_below(one: Number, other: Number) -> bool:
    return exact_value(one) < exact_value(other)


# The checks accept anything, since no type checker may have seen the arguments of a user.


def _checked_prefix(prefix: object) -> str | None:
    if prefix is None:
        return None
    if not isinstance(prefix, str):
        raise RefinementError(f"prefix: expected a string, got {describe(prefix)}")
    try:
        return normalize_string(prefix) or None
    except InvalidValueError as error:
        raise RefinementError(f"prefix: {error.message}") from None


def _checked_length(name: str, length: object) -> int | None:
    if length is None:
        return None
    if not isinstance(length, int) or isinstance(length, bool):
        raise RefinementError(f"{name}: expected an integer, got {describe(length)}")
    if not 0 <= length <= MAX_LENGTH:
        raise RefinementError(f"{name}: expected an integer from 0 to {MAX_LENGTH}")
    return int(length)


def _checked_bound(name: str, bound: object) -> Number:
    if not is_number(bound):
        raise RefinementError(f"{name}: expected a number, got {describe(bound)}")
    try:
        return normalize_number(bound)
    except NumberError as error:
        raise RefinementError(f"{name}: {error}") from None


def _tighter(
    one: tuple[Number | None, bool],
    two: tuple[Number | None, bool],
    *,
    is_tighter: Callable[[Number, Number], bool],
) -> tuple[Number | None, bool]:
    if one[0] is None:
        return two
    if two[0] is None:
        return one
    if one[0] == two[0]:
        return one[0], one[1] and two[1]
    return one if is_tighter(one[0], two[0]) else two


def _longer_prefix(one: str | None, two: str | None) -> str | None:
    if one is None or two is None:
        return one if two is None else two
    longer, shorter = (one, two) if len(one) >= len(two) else (two, one)
    if not longer.startswith(shorter):
        raise RefinementError("the prefixes contradict each other")
    return longer
