"""The section "Schema" of a page: attributes and nested blocks, as readers of registries know them.

The grouping, the words and the anchors are those of terraform-plugin-docs, so that links into pages
keep working when a provider changes its tool.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from tofutypes.schema import (
    Attribute,
    Block,
    IdentityAttribute,
    IdentitySchema,
    NestedAttributeType,
    NestedBlock,
    NestingMode,
)
from tofutypes.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    STRING,
    CollectionType,
    ListType,
    MapType,
    ObjectType,
    SetType,
    TupleType,
    Type,
)

_PRIMITIVES: Final[Mapping[Type, str]] = {
    STRING: "String",
    NUMBER: "Number",
    BOOL: "Boolean",
    DYNAMIC: "Dynamic",
}
_COLLECTIONS: Final[Mapping[type[CollectionType], str]] = {
    ListType: "List of",
    SetType: "Set of",
    MapType: "Map of",
}
_NESTING_SUFFIX: Final[Mapping[NestingMode, str]] = {
    NestingMode.SINGLE: "",
    NestingMode.GROUP: "",
    NestingMode.LIST: " List",
    NestingMode.SET: " Set",
    NestingMode.MAP: " Map",
}
_WRITE_ONLY_URL: Final = (
    "https://developer.hashicorp.com/terraform/language/resources/ephemeral#write-only-arguments"
)
_WRITE_ONLY_NOTE: Final = (
    f"> **NOTE**: [Write-only arguments]({_WRITE_ONLY_URL}) need OpenTofu 1.11 or Terraform 1.11, "
    "or newer."
)


class Group(Enum):
    """What a user does with an attribute or a nested block."""

    REQUIRED = "Required"
    OPTIONAL = "Optional"
    READ_ONLY = "Read-Only"


@dataclass(frozen=True, slots=True)
class _NestedSchema:
    """A nested schema that is described below the list that names it."""

    anchor: str
    path: tuple[str, ...]
    content: Block | NestedAttributeType | ObjectType
    group: Group


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line of a list, its group, and the nested schema that it links to."""

    name: str
    group: Group
    line: str
    nested: _NestedSchema | None = None
    write_only: bool = False


def schema_section(block: Block) -> str:
    """Render a block as Markdown: the heading `## Schema`, lists, and all nested schemas."""
    lines = ["## Schema", "", *_groups(_block_entries(block, ()), top_level=True)]
    return "\n".join(lines).rstrip()


def identity_section(identity: IdentitySchema) -> str:
    """Render an identity schema as Markdown."""
    lines = ["### Identity Schema", ""]
    for title, needed in (("Required", True), ("Optional", False)):
        attributes = {
            name: attribute
            for name, attribute in sorted(identity.attributes.items())
            if attribute.required_for_import is needed
        }
        if attributes:
            lines += [f"#### {title}", ""]
            lines += [_identity_line(name, inner) for name, inner in attributes.items()]
            lines.append("")
    return "\n".join(lines).rstrip()


def type_text(type_: Type) -> str:
    """Name a type as registries do: `List of String`, `Object`."""
    if isinstance(type_, CollectionType):
        return f"{_COLLECTIONS[type(type_)]} {type_text(type_.element)}"
    if isinstance(type_, TupleType):
        return "Tuple"
    return "Object" if isinstance(type_, ObjectType) else _PRIMITIVES[type_]


def one_paragraph(text: str | None) -> str:
    """The text of a description in a list: without leading and trailing white space."""
    return (text or "").strip()


def _identity_line(name: str, attribute: IdentityAttribute) -> str:
    description = one_paragraph(attribute.description)
    return f"- `{name}` ({type_text(attribute.type)}) {description}".rstrip()


def _groups(entries: Iterable[_Entry], *, top_level: bool) -> Iterator[str]:
    """The lists of a schema by group, and after them the nested schemas."""
    ordered = sorted(entries, key=lambda entry: entry.name)
    nested: list[_NestedSchema] = []
    for group in Group:
        members = [entry for entry in ordered if entry.group is group]
        if not members:
            continue
        yield from (f"### {group.value}" if top_level else f"{group.value}:", "")
        if any(entry.write_only for entry in members):
            yield from (_WRITE_ONLY_NOTE, "")
        yield from (entry.line for entry in members)
        yield ""
        nested += [entry.nested for entry in members if entry.nested is not None]
    for schema in nested:
        path = ".".join(schema.path)
        yield from (f'<a id="{schema.anchor}"></a>', f"### Nested Schema for `{path}`", "")
        yield from _groups(_nested_entries(schema), top_level=False)
        yield ""


def _nested_entries(schema: _NestedSchema) -> Iterator[_Entry]:
    match schema.content:
        case Block() as block:
            yield from _block_entries(block, schema.path)
        case NestedAttributeType(attributes=attributes):
            for name, attribute in attributes.items():
                yield _attribute_entry((*schema.path, name), attribute)
        case ObjectType(attributes=types):
            for name, type_ in types.items():
                path = (*schema.path, name)
                nested = _object_in(type_, "nestedobjatt", path, schema.group)
                line = f"- `{name}` ({type_text(type_)}){_link(nested)}"
                yield _Entry(name, schema.group, line, nested)


def _block_entries(block: Block, path: tuple[str, ...]) -> Iterator[_Entry]:
    for name, attribute in block.attributes.items():
        described = attribute
        if not path and name == "id" and not attribute.description:
            # Every resource of an older SDK has it, optional for no reason that a user knows.
            yield _attribute_entry((name,), described, "The ID of this resource.", Group.READ_ONLY)
        else:
            yield _attribute_entry((*path, name), described)
    for name, nested_block in block.block_types.items():
        yield _block_entry((*path, name), nested_block)


def _attribute_entry(
    path: tuple[str, ...],
    attribute: Attribute,
    description: str | None = None,
    group: Group | None = None,
) -> _Entry:
    name = path[-1]
    group = _attribute_group(attribute) if group is None else group
    nested_type, nested = attribute.nested_type, None
    if nested_type is not None:
        kind = f"Attributes{_NESTING_SUFFIX[nested_type.nesting]}"
        kind += _counts(nested_type.min_items, nested_type.max_items)
        nested = _NestedSchema(_anchor("nestedatt", path), path, nested_type, group)
    else:
        assert attribute.type is not None
        kind = type_text(attribute.type)
        nested = _object_in(attribute.type, "nestedatt", path, group)
    marks = [kind]
    marks += ["Sensitive"] if attribute.sensitive else []
    marks += ["Deprecated"] if attribute.deprecated else []
    marks += [f"[Write-only]({_WRITE_ONLY_URL})"] if attribute.write_only else []
    text = _with_deprecation(description or attribute.description, attribute.deprecation_message)
    line = f"- `{name}` ({', '.join(marks)}){text}{_link(nested)}"
    return _Entry(name, group, line, nested, attribute.write_only)


def _block_entry(path: tuple[str, ...], nested: NestedBlock) -> _Entry:
    name, group, block = path[-1], block_group(nested), nested.block
    kind = f"Block{_NESTING_SUFFIX[nested.nesting]}"
    if nested.nesting in (NestingMode.SINGLE, NestingMode.GROUP):
        kind += f", {group.value.replace('Only', 'only')}"
    else:
        kind += _counts(nested.min_items, nested.max_items)
    kind += ", Deprecated" if block.deprecated else ""
    schema = _NestedSchema(_anchor("nestedblock", path), path, block, group)
    text = _with_deprecation(block.description, block.deprecation_message)
    line = f"- `{name}` ({kind}){text}{_link(schema)}"
    return _Entry(name, group, line, schema, _has_write_only(block))


def block_group(nested: NestedBlock) -> Group:
    """The group of a nested block: read-only if a user can set nothing inside."""
    if nested.min_items > 0:
        return Group.REQUIRED
    block = nested.block
    if not block.attributes and not block.block_types:
        return Group.OPTIONAL
    settable = any(
        attribute.required or attribute.optional for attribute in block.attributes.values()
    ) or any(block_group(inner) is not Group.READ_ONLY for inner in block.block_types.values())
    return Group.OPTIONAL if settable else Group.READ_ONLY


def _attribute_group(attribute: Attribute) -> Group:
    if attribute.required:
        return Group.REQUIRED
    return Group.OPTIONAL if attribute.optional else Group.READ_ONLY


def _object_in(
    type_: Type, anchor: str, path: tuple[str, ...], group: Group
) -> _NestedSchema | None:
    """The nested schema of an object type, or of a collection of objects."""
    inner = type_.element if isinstance(type_, CollectionType) else type_
    if not isinstance(inner, ObjectType):
        return None
    return _NestedSchema(_anchor(anchor, path), path, inner, group)


def _has_write_only(block: Block) -> bool:
    return any(attribute.write_only for attribute in block.attributes.values()) or any(
        _has_write_only(nested.block) for nested in block.block_types.values()
    )


def _anchor(kind: str, path: tuple[str, ...]) -> str:
    return f"{kind}--{'--'.join(path)}"


def _link(nested: _NestedSchema | None) -> str:
    return "" if nested is None else f" (see [below for nested schema](#{nested.anchor}))"


def _counts(least: int, most: int) -> str:
    return (f", Min: {least}" if least else "") + (f", Max: {most}" if most else "")


def _with_deprecation(description: str | None, deprecation: str | None) -> str:
    text = one_paragraph(description)
    if deprecation:
        text = f"{text} **Deprecated:** {deprecation.strip()}".strip()
    return f" {text}" if text else ""
