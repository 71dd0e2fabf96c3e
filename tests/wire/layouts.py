"""Layouts to test with: of attributes, of models, of nested blocks."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from tofutypes.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    STRING,
    ListType,
    MapType,
    ObjectType,
    SetType,
    TupleType,
)
from tofutypes.wire.layout import (
    BlockCount,
    CollectionLayout,
    DynamicBlocksLayout,
    FieldLayout,
    Layout,
    ModelHooks,
    ObjectLayout,
    PrimitiveLayout,
    TupleLayout,
    layout_of_type,
)


class Thing:
    """Stands for a model: attributes by Python name, nothing else."""

    def __init__(self, **attributes: object) -> None:
        self.__dict__.update(attributes)

    def __tofu_attributes__(self) -> Mapping[str, object]:
        names = {field.python_name: field.name for field in THING.fields}
        return {names[name]: value for name, value in self.__dict__.items()}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Thing) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]


class Special(Thing):
    """A class of a user's own."""


def make(given: Mapping[str, object]) -> Thing:
    """What a model does with a mapping that a user gives."""
    python_names = {field.name: field.python_name for field in THING.fields}
    return Thing(**{python_names[name]: value for name, value in given.items()})


def leaf(type_: Any, *, nullable: bool = True) -> PrimitiveLayout:
    return PrimitiveLayout(type=type_, nullable=nullable)


# The Python name of `from` is the own name of another attribute.
FIELDS = {
    "from": ("from_", leaf(STRING, nullable=False)),
    "from_": ("from__", leaf(STRING)),
    "list": ("list_", CollectionLayout(type=ListType(BOOL), element=leaf(BOOL))),
    "size": ("size", leaf(NUMBER)),
}
THING = ObjectLayout(
    type=ObjectType({name: layout.type for name, (_, layout) in FIELDS.items()}),
    fields=tuple(FieldLayout(name, python, layout) for name, (python, layout) in FIELDS.items()),
    model=ModelHooks(Thing, make),
)
TEXT = '{"from":"a","from_":"b","list":[true],"size":1}'
A_THING = Thing(from_="a", from__="b", list_=[True], size=1)


def things(least: int = 0, most: int = 0, kind: Any = ListType) -> CollectionLayout:
    """Nested blocks of things."""
    return CollectionLayout(
        type=kind(THING.type), element=THING, blocks=BlockCount(least, most), nullable=False
    )


def group(fields: tuple[FieldLayout, ...]) -> ObjectLayout:
    type_ = ObjectType({field.name: field.layout.type for field in fields})
    absent: dict[str, object] = {
        field.python_name: [] if isinstance(field.layout, CollectionLayout) else None
        for field in fields
    }
    return ObjectLayout(
        type=type_, fields=fields, model=ModelHooks(Thing, make), empty=lambda: Thing(**absent)
    )


REQUIRED = FieldLayout("must", "must", leaf(STRING, nullable=False))
INNER = group((REQUIRED,))
GROUP = group(
    (
        FieldLayout("inner", "inner", INNER),
        FieldLayout("many", "many", things(least=1)),
        REQUIRED,
    )
)
ANY = ObjectType({"any": DYNAMIC})
ANY_BLOCKS = CollectionLayout(type=ListType(ANY), element=layout_of_type(ANY), blocks=BlockCount(1))
DYNAMIC_GROUP = group(
    (FieldLayout("any", "any", DynamicBlocksLayout(type=DYNAMIC, blocks=ANY_BLOCKS)), REQUIRED)
)


EMPTY_OBJECT = ObjectLayout(type=ObjectType({}), fields=(), model=ModelHooks(Thing, make))
PAIR = TupleLayout(type=TupleType((BOOL,)), elements=(leaf(BOOL),))
BOOLS = CollectionLayout(type=ListType(BOOL), element=leaf(BOOL))
BOOLS_BY_NAME = CollectionLayout(type=MapType(BOOL), element=leaf(BOOL))
BOOLS_IN_SET = CollectionLayout(type=SetType(BOOL), element=leaf(BOOL))
ABSENT = Thing(must=None)


def strict(layout: Layout) -> Layout:
    return dataclasses.replace(layout, nullable=False, compiled={})


def holder(layout: Layout) -> ObjectLayout:
    """A model with one attribute."""
    fields = (FieldLayout("f", "f", layout),)
    return ObjectLayout(
        type=ObjectType({"f": layout.type}), fields=fields, model=ModelHooks(Thing, make)
    )
