"""The schemas of several parts as those of one provider."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tofutypes.provider.mux.kinds import KINDS
from tofutypes.provider.mux.parts import Part
from tofutypes.provider.mux.routes import MISMATCH, Routes
from tofutypes.provider.service.diagnostics import ProviderError
from tofutypes.schema import Attribute, Block, ProviderSchema, Schema

_EMPTY: Final = Schema(Block())
_FLAGS: Final = ("required", "optional", "computed", "sensitive", "write_only")


def merge_schemas(schemas: Sequence[tuple[Part, ProviderSchema]], routes: Routes) -> ProviderSchema:
    """Merge the schemas of parts.

    Args:
        schemas: The parts and their schemas.
        routes: Which part has what.

    Raises:
        ProviderError: If parts have different provider configurations. One error reports all
            differences.
    """
    merged: dict[str, Any] = {
        kind: {
            name: value
            for part, schema in schemas
            for name, value in getattr(schema, kind).items()
            if routes.names(kind).get(name) is part
        }
        for kind in KINDS
    }
    return ProviderSchema(
        provider=_provider_configuration(schemas), provider_meta=_meta(schemas), **merged
    )


def _provider_configuration(schemas: Sequence[tuple[Part, ProviderSchema]]) -> Schema:
    """The schema that all parts have in common. Descriptions are those of the first part."""
    taking = [(part, schema.provider or _EMPTY) for part, schema in schemas if part.takes_config]
    if not taking:
        return _EMPTY
    (first, schema), *others = taking
    _ensure_equal("provider configuration", first, schema, others)
    return schema


def _meta(schemas: Sequence[tuple[Part, ProviderSchema]]) -> Schema | None:
    """The schema of the block `provider_meta`, of all parts that have one."""
    having = [
        (part, schema.provider_meta) for part, schema in schemas if schema.provider_meta is not None
    ]
    if not having:
        return None
    (first, schema), *others = having
    _ensure_equal("provider_meta", first, schema, others)
    return schema


def _ensure_equal(
    what: str, first: Part, schema: Schema, others: Sequence[tuple[Part, Schema]]
) -> None:
    faults = [
        f"{what}: {fault}"
        for part, other in others
        for fault in differences(schema.block, other.block, (first.name, part.name))
    ]
    if faults:
        raise ProviderError(MISMATCH, "\n".join(faults))


def differences(
    block: Block, other: Block, names: tuple[str, str], place: str = ""
) -> Iterator[str]:
    """What differs between two blocks, but for descriptions, deprecations and numbers of blocks.

    terraform-plugin-mux ignores the numbers of nested blocks too: Go's two SDKs write them
    differently. Which description is shown matters to no part.

    Args:
        block: A block.
        other: The other block.
        names: Whose blocks they are.
        place: The path of the blocks, with a dot at its end.
    """
    yield from _attribute_differences(block.attributes, other.attributes, names, place)
    yield from _missing(block.block_types, other.block_types, names, place)
    for name in sorted(block.block_types.keys() & other.block_types.keys()):
        nested, counterpart = block.block_types[name], other.block_types[name]
        modes = (nested.nesting.value, counterpart.nesting.value)
        yield from _difference(f"{place}{name}: the nesting mode", modes, names)
        yield from differences(nested.block, counterpart.block, names, f"{place}{name}.")


def _attribute_differences(
    attributes: Mapping[str, Attribute],
    others: Mapping[str, Attribute],
    names: tuple[str, str],
    place: str,
) -> Iterator[str]:
    yield from _missing(attributes, others, names, place)
    for name in sorted(attributes.keys() & others.keys()):
        attribute, other = attributes[name], others[name]
        for flag in _FLAGS:
            if getattr(attribute, flag) != getattr(other, flag):
                having = names[0] if getattr(attribute, flag) else names[1]
                yield f"{place}{name}: {flag} in {having} alone"
        types = (_type_of(attribute), _type_of(other))
        yield from _difference(f"{place}{name}: the type", types, names)
        if attribute.nested_type is not None and other.nested_type is not None:
            yield from _attribute_differences(
                attribute.nested_type.attributes,
                other.nested_type.attributes,
                names,
                f"{place}{name}.",
            )


def _difference(what: str, values: tuple[str, str], names: tuple[str, str]) -> Iterator[str]:
    if values[0] != values[1]:
        yield f"{what} differs: {values[0]} in {names[0]}, {values[1]} in {names[1]}"


def _missing(
    members: Mapping[str, object], others: Mapping[str, object], names: tuple[str, str], place: str
) -> Iterator[str]:
    for name in sorted(members.keys() ^ others.keys()):
        yield f"{place}{name}: in {names[0 if name in members else 1]} alone"


def _type_of(attribute: Attribute) -> str:
    if attribute.nested_type is not None:
        return f"nested {attribute.nested_type.nesting.value}"
    return "" if attribute.type is None else attribute.type.to_json()
