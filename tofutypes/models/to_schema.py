"""From classes back to schemas."""

from __future__ import annotations

from typing import Any, cast, overload

from tofutypes.errors import SchemaError, describe
from tofutypes.models.bases import (
    DataSource,
    EphemeralResource,
    NestedBlock,
    NestedObject,
    Object,
    ProviderConfig,
    Resource,
    ResourceIdentity,
    SchemaModel,
)
from tofutypes.models.docstrings import description_of, field_descriptions
from tofutypes.models.field_layouts import NESTING
from tofutypes.models.field_spec import FieldSpec
from tofutypes.models.functions import ProviderFunction
from tofutypes.models.model import Model
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
    model: type[Resource] | type[DataSource] | type[EphemeralResource] | type[ProviderConfig],
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
    """The schema that a class or a function stands for: generated, built, or written by hand.

    It is complete: descriptions, versions and all that validation has no use for are in it.

    Raises:
        SchemaError: the class stands for no schema.
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
    raise SchemaError(f"{model.__name__} is neither a resource nor anything else with a schema")


def _ensure_model(given: object) -> None:
    if isinstance(given, type) and issubclass(given, Model):
        return
    got = "another class" if isinstance(given, type) else describe(given)
    raise SchemaError(f"a model or a function is required, got {got}")


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
                attributes[field.name] = _attribute(field.layout, spec, description)
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


def _attribute(layout: Layout, spec: FieldSpec, description: str | None) -> Attribute:
    if (spec.optional or spec.computed) and not (spec.required or layout.nullable):
        raise SchemaError("what may be left out may be null: its type needs `| None`")
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
        description_kind=spec.description_kind,
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
    # Of a single block the annotation says whether it must be there.
    must_be = nesting is NestingMode.SINGLE and not layout.nullable
    return NestedBlockSchema(
        _block(model),
        nesting,
        min_items=1 if must_be else spec.min_items,
        max_items=1 if must_be else spec.max_items,
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
