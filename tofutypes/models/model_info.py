"""What the schema says of a class as a whole."""

from __future__ import annotations

from dataclasses import dataclass, field

from typing_extensions import TypedDict

from tofutypes.schema import StringKind
from tofutypes.schema.definitions import Extra
from tofutypes.schema.frozen_dict import EMPTY


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What the schema says of a class beyond its fields.

    The attributes are those of [`Block`][tofutypes.schema.definitions.Block] and
    [`Schema`][tofutypes.schema.definitions.Schema], and these:

    Attributes:
        type_name: The type name of the resource, data source, ….
        description: The description, if the docstring is not the description.
        attribute_description_kind: The kind of the descriptions of the attributes; an attribute
            can say otherwise.
        block_extra: The `extra` of the block.
        schema_extra: The `extra` of the schema that holds the block.
    """

    type_name: str | None = None
    version: int = 0
    absent: frozenset[str] = frozenset()
    description: str | None = None
    description_kind: StringKind | None = StringKind.PLAIN
    attribute_description_kind: StringKind | None = StringKind.PLAIN
    deprecated: bool = False
    deprecation_message: str | None = None
    block_extra: Extra = field(default=EMPTY, hash=False)
    schema_extra: Extra = field(default=EMPTY, hash=False)


class NoKeywords(TypedDict):
    """The keywords of a class that has none."""


class ObjectKeywords(TypedDict, total=False):
    """The keywords of the class statement of a `NestedObject`."""

    attribute_description_kind: StringKind | None


class BlockKeywords(ObjectKeywords, total=False):
    """The keywords of a nested block: `class Disk(NestedBlock, deprecated=True)`."""

    description: str | None
    description_kind: StringKind | None
    deprecated: bool
    deprecation_message: str | None
    block_extra: Extra


class SchemaKeywords(BlockKeywords, total=False):
    """The keywords of a class that has a schema of its own, such as a resource."""

    version: int
    absent: frozenset[str]
    schema_extra: Extra
