"""The selection of schemas to generate."""

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
    """The part of the schemas to generate.

    Attributes:
        providers: Addresses (`registry.opentofu.org/hashicorp/aws`) or their ends
            (`hashicorp/aws`, `aws`); all providers if empty.
        include: Patterns for the names of types and functions.
        exclude: Patterns for names to leave out.
        used_in: The mentions of configurations, by folder; they are included too. Everything is
            included if there is neither a pattern nor a configuration.
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
    """The selected part of the schemas.

    The schema of the provider configuration is always selected.

    Raises:
        GeneratorError: If a provider, a pattern or a configuration selects nothing, or the name of
            a provider is ambiguous.
    """
    chosen = _choose(schemas, selection.providers)
    entries = _entries(chosen)
    kept = {
        *_matching(entries, "--include", selection.include),
        *_mentioned(entries, selection.used_in),
    }
    if not selection.include and not selection.used_in:
        kept = entries
    kept -= _matching(entries, "--exclude", selection.exclude)
    return {address: _reduce(schema, kept) for address, schema in chosen.items()}


def find_missing(schemas: Mapping[str, ProviderSchema], selection: Selection) -> list[Mention]:
    """The mentions of configurations that no schema has, sorted."""
    mentions = {mention for used in selection.used_in.values() for mention in used}
    return sorted(mentions - _entries(schemas)) if mentions else []


def _choose(
    schemas: Mapping[str, ProviderSchema], wanted: Iterable[str]
) -> dict[str, ProviderSchema]:
    addresses = {_choose_one(schemas, name) for name in wanted} or schemas.keys()
    return {address: schema for address, schema in schemas.items() if address in addresses}


def _choose_one(addresses: Collection[str], wanted: str) -> str:
    parts = wanted.casefold().split("/")
    matching = [a for a in addresses if a.casefold().split("/")[-len(parts) :] == parts]
    if len(matching) == 1:
        return matching[0]
    if not matching:
        known = ", ".join(sorted(addresses))
        raise GeneratorError(f'--provider "{wanted}": unknown provider; the schemas have {known}')
    candidates = ", ".join(sorted(matching))
    raise GeneratorError(
        f'--provider "{wanted}": ambiguous name; use the full address: {candidates}'
    )


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


def _matching(entries: set[Mention], option: str, patterns: Iterable[str]) -> set[Mention]:
    matching: set[Mention] = set()
    for pattern in patterns:
        selected = {entry for entry in entries if fnmatchcase(entry[1], pattern)}
        if not selected:
            names = {name for _, name in entries}
            raise GeneratorError(f'{option} "{pattern}" matches nothing{_meant(pattern, names)}')
        matching |= selected
    return matching


def _mentioned(entries: set[Mention], used_in: Mapping[str, Collection[Mention]]) -> set[Mention]:
    for folder, mentions in used_in.items():
        if entries.isdisjoint(mentions):
            names = sorted({name for _, name in mentions})
            used = f"{', '.join(names[:3])}{', …' * (len(names) > 3)}" if names else "nothing"
            raise GeneratorError(
                f'--used-in "{folder}": the configuration uses nothing that the schemas have; '
                f"it uses {used}"
            )
    return {mention for mentions in used_in.values() for mention in mentions} & entries


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
