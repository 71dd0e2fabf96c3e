"""Sets of the type system: no order, elements of any type, unknown elements that stay apart."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator
from decimal import Decimal
from typing import ClassVar, Final, TypeVar

from typing_extensions import TypeIs

from tofutypes.comparison import comparison_key, distinct, is_wholly_known, key_in_any_order
from tofutypes.narrowing import is_python_set
from tofutypes.nesting import deep_copy, safe_repr
from tofutypes.numbers import exact_value
from tofutypes.unknown import Unknown

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class TofuSet(Collection[T_co]):
    """A set of the type system: no order, no duplicates among its known elements.

    Unlike a Python `set` it can contain elements that are not hashable, and two unknown elements
    stay two, because their final values may differ. A `TofuSet` is immutable: assign a new one to
    change an attribute. It equals another set with equal elements in any order. It iterates in the
    order in which go-cty writes strings, numbers and bools (false before true), and in the order
    given otherwise.

        >>> TofuSet(["b", "a", "b"])
        TofuSet(['a', 'b'])
        >>> TofuSet(["b", "a"]) == {"a", "b"}
        True
        >>> len(TofuSet([UNKNOWN, UNKNOWN]))
        2

    Args:
        elements: The elements.

    Raises:
        InvalidValueError: If an element contains NaN or is nested too deeply.
    """

    __slots__ = ("__tofu_elements__", "__tofu_unique__")
    __kind__: ClassVar[str] = "a set"
    __tofu_elements__: list[T_co]
    __tofu_unique__: list[T_co]

    def __init__(self, elements: Iterable[T_co] = ()) -> None:
        self.__tofu_elements__ = list(elements)
        unique_elements(self)

    def __tofu_lengths__(self) -> tuple[int, int]:
        """The least and the greatest final length: unknown elements may become equal.

        Source: go-cty. Its least length is always 1; here the known elements are counted.
        """
        elements = unique_elements(self)
        known_count = sum(map(is_wholly_known, elements))
        return max(known_count, min(len(elements), 1)), len(elements)

    def __tofu_parts__(self) -> Iterable[T_co]:
        return unique_elements(self)

    def __tofu_key__(self, in_set: bool) -> Hashable:
        return key_in_any_order(unique_elements(self))

    def __iter__(self) -> Iterator[T_co]:
        return iter(unique_elements(self))

    def __len__(self) -> int:
        return len(unique_elements(self))

    def __contains__(self, element: object) -> bool:
        key = comparison_key(element)
        return any(comparison_key(member) == key for member in self)

    def __reduce__(self) -> tuple[type[TofuSet[T_co]], tuple[list[T_co]]]:
        return TofuSet, (unique_elements(self),)

    def __eq__(self, other: object) -> bool:
        if is_tofu_set(other):
            return len(self) == len(other) and comparison_key(self) == comparison_key(other)
        if is_python_set(other):
            return self == TofuSet(other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]  # its elements may be mutable

    def __repr__(self) -> str:
        return f"TofuSet({safe_repr(unique_elements(self))})"

    def __deepcopy__(self, memo: dict[int, object]) -> TofuSet[T_co]:
        return set_of_parsed(deep_copy(unique_elements(self), memo))


def is_tofu_set(value: object) -> TypeIs[TofuSet[object]]:
    """Whether the value is a `TofuSet`."""
    return value.__class__ is TofuSet or isinstance(value, TofuSet)


def set_of_parsed(elements: list[T]) -> TofuSet[T]:
    """The set of these elements, whose duplicates are looked for when it is first used.

    Telling structured elements apart costs more than parsing them, and many sets are only handed
    on.

    Args:
        elements: The elements. The set keeps the list.
    """
    cls: type[TofuSet[T]] = TofuSet
    instance = object.__new__(cls)
    instance.__tofu_elements__ = elements
    return instance


def parsed_elements(value: TofuSet[T]) -> list[T]:
    """The elements, perhaps with duplicates: for code that finds duplicates itself.

    The list is the set's own and must not be changed.
    """
    return value.__tofu_elements__


def unique_elements(value: TofuSet[T]) -> list[T]:
    """The elements in the order of iteration. The list is the set's own and must not be changed."""
    try:
        return value.__tofu_unique__
    except AttributeError:
        value.__tofu_unique__ = value.__tofu_elements__ = sort_elements(
            distinct(value.__tofu_elements__)
        )
        return value.__tofu_unique__


def sort_elements(elements: list[T]) -> list[T]:
    """The elements of a set in the order in which go-cty writes them, sorted in place.

    Primitives ascend (false before true), then unknown elements, then null; elements of other
    types stay where they are. Source: observed, go-cty 1.18.1. The order of several unknown
    elements is ours, and so is the order of elements of several types, which no set of the type
    system has.
    """
    if all(element is None or isinstance(element, _SORTED_KINDS) for element in elements):
        elements.sort(key=_sort_key)
    return elements


_SORTED_KINDS: Final = (str, bool, int, float, Decimal, Unknown)


def _sort_key(element: object) -> tuple[int, object]:
    if isinstance(element, str):
        return 2, element
    if isinstance(element, bool):
        return 0, element
    if isinstance(element, Unknown):
        return 3, element.refinements.order()
    if element is None:
        return 4, 0
    return 1, exact_value(element) if isinstance(element, Decimal) else element
