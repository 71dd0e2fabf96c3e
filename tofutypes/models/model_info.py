"""What a schema says of a whole class."""

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
        type_name: the name of the resource, data source… that it is the model of.
        description: the description, if the docstring is not it.
        block_extra: the `extra` of the block.
        schema_extra: the `extra` of the schema around the block.
    """

    type_name: str | None = None
    version: int = 0
    absent: frozenset[str] = frozenset()
    description: str | None = None
    description_kind: StringKind | None = StringKind.PLAIN
    deprecated: bool = False
    deprecation_message: str | None = None
    block_extra: Extra = field(default=EMPTY, hash=False)
    schema_extra: Extra = field(default=EMPTY, hash=False)


class BlockKeywords(TypedDict, total=False):
    """What may stand in a class statement: `class Disk(NestedBlock, deprecated=True)`."""

    description: str | None
    description_kind: StringKind | None
    deprecated: bool
    deprecation_message: str | None
    block_extra: Extra


class SchemaKeywords(BlockKeywords, total=False):
    """The same for classes that have a schema of their own."""

    version: int
    absent: frozenset[str]
    schema_extra: Extra
