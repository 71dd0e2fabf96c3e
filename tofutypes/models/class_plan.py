"""From schemas to the classes that they need: which, named how, with which fields.

One plan, two uses: `build_model` makes the classes of it, the generator writes their source.

Same shape, same class: nested blocks of equal content share a class, as do equal object types. A
class is named after the first place where its shape stands, in order of depth, then of name; the
names of the other places are its aliases. Of two that want a name, the first place has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import count
from typing import TypeAlias

from tofutypes.models.names import RESERVED_IN_MODULES, class_name, field_names
from tofutypes.schema import (
    Attribute,
    Block,
    IdentityAttribute,
    IdentitySchema,
    NestedAttributeType,
    NestedBlock,
    Schema,
    ensure_valid,
)
from tofutypes.types import ObjectType, Type

Shape: TypeAlias = Schema | Block | NestedAttributeType | ObjectType | IdentitySchema
"""What a class is made for. Equal shapes are one class."""


class Base(StrEnum):
    """The base class of a planned class, by its name in `tofutypes.models`."""

    RESOURCE = "Resource"
    DATA_SOURCE = "DataSource"
    EPHEMERAL_RESOURCE = "EphemeralResource"
    PROVIDER_CONFIG = "ProviderConfig"
    RESOURCE_IDENTITY = "ResourceIdentity"
    NESTED_BLOCK = "NestedBlock"
    NESTED_OBJECT = "NestedObject"
    OBJECT = "Object"


@dataclass(frozen=True, slots=True)
class ObjectAttribute:
    """An attribute of an object type."""

    type: Type
    optional: bool


@dataclass(frozen=True, slots=True)
class PlannedField:
    """A field of a planned class.

    Attributes:
        name: its name on the wire.
        python_name: its name in Python.
        part: what the schema says of it.
    """

    name: str
    python_name: str
    part: Attribute | NestedBlock | IdentityAttribute | ObjectAttribute


@dataclass(frozen=True, slots=True)
class PlannedClass:
    """A class to be made.

    Attributes:
        name: its name.
        base: its base class.
        shape: what it is made for.
        type_name: the type name of the resource, data source…; None inside of one.
        fields: its fields, in order of their names on the wire.
        aliases: other names for it.
    """

    name: str
    base: Base
    shape: Shape
    type_name: str | None
    fields: tuple[PlannedField, ...]
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Root:
    """A schema to plan for.

    Attributes:
        name: the name of its class: exactly this, all other classes make way.
        base: the base class.
        shape: the schema.
        type_name: the type name of the resource, data source…
    """

    name: str
    base: Base
    shape: Shape
    type_name: str | None = None


@dataclass(frozen=True, slots=True)
class ClassPlan:
    """The classes for some schemas, each after those that it uses."""

    classes: Mapping[Shape, PlannedClass]

    def class_of(self, shape: Shape) -> PlannedClass:
        """The class for a shape that is part of the schemas."""
        return self.classes[_key(shape)]


def plan_models(
    roots: Iterable[Root] = (),
    types: Iterable[tuple[str, Type]] = (),
    avoid: Iterable[str] = (),
) -> ClassPlan:
    """Plan the classes for schemas.

    Args:
        roots: the schemas.
        types: further types whose object types need classes, each with a name for these.
        avoid: names that no class may have.

    Raises:
        InvalidSchemaError: a schema breaks the rules of the protocol.
    """
    places: dict[Shape, _Place] = {}
    for root in roots:
        if isinstance(root.shape, Schema | Block):
            ensure_valid(root.shape)
        places[_key(root.shape)] = _Place(root.name, root.base, root=root)
    named = [
        (places.setdefault(part, _Place(name, Base.OBJECT)), name)
        for name, type_ in types
        for part in _objects_in(type_)
    ]
    named += _find_places(places)
    _name(places.values(), named, avoid)
    return ClassPlan({key: _planned(key, places[key]) for key in _dependencies_first(places)})


@dataclass(slots=True)
class _Place:
    """The first place where a shape stands."""

    name: str
    base: Base
    parent: _Place | None = None
    root: Root | None = None
    fields: tuple[PlannedField, ...] = ()
    parts: list[Shape] = field(default_factory=list[Shape])
    class_name: str = ""
    aliases: list[str] = field(default_factory=list[str])


def _find_places(places: dict[Shape, _Place]) -> list[tuple[_Place, str]]:
    """Add the shapes inside of these, breadth first; tell by which names they stand there."""
    named: list[tuple[_Place, str]] = []
    queue = list(places)
    for key in queue:
        place = places[key]
        place.fields = _fields(key)
        for each in place.fields:
            for base, part in _parts(each):
                place.parts.append(part)
                if part not in places:
                    places[part] = _Place(each.name, base, place)
                    queue.append(part)
                named.append((places[part], each.name))
    return named


def _fields(shape: Shape) -> tuple[PlannedField, ...]:
    parts: dict[str, Attribute | NestedBlock | IdentityAttribute | ObjectAttribute] = {}
    match shape:
        case Schema(block=block):
            parts = {**block.block_types, **block.attributes}
        case Block():
            parts = {**shape.block_types, **shape.attributes}
        case NestedAttributeType() | IdentitySchema():
            parts = {**shape.attributes}
        case ObjectType():
            parts = {
                name: ObjectAttribute(type_, name in shape.optional)
                for name, type_ in shape.attributes.items()
            }
    python_names = field_names(parts)
    return tuple(PlannedField(name, python_names[name], parts[name]) for name in sorted(parts))


def _parts(of: PlannedField) -> Iterator[tuple[Base, Shape]]:
    """The shapes that the values of a field consist of."""
    match of.part:
        case NestedBlock(block=block):
            yield Base.NESTED_BLOCK, block
        case Attribute(nested_type=NestedAttributeType() as nested):
            yield Base.NESTED_OBJECT, _key(nested)
        case Attribute(type=type_) | IdentityAttribute(type=type_) | ObjectAttribute(type=type_):
            if type_ is not None:
                yield from ((Base.OBJECT, part) for part in _objects_in(type_))


def _objects_in(type_: Type) -> Iterator[ObjectType]:
    """The outermost object types of a type."""
    if isinstance(type_, ObjectType):
        yield type_
    else:
        for inner in type_.inner_types():
            yield from _objects_in(inner)


def _key(shape: Shape) -> Shape:
    """The shape itself; of a nested attribute, the shape without what its class does not hold."""
    if isinstance(shape, NestedAttributeType):
        return NestedAttributeType(shape.attributes)
    return shape


def _name(
    places: Iterable[_Place], named: Iterable[tuple[_Place, str]], avoid: Iterable[str]
) -> None:
    """Give every class its name, and as aliases the other names of its shape that are free."""
    taken = {*RESERVED_IN_MODULES, *avoid}
    for place in places:
        # In a class body the name of a field hides the class of that name.
        taken.update(each.python_name for each in place.fields)
        if place.root is not None:
            place.class_name = place.root.name
            taken.add(place.class_name)
    for place, name in named:
        if not place.class_name:
            place.class_name = next(each for each in _candidates(place) if each not in taken)
            taken.add(place.class_name)
        elif (alias := class_name(name)) not in taken:
            place.aliases.append(alias)
            taken.add(alias)


def _candidates(place: _Place) -> Iterator[str]:
    """`Settings`, `PrimarySettings`, `ServerPrimarySettings`, `Settings2`, `Settings3`…"""
    own = class_name(place.name)
    yield own
    longer, parent = own, place.parent
    while parent is not None:
        longer = class_name(parent.name) + longer
        yield longer
        parent = parent.parent
    yield from (f"{own}{number}" for number in count(2))


def _dependencies_first(places: Mapping[Shape, _Place]) -> Iterator[Shape]:
    seen: set[int] = set()
    for root in places:
        stack = [(root, iter(places[root].parts))]
        while stack:
            key, parts = stack[-1]
            for part in parts:
                if id(places[part]) not in seen:
                    stack.append((part, iter(places[part].parts)))
                    break
            else:
                stack.pop()
                if id(places[key]) not in seen:
                    seen.add(id(places[key]))
                    yield key


def _planned(key: Shape, place: _Place) -> PlannedClass:
    type_name = place.root.type_name if place.root is not None else None
    return PlannedClass(
        place.class_name, place.base, key, type_name, place.fields, tuple(place.aliases)
    )
