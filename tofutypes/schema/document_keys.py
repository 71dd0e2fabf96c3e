"""The keys of the schema document, class by class.

Source: the format's documentation ("Providers Schema Representation"), and the structs that
Terraform and OpenTofu print it from (`internal/command/jsonprovider`, `jsonfunction`).
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from tofutypes.schema.definitions import (
    Attribute,
    Block,
    Function,
    IdentityAttribute,
    IdentitySchema,
    NestedAttributeType,
    NestedBlock,
    NestingMode,
    Parameter,
    ProviderSchema,
    ProviderSchemas,
    Schema,
    StringKind,
)
from tofutypes.schema.document_codecs import (
    Count,
    Flag,
    Listed,
    Named,
    Shared,
    Text,
    TypeConstraint,
    Word,
)
from tofutypes.schema.record_codecs import Key, Record

Part: TypeAlias = (
    ProviderSchema
    | Schema
    | Block
    | NestedBlock
    | Attribute
    | NestedAttributeType
    | IdentitySchema
    | IdentityAttribute
    | Function
    | Parameter
)
"""A class of the model."""

_FLAG: Final = Flag()
_COUNT: Final = Count()
_TEXT: Final = Text()
_TYPE: Final = Shared(TypeConstraint())
_KIND: Final = Key("description_kind", Word(*StringKind))

_ATTRIBUTE: Final[Record[Attribute]] = Record(
    Attribute,
    lambda: (
        Key("type", _TYPE),
        Key("nested_type", _NESTED_TYPE),
        Key("description", _TEXT),
        _KIND,
        Key("deprecated", _FLAG),
        Key("deprecation_message", _TEXT),
        Key("required", _FLAG),
        Key("optional", _FLAG),
        Key("computed", _FLAG),
        Key("sensitive", _FLAG),
        Key("write_only", _FLAG),
    ),
)

_ATTRIBUTES: Final = Named(Shared(_ATTRIBUTE))

_NESTED_TYPE: Final[Record[NestedAttributeType]] = Record(
    NestedAttributeType,
    lambda: (
        Key("attributes", _ATTRIBUTES),
        Key(
            "nesting_mode",
            Word(*NestingMode),
            field="nesting",
            required=True,
        ),
        Key("min_items", _COUNT),
        Key("max_items", _COUNT),
    ),
    nests=True,
)

_BLOCK: Final[Record[Block]] = Record(
    Block,
    lambda: (
        Key("attributes", _ATTRIBUTES),
        Key("block_types", Named(Shared(_NESTED_BLOCK))),
        Key("description", _TEXT),
        _KIND,
        Key("deprecated", _FLAG),
        Key("deprecation_message", _TEXT),
    ),
    absent=Block(description_kind=None),
    nests=True,
)

_NESTED_BLOCK: Final[Record[NestedBlock]] = Record(
    NestedBlock,
    lambda: (
        Key("nesting_mode", Word(*NestingMode), field="nesting", required=True),
        Key("block", _BLOCK, required=True),
        Key("min_items", _COUNT),
        Key("max_items", _COUNT),
    ),
)

_SCHEMA: Final[Record[Schema]] = Record(
    Schema,
    lambda: (Key("version", _COUNT, noted=True), Key("block", _BLOCK, noted=True)),
)

_IDENTITY_ATTRIBUTE: Final[Record[IdentityAttribute]] = Record(
    IdentityAttribute,
    lambda: (
        Key("type", _TYPE, required=True),
        Key("description", _TEXT),
        Key("required_for_import", _FLAG),
        Key("optional_for_import", _FLAG),
    ),
)

_IDENTITY_SCHEMA: Final[Record[IdentitySchema]] = Record(
    IdentitySchema,
    lambda: (
        Key("version", _COUNT, noted=True),
        Key("attributes", Named(_IDENTITY_ATTRIBUTE)),
    ),
)

_PARAMETER: Final[Record[Parameter]] = Record(
    Parameter,
    lambda: (
        Key("name", Text(absent="")),
        Key("description", _TEXT),
        _KIND,
        Key("is_nullable", _FLAG, field="allow_null_value"),
        Key("allow_unknown_values", _FLAG),
        Key("type", _TYPE, required=True),
    ),
)

_FUNCTION: Final[Record[Function]] = Record(
    Function,
    lambda: (
        Key("description", _TEXT),
        _KIND,
        Key("summary", _TEXT),
        Key("deprecation_message", _TEXT),
        Key("return_type", _TYPE, required=True),
        Key("parameters", Listed(_PARAMETER)),
        Key("variadic_parameter", _PARAMETER),
    ),
)

_PROVIDER: Final[Record[ProviderSchema]] = Record(
    ProviderSchema,
    lambda: (
        Key("provider", _SCHEMA),
        Key("provider_meta", _SCHEMA),
        Key("resource_schemas", Named(_SCHEMA), field="resources"),
        Key("data_source_schemas", Named(_SCHEMA), field="data_sources"),
        Key("ephemeral_resource_schemas", Named(_SCHEMA), field="ephemeral_resources"),
        Key("list_resource_schemas", Named(_SCHEMA), field="list_resources"),
        Key("action_schemas", Named(_SCHEMA), field="actions"),
        Key("state_store_schemas", Named(_SCHEMA), field="state_stores"),
        Key("functions", Named(_FUNCTION)),
        Key("resource_identity_schemas", Named(_IDENTITY_SCHEMA), field="identities"),
    ),
)

DOCUMENT: Final[Record[ProviderSchemas]] = Record(
    ProviderSchemas,
    lambda: (
        Key("format_version", _TEXT),
        Key("provider_schemas", Named(_PROVIDER), field="schemas"),
    ),
)
"""How a whole document is read and written."""

RECORDS: Final[dict[type[Any], Record[Any]]] = {
    Attribute: _ATTRIBUTE,
    NestedAttributeType: _NESTED_TYPE,
    Block: _BLOCK,
    NestedBlock: _NESTED_BLOCK,
    Schema: _SCHEMA,
    IdentityAttribute: _IDENTITY_ATTRIBUTE,
    IdentitySchema: _IDENTITY_SCHEMA,
    Parameter: _PARAMETER,
    Function: _FUNCTION,
    ProviderSchema: _PROVIDER,
}
"""How each class is read and written."""
