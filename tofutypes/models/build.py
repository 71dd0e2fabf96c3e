"""Models from schemas at run time."""

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
    """Create the model class for a schema: the same class that the generator writes.

        >>> Server = build_model(schema, name="nimbus_server")
        >>> Server(name="web", disk=[{"size_gb": 20}]).to_msgpack()

    The classes of nested blocks and objects are in the annotations of the fields; mappings are
    accepted in place of their instances.

    Args:
        schema: A schema, a block, a resource identity, or an object type.
        name: The type name, such as `nimbus_server`, which makes the class `NimbusServer`.
        base: The base class for a schema that is not of a managed resource, such as `DataSource`.

    Raises:
        InvalidSchemaError: If the schema breaks the rules of the protocol.
        SchemaError: If there is no model for the schema, such as for a type that is not an object
            type.
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
                "expected a Schema, a Block, an IdentitySchema or an object type, got "
                f"{describe(schema)}"
            )
    has_type_name = isinstance(schema, Schema | IdentitySchema)
    root = Root(class_name(name), planned_base, schema, name if has_type_name else None)
    builder = _Builder(plan_models([root]))
    return builder.classes[root.name]


_BASES: Final[dict[type[SchemaModel], Base]] = {
    Resource: Base.RESOURCE,
    bases.DataSource: Base.DATA_SOURCE,
    bases.EphemeralResource: Base.EPHEMERAL_RESOURCE,
    bases.ListResource: Base.LIST_RESOURCE,
    bases.Action: Base.ACTION,
    bases.StateStore: Base.STATE_STORE,
    bases.ProviderConfig: Base.PROVIDER_CONFIG,
    bases.ProviderMeta: Base.PROVIDER_META,
}


def _base(cls: type[SchemaModel]) -> Base:
    base = _BASES.get(cls)
    if base is None:
        names = ", ".join(known.__name__ for known in _BASES)
        raise SchemaError(f"expected a base class out of {names}, got {cls.__name__}")
    return base


_MODULE: Final = "tofutypes.built"
"""The `__module__` of the classes, which are in no file."""


class _Builder:
    """Creates the classes of a plan.

    Attributes:
        classes: The classes by name.
    """

    def __init__(self, plan: ClassPlan) -> None:
        self._plan = plan
        self.classes: dict[str, type[Model]] = {}
        for planned in plan.classes.values():
            self.classes[planned.name] = self._create(planned)

    def _create(self, planned: PlannedClass) -> type[Model]:
        declarations: dict[str, Any] = {}
        for field in planned.fields:
            declare = getattr(fields, specifier(field))
            keywords = field_keywords(field, planned)
            declarations[field.python_name] = declare[self._annotation(field)], declare(**keywords)
        created: Any = create_model(
            planned.name,
            __base__=getattr(bases, planned.base.value),
            __module__=_MODULE,
            __cls_kwargs__=class_keywords(planned),
            **declarations,
        )
        model: type[Model] = created
        return model

    def _class_of(self, shape: Shape) -> type[Model]:
        return self.classes[self._plan.class_of(shape).name]

    def _annotation(self, field: PlannedField) -> Any:
        """The type that a field returns; for a nested block its class."""
        if isinstance(field.part, NestedBlockSchema):
            block = self._class_of(field.part.block)
            return block | None if is_nullable(field) else block
        nested = nested_type(field)
        if nested is not None:
            annotation = self._class_of(nested)
            if nested.nesting is not NestingMode.SINGLE:
                annotation = fields.collection_of(nested.nesting, _nullable(annotation))
        else:
            assert field.part.type is not None
            annotation = self._type(field.part.type)
        return annotation | None if is_nullable(field) else annotation

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
