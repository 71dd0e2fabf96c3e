"""What the schema says of a field beyond its type, and what pydantic makes of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, cast

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.fields import FieldInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from tofutypes.errors import InvalidValueError, SchemaError
from tofutypes.models.dump import dump
from tofutypes.models.field_layouts import block_layout, holds_blocks, layout_of
from tofutypes.models.jsonschema import json_schema
from tofutypes.schema import NestingMode, StringKind
from tofutypes.schema.definitions import Extra
from tofutypes.schema.frozen_dict import EMPTY
from tofutypes.wire.layout import Compiled, Layout
from tofutypes.wire.python_values import PYTHON
from tofutypes.wire.reading import reader


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """What the schema says of an attribute or a nested block beyond its type.

    The attributes are those of [`Attribute`][tofutypes.schema.definitions.Attribute] and
    [`NestedBlock`][tofutypes.schema.definitions.NestedBlock], and these:

    Attributes:
        name: the name on the wire; None if it is the name in Python.
        block_nesting: the nesting mode, if it is a nested block.
        required_for_import: of an attribute of a resource identity.
        optional_for_import: likewise.
        nested_extra: the `extra` of the nested type or of the nested block's block.
    """

    name: str | None = None
    block_nesting: NestingMode | None = None
    required: bool = False
    optional: bool = False
    computed: bool = False
    sensitive: bool = False
    write_only: bool = False
    description: str | None = None
    description_kind: StringKind | None = StringKind.PLAIN
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
        """The spec that a field of pydantic carries."""
        return next((each for each in field.metadata if isinstance(each, cls)), IMPLICIT)

    def wire_name(self, python_name: str) -> str:
        """The name on the wire of the field of this name in Python."""
        return python_name if self.name is None else self.name

    @property
    def secret(self) -> bool:
        """Whether its values are shown nowhere, nor what is inside them."""
        return self.sensitive or self.write_only

    def layout(self, annotation: object) -> Layout:
        """The layout of the field, if this is its annotation.

        Raises:
            SchemaError: the annotation stands for no type of the type system.
        """
        if self.block_nesting is not None:
            return block_layout(annotation, self.block_nesting, self.min_items, self.max_items)
        layout = layout_of(annotation)
        if holds_blocks(layout):
            raise SchemaError(
                "a nested block says so on the right too, as in `disk: ListBlock[Disk] = "
                "ListBlock()`"
            )
        return layout

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        try:
            layout = self.layout(source)
        except SchemaError as error:
            raise SchemaError(f"{handler.field_name}: {error}") from None
        read = reader(layout, PYTHON)
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
            inner = inner["schema"]  # validators that users add stand around it
        layout: Layout = inner["metadata"]["tofu_layout"]
        return json_schema(layout, handler)


def _read_secret(read: Compiled, value: object) -> object:
    try:
        return read(value)
    except InvalidValueError as error:
        raise error.hide_inside() from None


IMPLICIT: Final = FieldSpec()
"""What is known of a field that has a type only."""
