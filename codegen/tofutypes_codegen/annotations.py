"""Types as they stand in annotations: what reading gives, and what writing takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from tofutypes.models.class_plan import ClassPlan, Shape
from tofutypes.schema import NestedAttributeType, NestingMode
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


@dataclass(slots=True)
class Annotations:
    """Writes annotations for the classes of a plan.

    Attributes:
        plan: the plan.
        used: the names used so far that must be imported.
    """

    plan: ClassPlan
    used: set[str] = field(default_factory=set[str])

    def use(self, name: str) -> str:
        """The name, which is imported then."""
        self.used.add(name)
        return name

    def class_of(self, shape: Shape) -> str:
        """The name of the class for a shape."""
        return self.plan.class_of(shape).name

    def read(self, type_: Type) -> str:
        """What reading a value of a type gives."""
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
        """What writing a value of a type takes."""
        match type_:
            case ObjectType():
                return self.class_of(type_)
            case TupleType(elements=elements):
                return self._tuple(elements, self.write)
            case CollectionType(element=element):
                kind = self.use(_WRITE_COLLECTION[type(type_)])
                return f"{kind}[{self.write(element)}]"
            case _:
                return self._leaf(_WRITE[type_])

    def _leaf(self, name: str) -> str:
        return name if name in ("str", "bool") else self.use(name)

    def _tuple(self, elements: tuple[Type, ...], inner: Callable[[Type], str]) -> str:
        if not elements:
            return "tuple[()]"
        nullable = self.use("Nullable")
        return f"tuple[{', '.join(f'{nullable}[{inner(each)}]' for each in elements)}]"

    def _read_collection(self, kind: type[CollectionType], element: str) -> str:
        name = _READ_COLLECTION[kind]
        if kind is SetType:
            self.use(name)
        element = f"{self.use('Nullable')}[{element}]"
        return f"{name}[str, {element}]" if kind is MapType else f"{name}[{element}]"

    def read_nested(self, nested: NestedAttributeType) -> str:
        """What reading a nested attribute gives."""
        name = self.class_of(nested)
        kind = _COLLECTION_OF.get(nested.nesting)
        return name if kind is None else self._read_collection(kind, name)

    def write_nested(self, nested: NestedAttributeType) -> str:
        """What writing a nested attribute takes."""
        name = self.class_of(nested)
        kind = _COLLECTION_OF.get(nested.nesting)
        return name if kind is None else f"{self.use(_WRITE_COLLECTION[kind])}[{name}]"


_COLLECTION_OF: Final = {
    NestingMode.LIST: ListType,
    NestingMode.SET: SetType,
    NestingMode.MAP: MapType,
}
