"""Strategies for hypothesis: types, values of a type, and other spellings of the same value.

The values are what the decoders give: strings in NFC, exact numbers, sets as `TofuSet`, tuples as
`tuple`, places of type `dynamic` as `Dynamic`, unknown values refined as their type allows and
decided by no refinement. `spellings` gives what a user may write for the same value.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeAlias

from hypothesis import strategies as st

from tofutypes.refinements import Refinements
from tofutypes.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    STRING,
    CollectionType,
    ListType,
    MapType,
    ObjectType,
    PrimitiveType,
    SetType,
    TupleType,
    Type,
)
from tofutypes.unknown import UNKNOWN, Unknown
from tofutypes.values import Dynamic, TofuSet, is_wholly_known
from tofutypes.wire.unknown_extension import settle_unknown

Draw: TypeAlias = Callable[..., Any]

# Text that has another spelling, text that JSON escapes, and any other.
_SPECIAL = ("é", "Å", "ẛ̣", "한글", "\u2028", "<&>", '"\\', "\0", "👩‍👧", "日本語")


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def strings() -> st.SearchStrategy[str]:
    """Strings in NFC."""
    characters = st.characters(exclude_categories=["Cs"])
    return (st.text(characters, max_size=8) | st.sampled_from(_SPECIAL)).map(_nfc)


def names() -> st.SearchStrategy[str]:
    """Names of attributes and keys of maps: mostly plain ones."""
    return st.sampled_from(["a", "b", "from", "id", "0n", "Zed", "é"]) | strings()


def integers() -> st.SearchStrategy[int]:
    """Integers, near the borders of the wire's formats more often."""
    borders = [7, 8, 15, 16, 31, 32, 53, 63, 64]
    return (
        st.integers()
        | st.integers(min_value=-(10**40), max_value=10**40)
        | st.builds(
            lambda sign, bits, off: sign * 2**bits + off,
            st.sampled_from([1, -1]),
            st.sampled_from(borders),
            st.sampled_from([-1, 0, 1]),
        )
    )


def fractions() -> st.SearchStrategy[Decimal]:
    """Numbers that are no integers."""
    decimals = st.decimals(allow_nan=False, allow_infinity=False, places=6) | st.floats(
        allow_nan=False, allow_infinity=False, min_value=-1e40, max_value=1e40
    ).map(lambda value: Decimal(repr(value)))
    return decimals.filter(lambda value: value % 1 != 0 if abs(value) < 10**20 else False)


def numbers(*, infinite: bool = True) -> st.SearchStrategy[int | Decimal]:
    """Exact numbers."""
    finite = integers() | fractions()
    return finite | st.sampled_from([Decimal("inf"), Decimal("-inf")]) if infinite else finite


def primitives() -> st.SearchStrategy[PrimitiveType]:
    return st.sampled_from([STRING, NUMBER, BOOL])


def types(*, dynamic: bool = True) -> st.SearchStrategy[Type]:
    """Types of every kind."""
    leaves: st.SearchStrategy[Type] = st.sampled_from([STRING, NUMBER, BOOL])
    if dynamic:
        leaves = st.sampled_from([STRING, NUMBER, BOOL, DYNAMIC])
    return st.recursive(leaves, _wider, max_leaves=6)


def _wider(inner: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
    return st.one_of(
        st.builds(ListType, inner),
        st.builds(SetType, inner),
        st.builds(MapType, inner),
        st.lists(inner, max_size=3).map(lambda elements: TupleType(tuple(elements))),
        objects(inner),
    )


def objects(inner: st.SearchStrategy[Type] | None = None) -> st.SearchStrategy[ObjectType]:
    """Object types."""
    inner = types() if inner is None else inner
    return st.dictionaries(names(), inner, max_size=4).map(ObjectType)


@st.composite
def typed_values(
    draw: Draw, types: st.SearchStrategy[Type] | None = None, *, known: bool = False
) -> tuple[Type, object]:
    """A type and a value of it."""
    type_: Type = draw(_any_type if types is None else types)
    return type_, draw(values(type_, known=known))


_any_type = types()


@st.composite
def values(draw: Draw, type_: Type, *, known: bool = False) -> object:
    """Values of a type; with `known`, such as JSON can hold: no unknown value, no infinity."""
    return draw(_values(type_, draw(_decided(type_)), known))


@st.composite
def _decided(draw: Draw, type_: Type) -> Type:
    """The type with another in every place of `dynamic`: the elements of a list share them."""
    if type_ is DYNAMIC:
        return draw(st.just(DYNAMIC) | types(dynamic=False))  # type: ignore[no-any-return]
    match type_:
        case CollectionType(element=element):
            return type(type_)(draw(_decided(element)))
        case TupleType(elements=elements):
            return TupleType(tuple(draw(_decided(element)) for element in elements))
        case ObjectType(attributes=attributes):
            return ObjectType({name: draw(_decided(each)) for name, each in attributes.items()})
        case _:
            return type_


def _values(type_: Type, decided: Type, known: bool) -> st.SearchStrategy[Any]:
    if type_ is DYNAMIC:
        bare: st.SearchStrategy[Any] = st.none() if known else st.sampled_from([None, UNKNOWN])
        if decided is DYNAMIC:
            return bare
        return bare | st.builds(Dynamic, _values(decided, decided, known), st.just(decided))
    other: st.SearchStrategy[Any] = st.none()
    if not known:
        other |= unknowns(type_)
    # Mostly values, or large types would seldom have any.
    return st.integers(0, 5).flatmap(
        lambda dice: other if dice == 0 else _present(type_, decided, known)
    )


def _present(type_: Type, decided: Type, known: bool) -> st.SearchStrategy[Any]:
    match type_, decided:
        case PrimitiveType(), _:
            return {STRING: strings(), NUMBER: numbers(infinite=not known), BOOL: st.booleans()}[
                type_
            ]
        case MapType(element=element), MapType(element=its):
            return st.dictionaries(names(), _values(element, its, known), max_size=3)
        case CollectionType(element=element), CollectionType(element=its):
            elements = st.lists(_values(element, its, known), max_size=3)
            return elements.map(TofuSet) if isinstance(type_, SetType) else elements
        case TupleType(elements=parts), TupleType(elements=its_parts):
            return st.tuples(
                *(_values(part, its, known) for part, its in zip(parts, its_parts, strict=True))
            )
        case ObjectType(attributes=parts), ObjectType(attributes=its_parts):
            return st.fixed_dictionaries(
                {name: _values(part, its_parts[name], known) for name, part in parts.items()}
            )
        case _:
            raise AssertionError(type_)


@st.composite
def unknowns(draw: Draw, type_: Type) -> Unknown:
    """Unknown values of a type that are not decided by what is known about them."""
    refinements = draw(refinements_of(type_))
    settled = settle_unknown(Unknown.of(refinements), type_)
    return settled if isinstance(settled, Unknown) else UNKNOWN


@st.composite
def refinements_of(draw: Draw, type_: Type) -> Refinements:
    """Refinements that fit a type."""
    not_null: bool = draw(st.booleans())
    match type_:
        case PrimitiveType("string"):
            return Refinements(not_null, prefix=draw(st.none() | strings()))
        case PrimitiveType("number"):
            low, high = sorted((draw(st.integers(-9, 9) | fractions()), draw(st.integers(-9, 9))))
            return Refinements(
                not_null,
                lower=draw(st.sampled_from([None, low])),
                lower_inclusive=draw(st.booleans()),
                upper=draw(st.sampled_from([None, high])),
                upper_inclusive=draw(st.booleans()),
            )
        case CollectionType():
            least, most = sorted((draw(st.integers(0, 5)), draw(st.integers(0, 5))))
            return Refinements(
                not_null,
                min_length=draw(st.sampled_from([None, least])),
                max_length=draw(st.sampled_from([None, most])),
            )
        case _:
            return Refinements(not_null and type_ is not DYNAMIC)


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
