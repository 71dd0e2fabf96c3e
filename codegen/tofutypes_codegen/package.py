"""The modules of a generated package.

    infra/
        aws/
            registry.py           classes and functions by name
            provider.py           the configuration of the provider
            functions.py
            resources/aws_instance.py
            data_sources/…  ephemeral_resources/…  list_resources/…  actions/…  state_stores/…

Every module stands alone: importing one imports no other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from tofutypes.models.class_plan import Base, Root, plan_models
from tofutypes.models.names import class_name, function_names, module_names
from tofutypes.schema import IdentitySchema, ProviderSchema, Schema
from tofutypes_codegen.layout import INDENT, exploded
from tofutypes_codegen.literals import quoted
from tofutypes_codegen.render import models_text, module_text
from tofutypes_codegen.signatures import functions_text


@dataclass(frozen=True, slots=True)
class Module:
    """A module of the generated package.

    Attributes:
        path: The path in the folder of the package.
        text: The content.
    """

    path: PurePosixPath
    text: str


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of schemas: the field of `ProviderSchema` (also the folder), the base, the title."""

    field: str
    base: Base
    title: str

    @property
    def constant(self) -> str:
        return self.field.upper()


_KINDS: Final = (
    _Kind("resources", Base.RESOURCE, "Resource"),
    _Kind("data_sources", Base.DATA_SOURCE, "Data source"),
    _Kind("ephemeral_resources", Base.EPHEMERAL_RESOURCE, "Ephemeral resource"),
    _Kind("list_resources", Base.LIST_RESOURCE, "List resource"),
    _Kind("actions", Base.ACTION, "Action"),
    _Kind("state_stores", Base.STATE_STORE, "State store"),
)


def count_modules(schemas: Mapping[str, ProviderSchema]) -> int:
    """The number of modules."""
    return 1 + sum(map(_count, schemas.values()))


def _count(provider: ProviderSchema) -> int:
    kinds = [getattr(provider, kind.field) for kind in _KINDS]
    alone = [
        provider.provider is not None,
        provider.provider_meta is not None,
        bool(provider.functions),
    ]
    return 2 + sum(alone) + sum(1 + len(kind) for kind in kinds if kind)


def package_modules(schemas: Mapping[str, ProviderSchema], package: str) -> Iterator[Module]:
    """Render the modules for provider schemas, one by one, always in the same order.

    Args:
        schemas: The provider schemas by address.
        package: The import name of the package.
    """
    folders = _folders(schemas)
    providers = "".join(f"\n- `{package}.{folders[address]}`: {address}" for address in folders)
    title = f"Typed models for providers of OpenTofu and Terraform.\n{providers}"
    yield Module(PurePosixPath("__init__.py"), module_text("provider schemas", title, ""))
    for address, folder in folders.items():
        yield from _Provider(address, folder, schemas[address]).modules()


def _folders(addresses: Mapping[str, object]) -> dict[str, str]:
    """The folders of the providers: the name, with the namespace where two names are equal."""
    names = {address: address.split("/") for address in sorted(addresses)}
    for length in (1, 2, 3):
        short = {address: "_".join(parts[-length:]) for address, parts in names.items()}
        if max(Counter(short.values()).values(), default=0) <= 1:
            break
    modules = module_names(short.values())
    return {address: modules[name] for address, name in short.items()}


class _Provider:
    """The modules of one provider."""

    def __init__(self, address: str, folder: str, schema: ProviderSchema) -> None:
        self._address = address
        self._folder = PurePosixPath(folder)
        self._local_name = address.rpartition("/")[2]
        self._schema = schema

    def modules(self) -> Iterator[Module]:
        yield self._module("__init__", module_text(self._address, f"Provider {self._address}.", ""))
        yield self._module("registry", self._registry())
        if self._schema.provider is not None:
            yield self._module("provider", self._configuration(self._schema.provider))
        if self._schema.provider_meta is not None:
            yield self._module("provider_meta", self._meta(self._schema.provider_meta))
        if self._schema.functions:
            title = f"Functions of the provider {self._local_name}."
            text = functions_text(self._address, title, self._schema.functions)
            yield self._module("functions", text)
        for kind in _KINDS:
            yield from self._of_kind(kind)

    def _module(self, path: str, text: str) -> Module:
        return Module(self._folder / f"{path}.py", text)

    def _configuration(self, schema: Schema) -> str:
        name = f"{class_name(self._local_name)}Provider"
        root = Root(name, Base.PROVIDER_CONFIG, schema, self._local_name)
        title = f"Configuration of the provider {self._local_name}."
        return models_text(self._address, title, plan_models([root]))

    def _meta(self, schema: Schema) -> str:
        root = Root(
            f"{class_name(self._local_name)}Meta", Base.PROVIDER_META, schema, self._local_name
        )
        title = f"What modules may tell the provider {self._local_name}: `provider_meta`."
        return models_text(self._address, title, plan_models([root]))

    def _of_kind(self, kind: _Kind) -> Iterator[Module]:
        schemas: Mapping[str, Schema] = getattr(self._schema, kind.field)
        if not schemas:
            return
        title = f"{kind.title}s of the provider {self._local_name}."
        yield self._module(f"{kind.field}/__init__", module_text(self._address, title, ""))
        modules = module_names(schemas)
        for name in sorted(schemas):
            roots = [Root(class_name(name), kind.base, schemas[name], name)]
            identity = self._identity_of(kind, name)
            if identity is not None:
                roots.append(Root(_identity_name(name), Base.RESOURCE_IDENTITY, identity, name))
            text = models_text(self._address, f"{kind.title} `{name}`.", plan_models(roots))
            yield self._module(f"{kind.field}/{modules[name]}", text)

    def _identity_of(self, kind: _Kind, name: str) -> IdentitySchema | None:
        return self._schema.identities.get(name) if kind.base is Base.RESOURCE else None

    def _registry(self) -> str:
        """The module with the registries: tables from names of the schema to classes."""
        tables: dict[str, tuple[str, dict[str, str]]] = {}
        for kind in _KINDS:
            schemas: Mapping[str, Schema] = getattr(self._schema, kind.field)
            modules = module_names(schemas)
            places = {name: f"{kind.field}.{modules[name]}" for name in sorted(schemas)}
            tables[kind.constant] = (
                f"type[{kind.base.value}]",
                {name: f"{place}:{class_name(name)}" for name, place in places.items()},
            )
            if kind.base is Base.RESOURCE:
                identities = {
                    name: f"{place}:{_identity_name(name)}"
                    for name, place in places.items()
                    if name in self._schema.identities
                }
                tables["IDENTITIES"] = (f"type[{Base.RESOURCE_IDENTITY.value}]", identities)
        functions = function_names(self._schema.functions)
        tables["FUNCTIONS"] = (
            "ProviderFunction[..., object]",
            {name: f"functions:{functions[name]}" for name in sorted(functions)},
        )
        tables = {name: table for name, table in tables.items() if table[1]}
        imports = {re.split(r"\W+", kind.removeprefix("type["))[0] for kind, _ in tables.values()}
        return module_text(
            self._address,
            f"Classes of the provider {self._local_name} by name, imported on demand.",
            "\n".join(_table_text(name, *table) for name, table in tables.items()),
            {"tofutypes.models": {"Registry", *imports}} if tables else {},
        )


def _table_text(name: str, kind: str, places: Mapping[str, str]) -> str:
    rows = [f"{quoted(key)}: {quoted(place)}" for key, place in places.items()]
    table = exploded("{", rows, "}", INDENT)
    return exploded(f"{name}: Registry[{kind}] = Registry(", ["__name__", table], ")") + "\n"


def _identity_name(name: str) -> str:
    return f"{class_name(name)}Identity"
