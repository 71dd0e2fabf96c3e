"""The annotations of fields: the types that fields return and accept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from tofutypes.models.class_plan import ClassPlan, PlannedField, Shape
from tofutypes.models.declarations import is_nullable, nested_type, specifier
from tofutypes.schema import NestedAttributeType, NestedBlock, NestingMode
from tofutypes.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    STRING,
    CollectionType,
    ListType,
    MapType,
    ObjectType,
    SetType,
    TupleType,
    Type,
)

_READ: Final[Mapping[Type, str]] = {
    STRING: "str",
    BOOL: "bool",
    NUMBER: "Number",
    DYNAMIC: "Dynamic",
}
_WRITE: Final[Mapping[Type, str]] = {
    STRING: "str",
    BOOL: "bool",
    NUMBER: "AnyNumber",
    DYNAMIC: "AnyDynamic",
}
_READ_COLLECTION: Final[Mapping[type[CollectionType], str]] = {
    ListType: "list",
    SetType: "TofuSet",
    MapType: "dict",
}
_WRITE_COLLECTION: Final[Mapping[type[CollectionType], str]] = {
    ListType: "AnyList",
    SetType: "AnySet",
    MapType: "AnyMap",
}
_LEAF_ALIAS: Final[Mapping[Type, str]] = {NUMBER: "NumberAttr", DYNAMIC: "DynamicAttr"}
_COLLECTION_ALIAS: Final[Mapping[type[CollectionType], str]] = {
    ListType: "ListAttr",
    SetType: "SetAttr",
    MapType: "MapAttr",
}
_COLLECTION_OF: Final[Mapping[NestingMode, type[CollectionType]]] = {
    NestingMode.LIST: ListType,
    NestingMode.SET: SetType,
    NestingMode.MAP: MapType,
}


@dataclass(frozen=True, slots=True)
class Annotation:
    """The annotation of a field: a name and what stands in its brackets.

    `Attr` with `str | None`, `ListAttr` with `str` and `None`, `NumberAttr` without brackets.
    """

    name: str
    types: list[str]


@dataclass(slots=True)
class Annotations:
    """Writes annotations for the classes of a plan.

    Attributes:
        plan: The plan.
        used: The names used so far, which the module must import.
    """

    plan: ClassPlan
    used: set[str] = field(default_factory=set[str])

    def use(self, name: str) -> str:
        """Add a name to the imports and return it."""
        self.used.add(name)
        return name

    def class_of(self, shape: Shape) -> str:
        """The name of the class for a shape."""
        return self.plan.class_of(shape).name

    def of_field(self, field: PlannedField) -> Annotation:
        """The annotation of a field: the shortest one with the exact types."""
        name = specifier(field)
        if name == "Attr" and (short := self._short(field)) is not None:
            self.use(short.name)
            return short
        types = self._types(field)
        if is_nullable(field):
            types = [f"{type_} | None" for type_ in types]
        return Annotation(self.use(name), types)

    def _short(self, field: PlannedField) -> Annotation | None:
        """`NumberAttr`, `ListAttr[str, None]` and the like; None if there is no short form."""
        null = ["None"] if is_nullable(field) else []
        assert not isinstance(field.part, NestedBlock)
        nested = nested_type(field)
        if nested is not None:
            collection = _COLLECTION_OF.get(nested.nesting)
            if collection is None:
                return None
            return Annotation(_COLLECTION_ALIAS[collection], [self.class_of(nested), *null])
        type_ = field.part.type
        assert type_ is not None
        if type_ in _LEAF_ALIAS:
            return Annotation(_LEAF_ALIAS[type_], null)
        if isinstance(type_, CollectionType):
            element = type_.element
            if element in (STRING, BOOL) or isinstance(element, ObjectType):
                return Annotation(_COLLECTION_ALIAS[type(type_)], [self.read(element), *null])
        return None

    def _types(self, field: PlannedField) -> list[str]:
        """The type that a field returns and, if it differs, the type that it accepts."""
        if isinstance(field.part, NestedBlock):
            return [self.class_of(field.part.block)]
        nested = nested_type(field)
        if nested is not None:
            types = [self._read_nested(nested), self._write_nested(nested)]
        else:
            assert field.part.type is not None
            types = [self.read(field.part.type), self.write(field.part.type)]
        return types[:1] if types[0] == types[1] else types

    def read(self, type_: Type) -> str:
        """The type of a value that is read."""
        match type_:
            case ObjectType():
                return self.class_of(type_)
            case TupleType(elements=elements):
                return self._tuple(elements, self.read)
            case CollectionType(element=element):
                return self._read_collection(type(type_), self.read(element))
            case _:
                return self._leaf(_READ[type_])

    def write(self, type_: Type) -> str:
        """The type of a value that is accepted."""
        match type_:
            case ObjectType():
                return self.class_of(type_)
            case TupleType(elements=elements):
                return self._tuple(elements, self.write)
            case CollectionType(element=element):
                collection = self.use(_WRITE_COLLECTION[type(type_)])
                return f"{collection}[{self.write(element)}]"
            case _:
                return self._leaf(_WRITE[type_])

    def _leaf(self, name: str) -> str:
        return name if name in ("str", "bool") else self.use(name)

    def _tuple(self, elements: tuple[Type, ...], annotation_of: Callable[[Type], str]) -> str:
        if not elements:
            return "tuple[()]"
        nullable = self.use("Nullable")
        return f"tuple[{', '.join(f'{nullable}[{annotation_of(e)}]' for e in elements)}]"

    def _read_collection(self, kind: type[CollectionType], element: str) -> str:
        name = _READ_COLLECTION[kind]
        if kind is SetType:
            self.use(name)
        element = f"{self.use('Nullable')}[{element}]"
        return f"{name}[str, {element}]" if kind is MapType else f"{name}[{element}]"

    def _read_nested(self, nested: NestedAttributeType) -> str:
        name = self.class_of(nested)
        collection = _COLLECTION_OF.get(nested.nesting)
        return name if collection is None else self._read_collection(collection, name)

    def _write_nested(self, nested: NestedAttributeType) -> str:
        name = self.class_of(nested)
        collection = _COLLECTION_OF.get(nested.nesting)
        return name if collection is None else f"{self.use(_WRITE_COLLECTION[collection])}[{name}]"
