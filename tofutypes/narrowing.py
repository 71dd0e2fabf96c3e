"""Tests of the kind of a value that type checkers understand.

After a plain `isinstance(value, list)` a checker knows nothing about the elements.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Final, Protocol, runtime_checkable

from typing_extensions import TypeIs

# `isinstance(value, list | tuple)` would make a new union at each call, which takes longer than the
# test.
_SEQUENCES: Final = (list, tuple)
_PYTHON_SETS: Final = (set, frozenset)
_NUMBERS: Final = (int, float, Decimal)


def is_list(value: object) -> TypeIs[list[object]]:
    """Whether the value is a list."""
    return isinstance(value, list)


def is_dict(value: object) -> TypeIs[dict[object, object]]:
    """Whether the value is a dict."""
    return isinstance(value, dict)


def is_mapping(value: object) -> TypeIs[Mapping[object, object]]:
    """Whether the value maps keys to values."""
    return isinstance(value, dict) or isinstance(value, Mapping)  # noqa: SIM101  # dict is faster


def is_sequence(value: object) -> TypeIs[list[object] | tuple[object, ...]]:
    """Whether the value is a list or a tuple."""
    return isinstance(value, _SEQUENCES)


def is_python_set(value: object) -> TypeIs[set[object] | frozenset[object]]:
    """Whether the value is a `set` or a `frozenset`."""
    return isinstance(value, _PYTHON_SETS)


def is_number(value: object) -> TypeIs[int | float | Decimal]:
    """Whether the value is a Python number. A bool is not."""
    return isinstance(value, _NUMBERS) and not isinstance(value, bool)


@runtime_checkable
class HasAttributes(Protocol):
    """An object value that is not a dict: an instance of a model."""

    def __tofu_attributes__(self) -> Mapping[str, object]:
        """The attributes and nested blocks by their names on the wire."""
        ...


def has_attributes(value: object) -> TypeIs[HasAttributes]:
    """Whether the value is an object value that is not a dict. (Quicker than `isinstance`.)"""
    return hasattr(value, "__tofu_attributes__")
