"""The document that `providers schema -json` prints, both ways.

Source: the format's documentation ("Providers Schema Representation"), and the structs that
Terraform and OpenTofu print it from (`internal/command/jsonprovider`, `jsonfunction`).
"""

from __future__ import annotations

from typing import Final, TypeAlias, TypeVar

from tofutypes.schema.kinds import (
    Count,
    Flag,
    Listed,
    Named,
    Text,
    TypeConstraint,
    Word,
)
from tofutypes.schema.model import (
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
    Schema,
    StringKind,
)
from tofutypes.schema.records import Key, Record

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

P = TypeVar("P", bound=Part)

FORMAT_VERSION: Final = "1.0"
"""The version that `write_schemas` writes. Any before 2.0 is read: a new major version means
that a reader must be changed, a new minor one that there are new keys."""

_FLAG: Final = Flag()
_COUNT: Final = Count()
_TEXT: Final = Text()
_TYPE: Final = TypeConstraint()
_KIND: Final = Key("description_kind", Word(*StringKind))

_ATTRIBUTE: Final = Record(
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

_NESTED_TYPE: Final = Record(
    NestedAttributeType,
    lambda: (
        Key("attributes", Named(_ATTRIBUTE)),
        Key(
            "nesting_mode",
            Word(NestingMode.SINGLE, NestingMode.LIST, NestingMode.SET, NestingMode.MAP),
            field="nesting",
            required=True,
        ),
        Key("min_items", _COUNT),
        Key("max_items", _COUNT),
    ),
    nests=True,
)

_BLOCK: Final = Record(
    Block,
    lambda: (
        Key("attributes", Named(_ATTRIBUTE)),
        Key("block_types", Named(_NESTED_BLOCK)),
        Key("description", _TEXT),
        _KIND,
        Key("deprecated", _FLAG),
        Key("deprecation_message", _TEXT),
    ),
    absent=Block(description_kind=None),
    nests=True,
)

_NESTED_BLOCK: Final = Record(
    NestedBlock,
    lambda: (
        Key("nesting_mode", Word(*NestingMode), field="nesting", required=True),
        Key("block", _BLOCK),
        Key("min_items", _COUNT),
        Key("max_items", _COUNT),
    ),
)

_SCHEMA: Final = Record(
    Schema,
    lambda: (Key("version", _COUNT, noted=True), Key("block", _BLOCK, noted=True)),
)

_IDENTITY_ATTRIBUTE: Final = Record(
    IdentityAttribute,
    lambda: (
        Key("type", _TYPE, required=True),
        Key("description", _TEXT),
        Key("required_for_import", _FLAG),
        Key("optional_for_import", _FLAG),
    ),
)

_IDENTITY_SCHEMA: Final = Record(
    IdentitySchema,
    lambda: (
        Key("version", _COUNT, noted=True),
        Key("attributes", Named(_IDENTITY_ATTRIBUTE)),
    ),
)

_PARAMETER: Final = Record(
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

_FUNCTION: Final = Record(
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

_PROVIDER: Final = Record(
    ProviderSchema,
    lambda: (
        Key("provider", _SCHEMA),
        Key("resource_schemas", Named(_SCHEMA), field="resources"),
        Key("data_source_schemas", Named(_SCHEMA), field="data_sources"),
        Key("ephemeral_resource_schemas", Named(_SCHEMA), field="ephemeral_resources"),
        Key("functions", Named(_FUNCTION)),
        Key("resource_identity_schemas", Named(_IDENTITY_SCHEMA), field="identities"),
    ),
)
