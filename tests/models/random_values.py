"""Random values that a block allows, by names on the wire, everything written out.

They are made by a `random.Random`: a seeded one where speed counts, one of hypothesis
(`st.randoms`) where a failure should be made small.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from random import Random
from typing import Any

from hypothesis import strategies as st

from tofutypes.dynamic import Dynamic
from tofutypes.schema import (
    Attribute,
    Block,
    IdentityAttribute,
    IdentitySchema,
    NestedAttributeType,
    NestedBlock,
    NestingMode,
    Schema,
)
from tofutypes.sets import TofuSet
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

_STRINGS = ("", "a", "b", "web-7f3a", "é", "Å", "日本語", "👩‍👧", "<&>\u2028", '"\\\0', "x" * 40)
_NUMBERS = (
    *(0, 1, -1, 127, 128, -33, 2**31, 2**53 + 1, 2**63, 2**64, -(2**63) - 1, 10**30),
    *map(Decimal, ("0.1", "-2.5", "0.30000000000000004", "1e-20", "12345678901234567890.5")),
)
_KEYS = ("a", "Name", "from", "é", "0")
_LABELS = ("one", "two", "a b")
_DECIDED = (STRING, NUMBER, BOOL, ListType(STRING), MapType(NUMBER), TupleType((BOOL, STRING)))


class RandomValues:
    """Makes values.

    Args:
        random: where chance comes from.
        known: make such values as JSON can hold: nothing unknown.
        present: how likely it is that what may be null is not, and that blocks stand.
    """

    def __init__(self, random: Random, *, known: bool = False, present: float = 0.7) -> None:
        self._random = random
        self._known = known
        self._present = present

    def of_schema(self, schema: Schema | IdentitySchema) -> dict[str, object]:
        if isinstance(schema, IdentitySchema):
            return {name: self._attribute(each) for name, each in schema.attributes.items()}
        return self.of_block(schema.block)

    def of_block(self, block: Block) -> dict[str, object]:
        values = {name: self._attribute(each) for name, each in block.attributes.items()}
        blocks = {name: self._nested_block(each) for name, each in block.block_types.items()}
        return values | blocks

    def _chance(self, of: float) -> bool:
        return self._random.random() < of

    def _attribute(self, attribute: Attribute | IdentityAttribute) -> object:
        nested = None
        if isinstance(attribute, IdentityAttribute):
            required = attribute.required_for_import
        else:
            required, nested = attribute.required, attribute.nested_type
        type_ = attribute.type or _shell(nested)
        missing = self._missing(type_, required)
        if missing is not None:
            return missing[0]
        return self.of_type(type_) if nested is None else self._nested_attribute(nested)

    def _missing(self, type_: Type, required: bool) -> tuple[object] | None:
        """Null or an unknown value, if it is to be one."""
        if not required and not self._chance(self._present):
            return (None,)
        if not self._known and self._chance(0.1):
            return (self.unknown(type_),)
        return None

    def _nested_attribute(self, nested: NestedAttributeType) -> object:
        def element() -> object:
            if nested.nesting is not NestingMode.SINGLE:
                missing = self._missing(ObjectType({}), required=self._chance(0.9))
                if missing is not None:
                    return missing[0]
            return {name: self._attribute(each) for name, each in nested.attributes.items()}

        # Elements of a collection are of one type, also where an attribute is dynamic.
        several = 1 if _shell(nested).has_dynamic else 2
        return self._container(nested.nesting, element, 0, several)

    def _nested_block(self, nested: NestedBlock) -> object:
        def block() -> object:
            missing = self._missing(ObjectType({}), required=True)
            return self.of_block(nested.block) if missing is None else missing[0]

        if nested.nesting is NestingMode.SINGLE and not nested.min_items:
            return block() if self._chance(self._present) else None
        least = nested.min_items
        most = max(least, 2)
        if nested.max_items:
            most = min(most, nested.max_items)
        if not least and not self._chance(self._present):
            most = 0
        return self._container(nested.nesting, block, least, most)

    def _container(
        self, nesting: NestingMode, element: Callable[[], object], least: int, most: int
    ) -> object:
        count = self._random.randint(least, most)
        match nesting:
            case NestingMode.SINGLE | NestingMode.GROUP:
                return element()
            case NestingMode.LIST:
                return [element() for _ in range(count)]
            case NestingMode.SET:
                return TofuSet([element() for _ in range(count)])
            case NestingMode.MAP:
                return {_LABELS[index]: element() for index in range(count)}

    def of_type(self, type_: Type) -> Any:
        """A value of a type that is neither null nor unknown itself."""
        return self._present_value(type_, self._decide(type_))

    def _decide(self, type_: Type) -> Type:
        """The type with another in every place of `dynamic`: elements share them."""
        if type_ is DYNAMIC:
            return self._random.choice(_DECIDED)
        match type_:
            case CollectionType(element=element):
                return type(type_)(self._decide(element))
            case TupleType(elements=elements):
                return TupleType(tuple(map(self._decide, elements)))
            case ObjectType(attributes=attributes):
                return ObjectType({name: self._decide(each) for name, each in attributes.items()})
            case _:
                return type_

    def _inner(self, type_: Type, decided: Type) -> Any:
        if type_ is not DYNAMIC:
            missing = self._missing(type_, required=self._chance(0.8))
            if missing is not None:
                return missing[0]
        return self._present_value(type_, decided)

    def _present_value(self, type_: Type, decided: Type) -> Any:
        choose = self._random
        if type_ is DYNAMIC:
            return Dynamic(self._present_value(decided, decided), decided)
        match type_, decided:
            case PrimitiveType(), _:
                of: Mapping[Type, Callable[[], object]] = {
                    STRING: lambda: choose.choice(_STRINGS),
                    NUMBER: lambda: choose.choice(_NUMBERS),
                    BOOL: lambda: choose.random() < 0.5,
                }
                return of[type_]()
            case MapType(element=element), MapType(element=its):
                keys = choose.sample(_KEYS, choose.randint(0, 2))
                return {key: self._inner(element, its) for key in keys}
            case CollectionType(element=element), CollectionType(element=its):
                elements = [self._inner(element, its) for _ in range(choose.randint(0, 2))]
                return TofuSet(elements) if isinstance(type_, SetType) else elements
            case TupleType(elements=parts), TupleType(elements=its_parts):
                return tuple(map(self._inner, parts, its_parts))
            case ObjectType(attributes=parts), ObjectType(attributes=its_parts):
                return {name: self._inner(part, its_parts[name]) for name, part in parts.items()}
            case _:
                raise AssertionError(type_)

    def unknown(self, type_: Type) -> Unknown:
        """An unknown value, refined as the type allows, which decides nothing."""
        choose = self._random
        not_null = choose.random() < 0.5
        if type_ is DYNAMIC or choose.random() < 0.4:
            return UNKNOWN
        if type_ is STRING:
            return Unknown(not_null=not_null, prefix=choose.choice([None, "arn:aws:", "日本-"]))
        if type_ is NUMBER:
            low = choose.choice([None, 0, Decimal("0.5")])
            high = choose.choice([None, 8080])
            return Unknown(not_null=not_null, lower=low, upper=high, lower_inclusive=False)
        if isinstance(type_, CollectionType):
            return Unknown(not_null=not_null, min_length=choose.choice([None, 1]), max_length=9)
        return Unknown(not_null=not_null)


def _shell(nested: NestedAttributeType | None) -> Type:
    """A type of the kind that a nested attribute has, dynamic inside if it is."""
    assert nested is not None
    inside = ObjectType(
        {name: each.type or _shell(each.nested_type) for name, each in nested.attributes.items()}
    )
    collections: dict[NestingMode, type[CollectionType]] = {
        NestingMode.LIST: ListType,
        NestingMode.SET: SetType,
        NestingMode.MAP: MapType,
    }
    kind = collections.get(nested.nesting)
    return inside if kind is None else kind(inside)


def values_of(
    schema: Schema | IdentitySchema, *, known: bool = False
) -> st.SearchStrategy[dict[str, object]]:
    """Values of a schema."""
    return st.randoms(use_true_random=False).map(
        lambda random: RandomValues(random, known=known).of_schema(schema)
    )
