"""Which of the schemas a package is generated for."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import TypeVar

from tofutypes.schema.definitions import ProviderSchema
from tofutypes_codegen.configuration import Kind, Mention
from tofutypes_codegen.errors import GeneratorError

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Selection:
    """What to generate.

    Attributes:
        providers: addresses (`registry.opentofu.org/hashicorp/aws`), or the ends of them
            (`hashicorp/aws`, `aws`); none means all.
        include: patterns for the names of types and functions.
        exclude: patterns for those of them to leave out.
        used_in: what configurations mention, by their folders; this is included too. No pattern
            and no configuration means all.
    """

    providers: Sequence[str] = ()
    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    used_in: Mapping[str, Collection[Mention]] = field(
        default_factory=dict[str, Collection[Mention]]
    )


def select(
    schemas: Mapping[str, ProviderSchema], selection: Selection
) -> dict[str, ProviderSchema]:
    """The part of the schemas that is selected.

    A provider keeps the schema of its configuration, whatever the patterns say.

    Raises:
        GeneratorError: a provider, a pattern or a configuration that selects nothing, or a
            provider that could be several.
    """
    chosen = _choose(schemas, selection.providers)
    there = _entries(chosen)
    kept = {
        *_matching(there, "--include", selection.include),
        *_mentioned(there, selection.used_in),
    }
    if not selection.include and not selection.used_in:
        kept = there
    kept -= _matching(there, "--exclude", selection.exclude)
    return {address: _reduce(schema, kept) for address, schema in chosen.items()}


def find_missing(schemas: Mapping[str, ProviderSchema], selection: Selection) -> list[Mention]:
    """What the configurations mention and no schema has, in order."""
    mentions = {mention for found in selection.used_in.values() for mention in found}
    return sorted(mentions - _entries(schemas)) if mentions else []


def _choose(
    schemas: Mapping[str, ProviderSchema], wanted: Iterable[str]
) -> dict[str, ProviderSchema]:
    addresses = {_choose_one(schemas, name) for name in wanted} or schemas.keys()
    return {address: schema for address, schema in schemas.items() if address in addresses}


def _choose_one(addresses: Collection[str], wanted: str) -> str:
    parts = wanted.casefold().split("/")
    found = [a for a in addresses if a.casefold().split("/")[-len(parts) :] == parts]
    if len(found) == 1:
        return found[0]
    if not found:
        there = ", ".join(sorted(addresses))
        raise GeneratorError(f'--provider "{wanted}": there is no such provider, only {there}')
    could_be = ", ".join(sorted(found))
    raise GeneratorError(f'--provider "{wanted}": this could be {could_be}; name one in full')


def _entries(schemas: Mapping[str, ProviderSchema]) -> set[Mention]:
    return {
        (kind, name)
        for schema in schemas.values()
        for kind, names in _kinds(schema).items()
        for name in names
    }


def _kinds(schema: ProviderSchema) -> dict[Kind, Collection[str]]:
    return {
        "resource": schema.resources,
        "data": schema.data_sources,
        "ephemeral": schema.ephemeral_resources,
        "list": schema.list_resources,
        "action": schema.actions,
        "state_store": schema.state_stores,
        "function": schema.functions,
    }


def _matching(there: set[Mention], option: str, patterns: Iterable[str]) -> set[Mention]:
    matching: set[Mention] = set()
    for pattern in patterns:
        found = {entry for entry in there if fnmatchcase(entry[1], pattern)}
        if not found:
            names = {name for _, name in there}
            raise GeneratorError(f'{option} "{pattern}" matches nothing{_meant(pattern, names)}')
        matching |= found
    return matching


def _mentioned(there: set[Mention], used_in: Mapping[str, Collection[Mention]]) -> set[Mention]:
    for folder, mentions in used_in.items():
        if there.isdisjoint(mentions):
            names = sorted({name for _, name in mentions})
            found = (
                f"only {', '.join(names[:3])}{', …' * (len(names) > 3)}"
                if names
                else "nothing at all"
            )
            raise GeneratorError(
                f'--used-in "{folder}": it uses nothing that the schemas have, {found}'
            )
    return {mention for mentions in used_in.values() for mention in mentions} & there


def _meant(pattern: str, names: set[str]) -> str:
    similar = difflib.get_close_matches(pattern, sorted(names), n=3)
    return f"; did you mean {' or '.join(similar)}?" if similar else ""


def _reduce(schema: ProviderSchema, kept: set[Mention]) -> ProviderSchema:
    def only(kind: Kind, items: Mapping[str, V]) -> dict[str, V]:
        return {name: item for name, item in items.items() if (kind, name) in kept}

    return replace(
        schema,
        resources=only("resource", schema.resources),
        data_sources=only("data", schema.data_sources),
        ephemeral_resources=only("ephemeral", schema.ephemeral_resources),
        list_resources=only("list", schema.list_resources),
        actions=only("action", schema.actions),
        state_stores=only("state_store", schema.state_stores),
        functions=only("function", schema.functions),
        identities=only("resource", schema.identities),
    )
