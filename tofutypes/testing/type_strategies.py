"""Hypothesis strategies for type constraints, and for values of a type constraint.

Values are what the decoders return: strings in NFC, exact numbers, `TofuSet`, `Dynamic`, and
unknown values whose refinements fit their type and do not decide the value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from hypothesis import strategies as st

from tofutypes.dynamic import Dynamic
from tofutypes.refinements import Refinements
from tofutypes.sets import TofuSet
from tofutypes.testing.scalar_strategies import (
    fractions,
    names,
    numbers,
    plain_numbers,
    plain_strings,
    strings,
)
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
from tofutypes.wire.unknown_extension import settle_unknown

Draw: TypeAlias = Callable[..., Any]

_LARGEST_COLLECTION: Final = 3


@dataclass(frozen=True, slots=True)
class ValueChoice:
    """Which values a strategy chooses from.

    Attributes:
        unknown: Include unknown values.
        plain: Only strings and numbers as people write them in configurations.
        null: Include null elements and null attributes of object types.
    """

    unknown: bool = True
    plain: bool = False
    null: bool = True

    def primitives(self, type_: PrimitiveType) -> st.SearchStrategy[Any]:
        """Known values of a primitive type."""
        if type_ is BOOL:
            return st.booleans()
        if type_ is STRING:
            return plain_strings() if self.plain else strings()
        return plain_numbers() if self.plain else numbers(infinite=self.unknown)

    def keys(self) -> st.SearchStrategy[str]:
        """Keys of maps."""
        return plain_strings() if self.plain else names()


def type_constraints(*, dynamic: bool = True) -> st.SearchStrategy[Type]:
    """Type constraints of every kind, up to six primitives deep and wide.

        @given(type_constraints())
        def test_canonical_text(type_: Type) -> None:
            assert parse_type(type_.to_json()) == type_

    Args:
        dynamic: Include `dynamic`, at any depth.
    """
    primitives: tuple[Type, ...] = (STRING, NUMBER, BOOL)
    leaves = st.sampled_from((*primitives, DYNAMIC) if dynamic else primitives)
    return st.recursive(leaves, _containers, max_leaves=6)


def _containers(element: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
    return st.one_of(
        st.builds(ListType, element),
        st.builds(SetType, element),
        st.builds(MapType, element),
        st.lists(element, max_size=3).map(lambda elements: TupleType(tuple(elements))),
        object_types(element),
    )


def object_types(attribute: st.SearchStrategy[Type] | None = None) -> st.SearchStrategy[ObjectType]:
    """Object types of up to four attributes.

    Args:
        attribute: The types of the attributes; any type without it.
    """
    attribute = type_constraints() if attribute is None else attribute
    return st.dictionaries(names(), attribute, max_size=4).map(ObjectType)


def values_of_type(type_: Type, choice: ValueChoice) -> st.SearchStrategy[Any]:
    """Values of a type constraint: mostly known ones, and null."""
    return _concrete_types(type_).flatmap(lambda concrete: _nullable(type_, concrete, choice))


def known_values_of_type(type_: Type, choice: ValueChoice) -> st.SearchStrategy[Any]:
    """Values of a type constraint that are neither null nor unknown themselves."""
    if type_ is DYNAMIC:
        return type_constraints(dynamic=False).flatmap(
            lambda concrete: st.builds(
                Dynamic, _known(concrete, concrete, choice), st.just(concrete)
            )
        )
    return _concrete_types(type_).flatmap(lambda concrete: _known(type_, concrete, choice))


@st.composite
def _concrete_types(draw: Draw, type_: Type) -> Type:
    """The type with a concrete type in place of each `dynamic`: elements of a list share theirs."""
    if type_ is DYNAMIC:
        return draw(st.just(DYNAMIC) | type_constraints(dynamic=False))  # type: ignore[no-any-return]  # `draw` is untyped
    match type_:
        case CollectionType(element=element):
            return type(type_)(draw(_concrete_types(element)))
        case TupleType(elements=elements):
            return TupleType(tuple(draw(_concrete_types(element)) for element in elements))
        case ObjectType(attributes=attributes):
            return ObjectType(
                {name: draw(_concrete_types(inner)) for name, inner in attributes.items()}
            )
        case _:
            return type_


def _nullable(type_: Type, concrete: Type, choice: ValueChoice) -> st.SearchStrategy[Any]:
    if type_ is DYNAMIC:
        bare: st.SearchStrategy[Any] = (
            st.sampled_from([None, UNKNOWN]) if choice.unknown else st.none()
        )
        if concrete is DYNAMIC:
            return bare
        return bare | st.builds(Dynamic, _nullable(concrete, concrete, choice), st.just(concrete))
    if not choice.null and not choice.unknown:
        return _known(type_, concrete, choice)
    others: list[st.SearchStrategy[Any]] = [st.none()] if choice.null else []
    if choice.unknown:
        others.append(unknown_values(type_))
    # Mostly known values: large types would otherwise hold few of them.
    return st.integers(0, 5).flatmap(
        lambda dice: st.one_of(others) if dice == 0 else _known(type_, concrete, choice)
    )


def _known(type_: Type, concrete: Type, choice: ValueChoice) -> st.SearchStrategy[Any]:
    match type_, concrete:
        case PrimitiveType(), _:
            return choice.primitives(type_)
        case MapType(element=element), MapType(element=concrete_element):
            elements = _nullable(element, concrete_element, choice)
            return st.dictionaries(choice.keys(), elements, max_size=_LARGEST_COLLECTION)
        case CollectionType(element=element), CollectionType(element=concrete_element):
            elements = _nullable(element, concrete_element, choice)
            items = st.lists(elements, max_size=_LARGEST_COLLECTION)
            return items.map(TofuSet) if isinstance(type_, SetType) else items
        case TupleType(elements=elements), TupleType(elements=concrete_elements):
            pairs = zip(elements, concrete_elements, strict=True)
            return st.tuples(*(_nullable(element, inner, choice) for element, inner in pairs))
        case ObjectType(attributes=attributes), ObjectType(attributes=concrete_attributes):
            return st.fixed_dictionaries(
                {
                    name: _nullable(attribute, concrete_attributes[name], choice)
                    for name, attribute in attributes.items()
                }
            )
        case _:
            raise TypeError(f"no strategy for values of the type {type_}")


@st.composite
def unknown_values(draw: Draw, type_: Type) -> Unknown:
    """Unknown values of a type whose refinements do not decide the value."""
    settled = settle_unknown(Unknown.of(draw(refinements_of(type_))), type_)
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
