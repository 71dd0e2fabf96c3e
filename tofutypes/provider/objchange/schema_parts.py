"""The parts of a schema, attributes and nested blocks alike, for walks over values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tofutypes.schema import Attribute, Block, NestingMode, implied_type
from tofutypes.types import Type


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """An attribute or a nested block.

    Attributes:
        name: The name on the wire.
        attribute: The attribute of the schema; None for a nested block.
        nesting: How its objects are nested; None for an attribute with a plain type, whose value is
            compared as a whole.
        inner: The parts of its objects.
        type: The type of its objects.
        required: Whether a configuration must set it.
        deprecation: What to use instead if it is deprecated, perhaps ""; None if it is not.
    """

    name: str
    attribute: Attribute | None
    nesting: NestingMode | None = None
    inner: Parts = ()
    type: Type | None = None
    required: bool = False
    deprecation: str | None = None

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
        """Whether errors must not say anything about the value inside."""
        attribute = self.attribute
        return attribute is not None and (attribute.sensitive or attribute.write_only)


Parts: TypeAlias = tuple[Part, ...]
"""All attributes and nested blocks of a block or a nested type."""

Names: TypeAlias = tuple[str, ...]
"""The names on the way to an attribute of a schema, through collections too: `("disk", "size")`."""


def parts_of(block: Block) -> Parts:
    """The attributes and nested blocks of a block, in the order of the schema."""
    nested = (
        Part(
            name,
            None,
            nested.nesting,
            parts_of(nested.block),
            implied_type(nested.block),
            nested.min_items > 0,
            _deprecation(nested.block),
        )
        for name, nested in block.block_types.items()
    )
    return (*_attributes(block), *nested)


def _attributes(block: Block) -> Parts:
    return tuple(_attribute(name, attribute) for name, attribute in block.attributes.items())


def _attribute(name: str, attribute: Attribute) -> Part:
    nested = attribute.nested_type
    required, deprecation = attribute.required, _deprecation(attribute)
    if nested is None:
        return Part(name, attribute, required=required, deprecation=deprecation)
    block = Block(nested.attributes)  # which has the same rules for attributes
    inner, type_ = _attributes(block), implied_type(block)
    return Part(name, attribute, nested.nesting, inner, type_, required, deprecation)


def _deprecation(part: Attribute | Block) -> str | None:
    return (part.deprecation_message or "") if part.deprecated else None
