"""Models made of schemas at run time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeVar, overload

from pydantic import create_model

from tofutypes.dynamic import Dynamic
from tofutypes.errors import SchemaError, describe
from tofutypes.models import bases, fields
from tofutypes.models.bases import (
    NestedBlock,
    Object,
    Resource,
    ResourceIdentity,
    SchemaModel,
)
from tofutypes.models.class_plan import (
    Base,
    ClassPlan,
    PlannedClass,
    PlannedField,
    Root,
    Shape,
    plan_models,
)
from tofutypes.models.declarations import (
    class_keywords,
    field_keywords,
    is_nullable,
    nested_type,
    specifier,
)
from tofutypes.models.field_layouts import NESTING
from tofutypes.models.model import Model
from tofutypes.models.names import class_name
from tofutypes.numbers import Number
from tofutypes.schema import Block, IdentitySchema, NestingMode, Schema
from tofutypes.schema import NestedBlock as NestedBlockSchema
from tofutypes.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    STRING,
    CollectionType,
    ObjectType,
    TupleType,
    Type,
)
from tofutypes.unknown import Unknown

S = TypeVar("S", bound=SchemaModel)


@overload
def build_model(schema: Schema, *, name: str = ..., base: type[S]) -> type[S]: ...
@overload
def build_model(schema: Schema, *, name: str = ...) -> type[Resource]: ...
@overload
def build_model(schema: Block, *, name: str = ...) -> type[NestedBlock]: ...
@overload
def build_model(schema: IdentitySchema, *, name: str = ...) -> type[ResourceIdentity]: ...
@overload
def build_model(schema: Type, *, name: str = ...) -> type[Object]: ...
def build_model(
    schema: Schema | Block | IdentitySchema | Type,
    *,
    name: str = "model",
    base: type[SchemaModel] = Resource,
) -> type[Model]:
    """Make the class for a schema: the same class that the generator writes.

    The classes of nested blocks and objects are in the annotations of its fields; mappings do
    instead of their instances everywhere.

    Args:
        schema: of a resource or the like, of a block, of an identity; or an object type.
        name: the type name, `nimbus_server`; the class is `NimbusServer` then.
        base: what the schema is of, if not of a managed resource: `DataSource`,
            `EphemeralResource` or `ProviderConfig`.

    Raises:
        InvalidSchemaError: the schema breaks the rules of the protocol.
        SchemaError: it is nothing that has a model, such as a type that is no object type.
    """
    match schema:
        case Schema():
            planned_base = _base(base)
        case Block():
            planned_base = Base.NESTED_BLOCK
        case IdentitySchema():
            planned_base = Base.RESOURCE_IDENTITY
        case ObjectType():
            planned_base = Base.OBJECT
        case _:
            raise SchemaError(
                "a Schema, a Block, an IdentitySchema or an object type is required, got "
                f"{describe(schema)}"
            )
    typed = isinstance(schema, Schema | IdentitySchema)
    root = Root(class_name(name), planned_base, schema, name if typed else None)
    builder = _Builder(plan_models([root]))
    return builder.classes[root.name]


_KINDS: Final[dict[type[SchemaModel], Base]] = {
    Resource: Base.RESOURCE,
    bases.DataSource: Base.DATA_SOURCE,
    bases.EphemeralResource: Base.EPHEMERAL_RESOURCE,
    bases.ProviderConfig: Base.PROVIDER_CONFIG,
}


def _base(given: type[SchemaModel]) -> Base:
    found = _KINDS.get(given)
    if found is None:
        names = ", ".join(each.__name__ for each in _KINDS)
        raise SchemaError(f"a base out of {names} is required, got {given.__name__}")
    return found


_MODULE: Final = "tofutypes.built"
"""The module of classes that are in no file."""


class _Builder:
    """Makes the classes of a plan.

    Attributes:
        classes: the classes by name.
    """

    def __init__(self, plan: ClassPlan) -> None:
        self._plan = plan
        self.classes: dict[str, type[Model]] = {}
        for planned in plan.classes.values():
            self.classes[planned.name] = self._make(planned)

    def _make(self, planned: PlannedClass) -> type[Model]:
        declared: dict[str, Any] = {}
        for each in planned.fields:
            declare = getattr(fields, specifier(each))
            declared[each.python_name] = declare[self._read(each)], declare(**field_keywords(each))
        made: Any = create_model(
            planned.name,
            __base__=getattr(bases, planned.base.value),
            __module__=_MODULE,
            __cls_kwargs__=class_keywords(planned),
            **declared,
        )
        model: type[Model] = made
        return model

    def _class_of(self, shape: Shape) -> type[Model]:
        return self.classes[self._plan.class_of(shape).name]

    def _read(self, of: PlannedField) -> Any:
        """What reading a field gives, or of a nested block its class."""
        if isinstance(of.part, NestedBlockSchema):
            block = self._class_of(of.part.block)
            return block | None if is_nullable(of) else block
        nested = nested_type(of)
        if nested is not None:
            read = self._class_of(nested)
            if nested.nesting is not NestingMode.SINGLE:
                read = fields.collection_of(nested.nesting, _nullable(read))
        else:
            assert of.part.type is not None
            read = self._type(of.part.type)
        return read | None if is_nullable(of) else read

    def _type(self, type_: Type) -> Any:
        match type_:
            case ObjectType():
                return self._class_of(type_)
            case TupleType(elements=elements):
                return _TUPLE[tuple(map(_nullable, map(self._type, elements)))]
            case CollectionType(element=element):
                return fields.collection_of(NESTING[type(type_)], _nullable(self._type(element)))
            case _:
                return _PRIMITIVES[type_]


_TUPLE: Final[Any] = tuple

_PRIMITIVES: Final[Mapping[Type, Any]] = {
    STRING: str,
    NUMBER: Number,
    BOOL: bool,
    DYNAMIC: Dynamic,
}


def _nullable(element: Any) -> Any:
    return element | Unknown | None
