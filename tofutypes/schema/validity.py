"""The rules that a schema must keep.

Source: Terraform and OpenTofu check every schema that a provider sends (`configschema`,
`internal_validate.go`) and refuse the whole provider if one breaks a rule. These are their rules,
and no others: what they let pass, providers in the wild do. So the names of attributes are free
(they gave up checking them, because it broke existing providers); those of blocks are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from tofutypes.errors import AttributeStep, InvalidSchemaError, Path, SchemaProblem
from tofutypes.schema.definitions import (
    Attribute,
    Block,
    NestedAttributeType,
    NestedBlock,
    NestingMode,
    ProviderSchema,
    Schema,
)

_BLOCK_NAME: Final = re.compile(r"[a-z0-9_]+")


def check_schema(schema: Schema | Block) -> list[SchemaProblem]:
    """Every rule that a schema breaks, each with the place in the schema."""
    block = schema.block if isinstance(schema, Schema) else schema
    problems = list(_check_block(block, Path()))
    if isinstance(schema, Schema) and schema.version < 0:
        problems.insert(0, SchemaProblem(Path(), "the version must not be negative"))
    return problems


def check_provider_schema(provider: ProviderSchema) -> list[SchemaProblem]:
    """Every rule that the schemas of a provider break, with the paths of a schema document."""
    named = [] if provider.provider is None else [(Path(), "provider", provider.provider)]
    if provider.provider_meta is not None:
        named.append((Path(), "provider_meta", provider.provider_meta))
    for key, schemas in (
        ("resource_schemas", provider.resources),
        ("data_source_schemas", provider.data_sources),
        ("ephemeral_resource_schemas", provider.ephemeral_resources),
        ("list_resource_schemas", provider.list_resources),
        ("action_schemas", provider.actions),
        ("state_store_schemas", provider.state_stores),
    ):
        group = Path((AttributeStep(key),))
        named += [(group, name, schema) for name, schema in schemas.items()]
    return [
        SchemaProblem(group + Path((AttributeStep(name),)) + problem.path, problem.message)
        for group, name, schema in named
        for problem in check_schema(schema)
    ]


def ensure_valid(schema: Schema | Block) -> None:
    """Refuse a schema that breaks a rule.

    Raises:
        InvalidSchemaError: If the schema breaks a rule. The error has all problems.
    """
    if problems := check_schema(schema):
        raise InvalidSchemaError(problems)


def _check_block(block: Block, path: Path) -> Iterator[SchemaProblem]:
    yield from _check_attributes(block.attributes, path)
    for name, nested in block.block_types.items():
        inner = path + Path((AttributeStep(name),))
        for message in _name_faults(name, block):
            yield SchemaProblem(inner, message)
        for message in _nested_block_faults(nested):
            yield SchemaProblem(inner, message)
        yield from _check_block(nested.block, inner)


def _check_attributes(attributes: Mapping[str, Attribute], path: Path) -> Iterator[SchemaProblem]:
    for name, attribute in attributes.items():
        inner = path + Path((AttributeStep(name),))
        for message in _attribute_faults(attribute):
            yield SchemaProblem(inner, message)
        if attribute.nested_type is not None:
            for message in _nested_type_faults(attribute.nested_type):
                yield SchemaProblem(inner, message)
            yield from _check_attributes(attribute.nested_type.attributes, inner)


def _attribute_faults(attribute: Attribute) -> Iterator[str]:
    if not (attribute.required or attribute.optional or attribute.computed):
        yield "an attribute must be required, optional or computed"
    if attribute.required and attribute.optional:
        yield "an attribute cannot be both required and optional"
    if attribute.required and attribute.computed:
        yield "an attribute cannot be both required and computed"
    if attribute.type is None and attribute.nested_type is None:
        yield "an attribute must have a type or a nested type"
    if attribute.type is not None and attribute.nested_type is not None:
        yield "an attribute cannot have both a type and a nested type"


def _nested_type_faults(nested: NestedAttributeType) -> Iterator[str]:
    # How many there may be is not checked: `min_items` and `max_items` are out of use.
    if nested.nesting is NestingMode.GROUP:
        yield "the nesting mode of a nested type must be single, list, set or map, not group"
    if nested.nesting is NestingMode.SET:
        yield from _set_faults(_inside(nested.attributes))


def _name_faults(name: str, block: Block) -> Iterator[str]:
    if name in block.attributes:
        yield "an attribute and a nested block cannot have the same name"
    elif not _BLOCK_NAME.fullmatch(name):
        yield "a block name must consist of lowercase letters, digits and underscores"


def _nested_block_faults(nested: NestedBlock) -> Iterator[str]:
    least, most = nested.min_items, nested.max_items
    if least < 0 or most < 0:
        yield "min_items and max_items must not be negative"
    match nested.nesting:
        case NestingMode.SINGLE:
            if least != most:
                yield "min_items and max_items of a single block must be equal"
            elif least > 1:
                yield "min_items and max_items of a single block must be 0 or 1"
        case NestingMode.GROUP | NestingMode.MAP:
            if least or most:
                yield f"min_items and max_items of a {nested.nesting.value} must be 0"
        case NestingMode.LIST | NestingMode.SET:
            if least > most and most != 0:
                yield "min_items must not be greater than max_items"
    if nested.nesting is NestingMode.SET:
        yield from _set_faults(_inside_block(nested.block))


def _set_faults(attributes: Iterator[Attribute]) -> Iterator[str]:
    held = list(attributes)
    if any(item.type is not None and item.type.has_dynamic for item in held):
        yield "a set cannot hold an attribute of type dynamic"
    # Observed, Terraform 1.11.4. OpenTofu 1.13 does not check it.
    if any(item.write_only for item in held):
        yield "a set cannot hold a write-only attribute"


def _inside_block(block: Block) -> Iterator[Attribute]:
    """The attributes of a block at every depth."""
    yield from _inside(block.attributes)
    for nested in block.block_types.values():
        yield from _inside_block(nested.block)


def _inside(attributes: Mapping[str, Attribute]) -> Iterator[Attribute]:
    for attribute in attributes.values():
        yield attribute
        if attribute.nested_type is not None:
            yield from _inside(attribute.nested_type.attributes)
