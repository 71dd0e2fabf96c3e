"""When two values are equal, and which values are wholly known.

Python's own `==` does not do: to Python `True == 1`, and an unknown value equals itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping
from decimal import Decimal
from typing import Protocol, TypeVar, runtime_checkable

from typing_extensions import TypeIs

from tofutypes.narrowing import (
    has_attributes,
    is_dict,
    is_mapping,
    is_number,
    is_python_set,
    is_sequence,
)
from tofutypes.nesting import too_deep
from tofutypes.numbers import is_negative_zero, normalize_number
from tofutypes.text import nfc
from tofutypes.unknown import Unknown

T = TypeVar("T")


@runtime_checkable
class Composite(Protocol):
    """A value of a class of ours that contains other values: a set or a dynamic value."""

    def __tofu_parts__(self) -> Iterable[object]:
        """The values inside."""
        ...

    def __tofu_key__(self, in_set: bool) -> Hashable:
        """The structural key of the whole."""
        ...


def _is_composite(value: object) -> TypeIs[Composite]:
    return hasattr(value, "__tofu_parts__")  # quicker than `isinstance`


def comparison_key(value: object) -> Hashable:
    """The structural key of a value that may nest without end.

    Raises:
        InvalidValueError: If the value contains NaN or a number of too many digits, or is nested
            too deeply.
    """
    try:
        key = structural_key(value)
        hash(key)
    except RecursionError:
        raise too_deep() from None
    return key


def structural_key(value: object, in_set: bool = False) -> Hashable:
    """A key that two values share if and only if they are equal as values of the type system.

    The key of an unknown value are its refinements. Whether two unknown values are one value is
    for the caller to judge.

    Args:
        value: The value.
        in_set: Whether the value is an element of a set, or inside one: there 0 and -0 differ,
            which are equal elsewhere (observed, go-cty 1.18.1).

    Raises:
        InvalidValueError: If the value contains NaN or a number of too many digits.
    """
    if isinstance(value, str):
        return value if value.isascii() else nfc(value)
    if value is None or isinstance(value, Unknown):
        return value
    if isinstance(value, bool):
        return bool, value
    if isinstance(value, int):
        return value
    if has_attributes(value):
        value = value.__tofu_attributes__()
    if is_dict(value):
        return _key_by_name(value, in_set)
    if is_sequence(value):
        return list, tuple([structural_key(element, in_set) for element in value])
    if is_number(value):
        number = normalize_number(value)
        return (Decimal, "-0") if in_set and is_negative_zero(number) else number
    if _is_composite(value):
        return value.__tofu_key__(in_set)
    if is_python_set(value):
        return key_in_any_order(value)
    if is_mapping(value):
        return _key_by_name(value, in_set)
    return id(value)


def key_in_any_order(elements: Collection[object]) -> Hashable:
    """The structural key of a set of these elements."""
    keys = [structural_key(element, in_set=True) for element in elements]
    unique = frozenset(keys)
    return set, unique if len(unique) == len(keys) else frozenset(Counter(keys).items())


def _key_by_name(mapping: Mapping[object, object], in_set: bool) -> Hashable:
    return dict, frozenset(
        [(name, structural_key(value, in_set)) for name, value in mapping.items()]
    )


def distinct(elements: Collection[T]) -> list[T]:
    """The elements without known duplicates. An unknown element equals no other, and not itself.

    Raises:
        InvalidValueError: If an element contains NaN or is nested too deeply.
    """
    unique: list[T] = []
    keys: set[Hashable] = set()
    try:
        for element in elements:
            key = structural_key(element, in_set=True)
            if key in keys and is_wholly_known(element):
                continue
            keys.add(key)
            unique.append(element)
    except RecursionError:
        raise too_deep() from None
    return unique


def is_wholly_known(value: object) -> bool:
    """Whether the value is known, and everything inside it too."""
    if isinstance(value, Unknown):
        return False
    if isinstance(value, str | int):
        return True
    if has_attributes(value):
        value = value.__tofu_attributes__()
    if is_mapping(value):
        return all(map(is_wholly_known, value.values()))
    if is_sequence(value) or is_python_set(value):
        return all(map(is_wholly_known, value))
    return not _is_composite(value) or all(map(is_wholly_known, value.__tofu_parts__()))
