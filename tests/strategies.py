"""Strategies of the tests: `tofutypes.testing`, and other spellings of the same value.

`spellings` gives what a user may write for a value.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeAlias

from hypothesis import strategies as st

from tofutypes.comparison import is_wholly_known
from tofutypes.dynamic import Dynamic
from tofutypes.sets import TofuSet
from tofutypes.testing.scalar_strategies import names, numbers
from tofutypes.testing.type_strategies import (
    ValueChoice,
    object_types,
    refinements_of,
    type_constraints,
    unknown_values,
    values_of_type,
)
from tofutypes.types import Type
from tofutypes.unknown import Unknown

__all__ = [
    "names",
    "numbers",
    "object_types",
    "refinements_of",
    "spellings",
    "type_constraints",
    "typed_values",
    "unknown_values",
    "values",
]

Draw: TypeAlias = Callable[..., Any]


def values(type_: Type, *, known: bool = False) -> st.SearchStrategy[Any]:
    """Values of a type; with `known`, such as JSON can hold: no unknown value, no infinity."""
    return values_of_type(type_, ValueChoice(unknown=not known))


@st.composite
def typed_values(
    draw: Draw, types: st.SearchStrategy[Type] | None = None, *, known: bool = False
) -> tuple[Type, object]:
    """A type and a value of it."""
    type_: Type = draw(_any_type if types is None else types)
    return type_, draw(values(type_, known=known))


_any_type = type_constraints()


@st.composite
def spellings(draw: Draw, value: Any) -> object:
    """The value as a user may also write it: equal, but in other words.

    Decomposed strings, floats and decimals for integers, tuples for lists, dicts in another
    order, sets as lists in any order and with duplicates. What is not wholly known in a set keeps
    its order, in which it may be written.
    """
    match value:
        case None | bool() | Unknown():
            return value
        case str():
            return draw(st.sampled_from([value, unicodedata.normalize("NFD", value)]))
        case int() | Decimal():
            return draw(st.sampled_from(_spelled_numbers(value)))
        case list() | tuple():
            container = draw(st.sampled_from([list, tuple]))
            return container([draw(spellings(each)) for each in value])
        case dict():
            pairs = draw(st.permutations(list(value.items())))
            return {draw(spellings(name)): draw(spellings(each)) for name, each in pairs}
        case TofuSet():
            elements = list(value)
            known = [each for each in elements if is_wholly_known(each)]
            shuffled = [each for each in elements if not is_wholly_known(each)]
            if known:
                known += draw(st.lists(st.sampled_from(known), max_size=2))
            for each in known:
                shuffled.insert(draw(st.integers(0, len(shuffled))), each)
            container = draw(st.sampled_from([list, tuple, TofuSet]))
            return container([draw(spellings(each)) for each in shuffled])
        case Dynamic():
            return Dynamic(draw(spellings(value.value)), value.type)
        case _:
            raise AssertionError(type(value))


def _spelled_numbers(value: int | Decimal) -> list[int | float | Decimal]:
    spelled: list[int | float | Decimal] = [value]
    if isinstance(value, int):
        spelled += [Decimal(value), Decimal(f"{value}.00")]
        if abs(value) <= 2**53:
            spelled.append(float(value))
    elif value.is_finite():
        spelled.append(Decimal(f"{value:f}000"))
        if Decimal(repr(float(value))) == value:
            spelled.append(float(value))
    else:
        spelled.append(float(value))
    return spelled
