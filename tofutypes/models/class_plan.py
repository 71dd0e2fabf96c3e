"""Plans the classes for schemas: which classes, with which names and fields.

`build_model` creates the classes of a plan, the generator renders them as source.

Nested blocks with equal content share a class, and so do equal object types. A class is named
after the first occurrence of its shape, ordered by depth and then by name; the names of further
occurrences are aliases. If two shapes want the same name, the first occurrence gets it.
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
"""What a class models. Equal shapes share a class."""


class Base(StrEnum):
    """The base class of a planned class, by its name in `tofutypes.models`."""

    RESOURCE = "Resource"
    DATA_SOURCE = "DataSource"
    EPHEMERAL_RESOURCE = "EphemeralResource"
    LIST_RESOURCE = "ListResource"
    ACTION = "Action"
    STATE_STORE = "StateStore"
    PROVIDER_CONFIG = "ProviderConfig"
    PROVIDER_META = "ProviderMeta"
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
        name: The name on the wire.
        python_name: The name in Python.
        part: The attribute or nested block of the schema.
    """

    name: str
    python_name: str
    part: Attribute | NestedBlock | IdentityAttribute | ObjectAttribute


@dataclass(frozen=True, slots=True)
class PlannedClass:
    """A class of a plan.

    Attributes:
        name: The name of the class.
        base: The base class.
        shape: What the class models.
        type_name: The type name of the resource, data source, …; None for a class inside one.
        fields: The fields, in the order of their names on the wire.
        aliases: Other names of the class.
    """

    name: str
    base: Base
    shape: Shape
    type_name: str | None
    fields: tuple[PlannedField, ...]
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Root:
    """A schema to plan classes for.

    Attributes:
        name: The name of its class. Other classes get another name if theirs clashes.
        base: The base class.
        shape: The schema.
        type_name: The type name of the resource, data source, ….
    """

    name: str
    base: Base
    shape: Shape
    type_name: str | None = None


@dataclass(frozen=True, slots=True)
class ClassPlan:
    """The classes for some schemas, each after the classes that it uses."""

    classes: Mapping[Shape, PlannedClass]

    def class_of(self, shape: Shape) -> PlannedClass:
        """The class for a shape of the schemas."""
        return self.classes[_key(shape)]


def plan_models(
    roots: Iterable[Root] = (),
    types: Iterable[tuple[str, Type]] = (),
    avoid: Iterable[str] = (),
) -> ClassPlan:
    """Plan the classes for schemas.

    Args:
        roots: The schemas.
        types: Further types whose object types need classes, each with a name for these.
        avoid: Names that no class may have.

    Raises:
        InvalidSchemaError: If a schema breaks the rules of the protocol.
    """
    occurrences: dict[Shape, _Occurrence] = {}
    for root in roots:
        if isinstance(root.shape, Schema | Block):
            ensure_valid(root.shape)
        occurrences[_key(root.shape)] = _Occurrence(root.name, root.base, root=root)
    named = [
        (occurrences.setdefault(part, _Occurrence(name, Base.OBJECT)), name)
        for name, type_ in types
        for part in _objects_in(type_)
    ]
    named += _find_occurrences(occurrences)
    _name(occurrences.values(), named, avoid)
    return ClassPlan(
        {key: _planned(key, occurrences[key]) for key in _dependencies_first(occurrences)}
    )


@dataclass(slots=True)
class _Occurrence:
    """The first occurrence of a shape."""

    name: str
    base: Base
    parent: _Occurrence | None = None
    root: Root | None = None
    fields: tuple[PlannedField, ...] = ()
    parts: list[Shape] = field(default_factory=list[Shape])
    class_name: str = ""
    aliases: list[str] = field(default_factory=list[str])


def _find_occurrences(occurrences: dict[Shape, _Occurrence]) -> list[tuple[_Occurrence, str]]:
    """Add the shapes inside the roots, breadth first; return all names of all occurrences."""
    named: list[tuple[_Occurrence, str]] = []
    queue = list(occurrences)
    for key in queue:
        occurrence = occurrences[key]
        occurrence.fields = _fields(key)
        for planned_field in occurrence.fields:
            for base, part in _parts(planned_field):
                occurrence.parts.append(part)
                if part not in occurrences:
                    occurrences[part] = _Occurrence(planned_field.name, base, occurrence)
                    queue.append(part)
                named.append((occurrences[part], planned_field.name))
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


def _parts(planned_field: PlannedField) -> Iterator[tuple[Base, Shape]]:
    """The shapes that a field needs classes for."""
    match planned_field.part:
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
    """The key of a shape; for a nested attribute, without nesting mode and limits.

    These belong to the field, not to the class.
    """
    if isinstance(shape, NestedAttributeType):
        return NestedAttributeType(shape.attributes)
    return shape


def _name(
    occurrences: Iterable[_Occurrence],
    named: Iterable[tuple[_Occurrence, str]],
    avoid: Iterable[str],
) -> None:
    """Name every class, and add the further names of its shape that are free as aliases."""
    taken = {*RESERVED_IN_MODULES, *avoid}
    for occurrence in occurrences:
        # In a class body the name of a field hides the class of that name.
        taken.update(planned_field.python_name for planned_field in occurrence.fields)
        if occurrence.root is not None:
            occurrence.class_name = occurrence.root.name
            taken.add(occurrence.class_name)
    for occurrence, name in named:
        if not occurrence.class_name:
            occurrence.class_name = next(
                candidate for candidate in _candidates(occurrence) if candidate not in taken
            )
            taken.add(occurrence.class_name)
        elif (alias := class_name(name)) not in taken:
            occurrence.aliases.append(alias)
            taken.add(alias)


def _candidates(occurrence: _Occurrence) -> Iterator[str]:
    """`Settings`, `PrimarySettings`, `ServerPrimarySettings`, `Settings2`, `Settings3`…"""
    own = class_name(occurrence.name)
    yield own
    longer, parent = own, occurrence.parent
    while parent is not None:
        longer = class_name(parent.name) + longer
        yield longer
        parent = parent.parent
    yield from (f"{own}{number}" for number in count(2))


def _dependencies_first(occurrences: Mapping[Shape, _Occurrence]) -> Iterator[Shape]:
    seen: set[int] = set()
    for root in occurrences:
        stack = [(root, iter(occurrences[root].parts))]
        while stack:
            key, parts = stack[-1]
            for part in parts:
                if id(occurrences[part]) not in seen:
                    stack.append((part, iter(occurrences[part].parts)))
                    break
            else:
                stack.pop()
                if id(occurrences[key]) not in seen:
                    seen.add(id(occurrences[key]))
                    yield key


def _planned(key: Shape, occurrence: _Occurrence) -> PlannedClass:
    type_name = occurrence.root.type_name if occurrence.root is not None else None
    return PlannedClass(
        occurrence.class_name,
        occurrence.base,
        key,
        type_name,
        occurrence.fields,
        tuple(occurrence.aliases),
    )
