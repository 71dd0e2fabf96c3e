"""Schemas: what providers say about their data.

Read them with [`read_schemas`][tofutypes.schema.document.read_schemas] from the document that
`tofu providers schema -json` prints, or build them from the classes of this package.
"""

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

__all__ = [
    "Attribute",
    "Block",
    "Function",
    "IdentityAttribute",
    "IdentitySchema",
    "NestedAttributeType",
    "NestedBlock",
    "NestingMode",
    "Parameter",
    "ProviderSchema",
    "Schema",
    "StringKind",
]
