"""The types that values of a schema have on the wire.

Source: the wire format, "Schema Block Mapping"; for `dynamic` inside of nested blocks, which no
document tells, what Terraform and OpenTofu do (`configschema`, `decoder_spec.go`).
"""

from __future__ import annotations

from typing import overload

from tofutypes.errors import SchemaError
from tofutypes.schema.definitions import (
    Attribute,
    Block,
    IdentitySchema,
    NestedAttributeType,
    NestedBlock,
    NestingMode,
    Schema,
)
from tofutypes.types import (
    DYNAMIC,
    ListType,
    MapType,
    ObjectType,
    SetType,
    Type,
    without_optional,
)


@overload
def implied_type(part: Schema | Block | IdentitySchema) -> ObjectType: ...
@overload
def implied_type(part: Attribute | NestedAttributeType | NestedBlock) -> Type: ...
def implied_type(
    part: Schema | Block | IdentitySchema | Attribute | NestedAttributeType | NestedBlock,
) -> Type:
    """The type of the values that a schema or a part of one describes.

    No attribute of it is optional: that is so in configurations only.

    Raises:
        SchemaError: If an attribute has no type.
    """
    match part:
        case Schema(block=block):
            return _block_type(block)
        case Block():
            return _block_type(part)
        case NestedBlock():
            return _nested_block_type(part)
        case Attribute():
            return _attribute_type(part)
        case NestedAttributeType():
            return _wrap(element_type(part), part.nesting)
        case IdentitySchema(attributes=attributes):
            return ObjectType(
                {name: without_optional(item.type) for name, item in attributes.items()}
            )


def element_type(nested: NestedAttributeType) -> ObjectType:
    """The type of one object of a nested type, whatever holds several of it.

    Raises:
        SchemaError: If an attribute has no type.
    """
    return ObjectType({name: _attribute_type(item) for name, item in nested.attributes.items()})


def _block_type(block: Block) -> ObjectType:
    # If an attribute has the name of a nested block, the attribute wins (`decoder_spec.go`).
    return ObjectType(
        {name: _nested_block_type(item) for name, item in block.block_types.items()}
        | {name: _attribute_type(item) for name, item in block.attributes.items()}
    )


def _nested_block_type(nested: NestedBlock) -> Type:
    inner = _block_type(nested.block)
    # The blocks of a list or a map can differ in type then: their values are a tuple or an
    # object, of a type that only they tell. (Sets may not hold any, see `validity`.)
    if nested.nesting in {NestingMode.LIST, NestingMode.MAP} and inner.has_dynamic:
        return DYNAMIC
    return _wrap(inner, nested.nesting)


def _attribute_type(attribute: Attribute) -> Type:
    if attribute.nested_type is not None:
        return implied_type(attribute.nested_type)
    if attribute.type is None:
        raise SchemaError("an attribute has no type; check_schema() returns its path")
    return without_optional(attribute.type)


def _wrap(inner: ObjectType, nesting: NestingMode) -> Type:
    match nesting:
        case NestingMode.SINGLE | NestingMode.GROUP:
            return inner
        case NestingMode.LIST:
            return ListType(inner)
        case NestingMode.SET:
            return SetType(inner)
        case NestingMode.MAP:
            return MapType(inner)
