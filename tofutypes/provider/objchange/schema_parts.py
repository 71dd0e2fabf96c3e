"""A schema as the walks over its values want it: attributes and nested blocks alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tofutypes.schema import Attribute, Block, NestingMode, implied_type
from tofutypes.types import Type


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """An attribute or a nested block.

    Attributes:
        name: its name on the wire.
        attribute: what the schema says of it; None if it is a nested block.
        nesting: what holds its objects; None if it has a plain type, and is looked at as a whole.
        inner: what its objects consist of.
        type: the type of its objects.
    """

    name: str
    attribute: Attribute | None
    nesting: NestingMode | None = None
    inner: Parts = ()
    type: Type | None = None

    @property
    def computed(self) -> bool:
        """Whether the provider may set it."""
        return self.attribute is not None and self.attribute.computed

    @property
    def optional(self) -> bool:
        """Whether a configuration may leave it out."""
        return self.attribute is None or self.attribute.optional

    @property
    def write_only(self) -> bool:
        """Whether it is stored nowhere."""
        return self.attribute is not None and self.attribute.write_only

    @property
    def secret(self) -> bool:
        """Whether nothing may be told of what is inside it."""
        attribute = self.attribute
        return attribute is not None and (attribute.sensitive or attribute.write_only)


Parts: TypeAlias = tuple[Part, ...]
"""All attributes and nested blocks of a block or a nested type."""

Names: TypeAlias = tuple[str, ...]
"""The names on the way to an attribute of a schema, through collections too: `("disk", "size")`."""


def parts_of(block: Block) -> Parts:
    """The attributes and nested blocks of a block, in the order of the schema."""
    nested = (
        Part(name, None, each.nesting, parts_of(each.block), implied_type(each.block))
        for name, each in block.block_types.items()
    )
    return (*_attributes(block), *nested)


def _attributes(block: Block) -> Parts:
    return tuple(_attribute(name, each) for name, each in block.attributes.items())


def _attribute(name: str, attribute: Attribute) -> Part:
    nested = attribute.nested_type
    if nested is None:
        return Part(name, attribute)
    block = Block(nested.attributes)  # which has the same rules for attributes
    return Part(name, attribute, nested.nesting, _attributes(block), implied_type(block))
