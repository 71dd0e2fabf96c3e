"""Tests of what a value is, for places where anything may come: each tells type checkers too.

A plain `isinstance(value, list)` leaves checkers with a list of they know not what.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from typing_extensions import TypeIs

# Made once: `isinstance(value, list | tuple)` makes a new union at each call, which takes longer
# than the test.
_SEQUENCES: Final = (list, tuple)
_PYTHON_SETS: Final = (set, frozenset)
_NUMBERS: Final = (int, float, Decimal)


def is_list(value: object) -> TypeIs[list[object]]:
    """Whether it is a list."""
    return isinstance(value, list)


def is_dict(value: object) -> TypeIs[dict[object, object]]:
    """Whether it is a dict."""
    return isinstance(value, dict)


def is_mapping(value: object) -> TypeIs[Mapping[object, object]]:
    """Whether it maps keys to values."""
    return isinstance(value, dict) or isinstance(value, Mapping)  # noqa: SIM101  # dict is faster


def is_sequence(value: object) -> TypeIs[list[object] | tuple[object, ...]]:
    """Whether it is a list or a tuple."""
    return isinstance(value, _SEQUENCES)


def is_python_set(value: object) -> TypeIs[set[object] | frozenset[object]]:
    """Whether it is one of Python's own sets."""
    return isinstance(value, _PYTHON_SETS)


def is_number(value: object) -> TypeIs[int | float | Decimal]:
    """Whether it is a Python number; a bool is none here."""
    return isinstance(value, _NUMBERS) and not isinstance(value, bool)
