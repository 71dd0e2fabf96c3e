"""The schemas of classes."""

from __future__ import annotations

from typing import Any, cast, overload

from tofutypes.errors import SchemaError, describe
from tofutypes.models.bases import (
    Action,
    DataSource,
    EphemeralResource,
    ListResource,
    NestedBlock,
    NestedObject,
    Object,
    ProviderConfig,
    ProviderMeta,
    Resource,
    ResourceIdentity,
    SchemaModel,
    StateStore,
)
from tofutypes.models.docstrings import description_of, field_descriptions
from tofutypes.models.field_layouts import NESTING
from tofutypes.models.field_spec import FieldSpec, Inherited
from tofutypes.models.functions import ProviderFunction
from tofutypes.models.model import Model
from tofutypes.models.model_info import ModelInfo
from tofutypes.schema import (
    Attribute,
    Block,
    Function,
    IdentityAttribute,
    IdentitySchema,
    NestedAttributeType,
    NestingMode,
    Schema,
)
from tofutypes.schema import NestedBlock as NestedBlockSchema
from tofutypes.types import ObjectType
from tofutypes.wire.layout import (
    CollectionLayout,
    DynamicBlocksLayout,
    Layout,
    ObjectLayout,
)


@overload
def schema_of(model: type[ResourceIdentity]) -> IdentitySchema: ...
@overload
def schema_of(
    model: type[Resource]
    | type[DataSource]
    | type[EphemeralResource]
    | type[ListResource]
    | type[Action]
    | type[StateStore]
    | type[ProviderConfig]
    | type[ProviderMeta],
) -> Schema: ...
@overload
def schema_of(model: type[NestedBlock]) -> Block: ...
@overload
def schema_of(model: type[Object]) -> ObjectType: ...
@overload
def schema_of(model: ProviderFunction[..., Any]) -> Function: ...
def schema_of(
    model: type[Model] | ProviderFunction[..., Any],
) -> Schema | Block | IdentitySchema | ObjectType | Function:
    """The schema of a class or a function, whether generated, built or written by hand.

        >>> schema_of(Server).block.attributes["name"]
        Attribute(type=STRING, required=True)

    The schema is complete, with descriptions, versions and everything else that validation does
    not need.

    Raises:
        SchemaError: If the class has no schema.
    """
    if isinstance(model, ProviderFunction):
        return model.schema
    _ensure_model(model)
    if issubclass(model, ResourceIdentity):
        return _identity_schema(model)
    if issubclass(model, SchemaModel):
        info = model.__tofu_info__
        return Schema(_block(model), info.version, absent=info.absent, extra=info.schema_extra)
    if issubclass(model, NestedBlock):
        return _block(model)
    if issubclass(model, Object):
        object_type = model.__tofu_layout__().type
        assert isinstance(object_type, ObjectType)
        return object_type
    raise SchemaError(
        f"{model.__name__} has no schema: expected a subclass of Resource, DataSource, "
        "ProviderConfig, ProviderMeta, EphemeralResource, ListResource, Action, StateStore, "
        "ResourceIdentity, NestedBlock or Object"
    )


def _ensure_model(model: object) -> None:
    if isinstance(model, type) and issubclass(model, Model):
        return
    kind = f"the class {model.__name__}" if isinstance(model, type) else describe(model)
    raise SchemaError(f"expected a model class or a function, got {kind}")


def _block(model: type[Model]) -> Block:
    info = model.__tofu_info__
    attributes: dict[str, Attribute] = {}
    block_types: dict[str, NestedBlockSchema] = {}
    descriptions = field_descriptions(model)
    for field in model.__tofu_layout__().fields:
        spec = FieldSpec.of(model.model_fields[field.python_name])
        try:
            if spec.block_nesting is None:
                description = descriptions.get(field.python_name)
                attributes[field.name] = _attribute(field.layout, spec, description, info)
            else:
                block_types[field.name] = _nested_block(field.layout, spec, spec.block_nesting)
        except SchemaError as error:
            raise SchemaError(f"{model.__name__}.{field.python_name}: {error}") from None
    return Block(
        attributes,
        block_types,
        description=description_of(model, info),
        description_kind=info.description_kind,
        deprecated=info.deprecated,
        deprecation_message=info.deprecation_message,
        extra=info.block_extra,
    )


def _attribute(
    layout: Layout, spec: FieldSpec, description: str | None, info: ModelInfo
) -> Attribute:
    if (spec.optional or spec.computed) and not (spec.required or layout.nullable):
        raise SchemaError("an optional or computed attribute may be null; add `| None` to its type")
    kind = spec.description_kind
    nested = _nested_type(layout, spec)
    return Attribute(
        layout.type if nested is None else None,
        nested,
        required=spec.required,
        optional=spec.optional,
        computed=spec.computed,
        sensitive=spec.sensitive,
        write_only=spec.write_only,
        description=description,
        description_kind=info.attribute_description_kind if isinstance(kind, Inherited) else kind,
        deprecated=spec.deprecated,
        deprecation_message=spec.deprecation_message,
        extra=spec.extra,
    )


def _nested_type(layout: Layout, spec: FieldSpec) -> NestedAttributeType | None:
    """The nested type of an attribute; None if it has a plain type."""
    nesting = NestingMode.SINGLE
    if isinstance(layout, CollectionLayout):
        nesting = NESTING[type(layout.type)]
        layout = layout.element
    model = _model_of(layout)
    if model is None or not issubclass(model, NestedObject):
        return None
    return NestedAttributeType(
        _block(model).attributes,
        nesting,
        min_items=spec.min_items,
        max_items=spec.max_items,
        extra=spec.nested_extra,
    )


def _nested_block(layout: Layout, spec: FieldSpec, nesting: NestingMode) -> NestedBlockSchema:
    if isinstance(layout, DynamicBlocksLayout):
        layout = layout.blocks
    if isinstance(layout, CollectionLayout):
        layout = layout.element
    model = _model_of(layout)
    assert model is not None
    # For a single block the annotation says whether the block is required.
    is_required = nesting is NestingMode.SINGLE and not layout.nullable
    return NestedBlockSchema(
        _block(model),
        nesting,
        min_items=1 if is_required else spec.min_items,
        max_items=1 if is_required else spec.max_items,
        extra=spec.extra,
    )


def _model_of(layout: Layout) -> type[Model] | None:
    if isinstance(layout, ObjectLayout) and layout.model is not None:
        return cast("type[Model]", layout.model.cls)
    return None


def _identity_schema(model: type[ResourceIdentity]) -> IdentitySchema:
    descriptions = field_descriptions(model)
    attributes: dict[str, IdentityAttribute] = {}
    for field in model.__tofu_layout__().fields:
        spec = FieldSpec.of(model.model_fields[field.python_name])
        attributes[field.name] = IdentityAttribute(
            field.layout.type,
            required_for_import=spec.required_for_import,
            optional_for_import=spec.optional_for_import,
            description=descriptions.get(field.python_name),
            extra=spec.extra,
        )
    info = model.__tofu_info__
    return IdentitySchema(attributes, info.version, absent=info.absent, extra=info.schema_extra)
