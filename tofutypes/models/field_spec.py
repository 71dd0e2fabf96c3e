"""What the schema says of a field beyond its type, and what pydantic makes of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Any, Final, cast

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.fields import FieldInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from tofutypes import wire
from tofutypes.errors import InvalidValueError, SchemaError
from tofutypes.models.dump import dump
from tofutypes.models.field_layouts import block_layout, holds_blocks, layout_of
from tofutypes.models.jsonschema import json_schema
from tofutypes.schema import NestingMode, StringKind
from tofutypes.schema.definitions import Extra
from tofutypes.schema.frozen_dict import EMPTY
from tofutypes.wire.layout import Compiled, Layout


class Inherited(Enum):
    """Marks what a field takes from its class."""

    FROM_CLASS = "from the class"


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """What the schema says of an attribute or a nested block beyond its type.

    The attributes are those of [`Attribute`][tofutypes.schema.definitions.Attribute] and
    [`NestedBlock`][tofutypes.schema.definitions.NestedBlock], and these:

    Attributes:
        name: The name on the wire; None if it is the Python name.
        block_nesting: The nesting mode of a nested block; None for an attribute.
        description_kind: The kind of the description; by default the `attribute_description_kind`
            of the class.
        required_for_import: Whether an import needs the attribute of a resource identity.
        optional_for_import: Whether an import may have the attribute of a resource identity.
        nested_extra: The `extra` of the nested type.
    """

    name: str | None = None
    block_nesting: NestingMode | None = None
    required: bool = False
    optional: bool = False
    computed: bool = False
    sensitive: bool = False
    write_only: bool = False
    description: str | None = None
    description_kind: StringKind | Inherited | None = Inherited.FROM_CLASS
    deprecated: bool = False
    deprecation_message: str | None = None
    min_items: int = 0
    max_items: int = 0
    required_for_import: bool = False
    optional_for_import: bool = False
    extra: Extra = field(default=EMPTY, hash=False)
    nested_extra: Extra = field(default=EMPTY, hash=False)

    @classmethod
    def of(cls, field: FieldInfo) -> FieldSpec:
        """The spec that a pydantic field carries."""
        return next((entry for entry in field.metadata if isinstance(entry, cls)), IMPLICIT)

    def wire_name(self, python_name: str) -> str:
        """The name on the wire of the field with this Python name."""
        return python_name if self.name is None else self.name

    @property
    def secret(self) -> bool:
        """Whether the value, and everything inside it, is never shown."""
        return self.sensitive or self.write_only

    def layout(self, annotation: object) -> Layout:
        """The layout of the field with this annotation.

        Raises:
            SchemaError: If the annotation is not a type of the type system.
        """
        if self.block_nesting is not None:
            return block_layout(annotation, self.block_nesting, self.min_items, self.max_items)
        layout = layout_of(annotation)
        if holds_blocks(layout):
            raise SchemaError(
                "a nested block is declared on both sides: `disk: ListBlock[Disk] = ListBlock()`"
            )
        return layout

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        try:
            layout = self.layout(source)
        except SchemaError as error:
            raise SchemaError(f"{handler.field_name}: {error}") from None
        read = wire.reading.reader(layout, wire.python_values.PYTHON)
        return core_schema.no_info_plain_validator_function(
            partial(_read_secret, read) if self.secret else read,
            metadata={"tofu_layout": layout},
            serialization=core_schema.plain_serializer_function_ser_schema(dump, info_arg=True),
        )

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        inner = cast("Any", schema)
        while "tofu_layout" not in inner.get("metadata", {}):
            inner = inner["schema"]  # validators of the user wrap the schema of the field
        layout: Layout = inner["metadata"]["tofu_layout"]
        return json_schema(layout, handler)


def _read_secret(read: Compiled, value: object) -> object:
    try:
        return read(value)
    except InvalidValueError as error:
        raise error.hide_inside() from None


IMPLICIT: Final = FieldSpec()
"""The spec of a field that is declared by its type alone."""
