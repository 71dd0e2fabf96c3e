"""Schemas: what providers say about their data.

Read them with [`read_schemas`][tofutypes.schema.document.read_schemas] from the document that
`tofu providers schema -json` prints, or build them from the classes of this package.
"""

from typing import TYPE_CHECKING

from tofutypes.lazy_names import import_on_use

if TYPE_CHECKING:
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
    from tofutypes.schema.document import read_part, read_schemas, write_part, write_schemas
    from tofutypes.schema.document_keys import Part
    from tofutypes.schema.implied import element_type, implied_type
    from tofutypes.schema.names import normalize_name
    from tofutypes.schema.source import SchemaSource
    from tofutypes.schema.validity import check_provider_schema, check_schema, ensure_valid

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
    "Part",
    "ProviderSchema",
    "ProviderSchemas",
    "Schema",
    "SchemaSource",
    "StringKind",
    "check_provider_schema",
    "check_schema",
    "element_type",
    "ensure_valid",
    "implied_type",
    "normalize_name",
    "read_part",
    "read_schemas",
    "write_part",
    "write_schemas",
]

if not TYPE_CHECKING:  # for them, every name would be there
    __getattr__, __dir__ = import_on_use(
        __name__,
        {
            "tofutypes.schema.definitions": (
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
                "ProviderSchemas",
                "Schema",
                "StringKind",
            ),
            "tofutypes.schema.document": (
                "read_part",
                "read_schemas",
                "write_part",
                "write_schemas",
            ),
            "tofutypes.schema.document_keys": ("Part",),
            "tofutypes.schema.implied": ("element_type", "implied_type"),
            "tofutypes.schema.names": ("normalize_name",),
            "tofutypes.schema.source": ("SchemaSource",),
            "tofutypes.schema.validity": ("check_provider_schema", "check_schema", "ensure_valid"),
        },
    )
