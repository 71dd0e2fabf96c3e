"""Which of the schemas a package is generated for."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TypeVar

from tofutypes.schema.model import ProviderSchema
from tofutypes_codegen.errors import GeneratorError

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Selection:
    """What to generate.

    Attributes:
        providers: addresses (`registry.opentofu.org/hashicorp/aws`), or the ends of them
            (`hashicorp/aws`, `aws`); none means all.
        include: patterns for the names of types and functions; none means all.
        exclude: patterns for those of them to leave out.
    """

    providers: Sequence[str] = ()
    include: Sequence[str] = ()
    exclude: Sequence[str] = ()


def select(
    schemas: Mapping[str, ProviderSchema], selection: Selection
) -> dict[str, ProviderSchema]:
    """The part of the schemas that is selected.

    A provider keeps the schema of its configuration, whatever the patterns say.

    Raises:
        GeneratorError: a provider or a pattern that selects nothing, or a provider that could be
            several.
    """
    chosen = _choose(schemas, selection.providers)
    names = {name for schema in chosen.values() for name in _names(schema)}
    for option, patterns in (("--include", selection.include), ("--exclude", selection.exclude)):
        for pattern in patterns:
            if not _matching(names, [pattern]):
                raise GeneratorError(
                    f'{option} "{pattern}" matches nothing{_meant(pattern, names)}'
                )
    kept = _matching(names, selection.include) if selection.include else names
    kept -= _matching(names, selection.exclude)
    return {address: _reduce(schema, kept) for address, schema in chosen.items()}


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


def _names(schema: ProviderSchema) -> set[str]:
    kinds = (schema.resources, schema.data_sources, schema.ephemeral_resources, schema.functions)
    return {name for kind in kinds for name in kind}


def _matching(names: set[str], patterns: Iterable[str]) -> set[str]:
    return {name for pattern in patterns for name in names if fnmatchcase(name, pattern)}


def _meant(pattern: str, names: set[str]) -> str:
    similar = difflib.get_close_matches(pattern, sorted(names), n=3)
    return f"; did you mean {' or '.join(similar)}?" if similar else ""


def _reduce(schema: ProviderSchema, kept: set[str]) -> ProviderSchema:
    def only(kind: Mapping[str, V]) -> dict[str, V]:
        return {name: value for name, value in kind.items() if name in kept}

    return replace(
        schema,
        resources=only(schema.resources),
        data_sources=only(schema.data_sources),
        ephemeral_resources=only(schema.ephemeral_resources),
        functions=only(schema.functions),
        identities=only(schema.identities),
    )
