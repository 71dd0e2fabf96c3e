"""What a provider offers: what its author wrote, found by name and checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from typing_extensions import TypeVar

from tofutypes.errors import (
    AttributeStep,
    InvalidSchemaError,
    Path,
    SchemaError,
    SchemaProblem,
    describe,
)
from tofutypes.models import ProviderFunction, Resource, ResourceIdentity, schema_of
from tofutypes.narrowing import is_sequence
from tofutypes.provider.server.handlers import (
    DataSourceHandler,
    EphemeralResourceHandler,
    Handler,
    ResourceHandler,
)
from tofutypes.provider.server.provider import FaultyProvider, Provider
from tofutypes.schema import IdentitySchema, ProviderSchema, Schema, check_schema

T = TypeVar("T")


class ProviderDefinition:
    """What a provider offers, looked up by name and made when it is asked for.

    Attributes:
        provider: the provider.
        resources, data_sources, ephemeral_resources: the handlers by type name.
        functions: the functions by name.
        identities: the schemas of the identities by resource.
    """

    def __init__(self, provider: Provider[Any]) -> None:
        if not getattr(provider, "address", ""):
            raise SchemaError(
                f"{type(provider).__name__} has no address, as in "
                '`address = "registry.opentofu.org/example/nimbus"`'
            )
        self.provider = provider
        self.identities: dict[str, IdentitySchema] = {}
        self.resources: Mapping[str, ResourceHandler[Any, Any]] = self._handlers(
            "resources", ResourceHandler
        )
        self.data_sources: Mapping[str, DataSourceHandler[Any, Any]] = self._handlers(
            "data_sources", DataSourceHandler
        )
        self.ephemeral_resources: Mapping[str, EphemeralResourceHandler[Any, Any]] = self._handlers(
            "ephemeral_resources", EphemeralResourceHandler
        )
        self.functions = _by_name((each.name, each) for each in self._functions())

    def _handlers(self, where: str, base: type[Any]) -> Mapping[str, Any]:
        listed = self._listed(where)
        for each in listed:
            if not (isinstance(each, type) and issubclass(each, base)):
                raise self._fault(where, f"classes of {base.__name__}", each)
        return _by_name((each.type_name(), self._made(each)) for each in listed)

    def _functions(self) -> Iterable[ProviderFunction[..., Any]]:
        for each in self._listed("functions"):
            if not isinstance(each, ProviderFunction):
                raise self._fault("functions", "what has `@function` above it", each)
            yield each

    def _listed(self, where: str) -> list[Any]:
        given: object = getattr(self.provider, where)
        if not is_sequence(given):
            raise self._fault(where, "a tuple or a list", given)
        return list(given)

    def _fault(self, where: str, wanted: str, given: object) -> SchemaError:
        came = given.__name__ if isinstance(given, type) else describe(given)
        return SchemaError(f"{type(self.provider).__name__}.{where}: {wanted} required, got {came}")

    def _made(self, handler: type[Handler[Any]]) -> Handler[Any]:
        if missing := sorted(getattr(handler, "__abstractmethods__", ())):
            raise SchemaError(f"{handler.__name__} does not have the method {missing[0]}")
        identity: type[ResourceIdentity] | None = getattr(handler, "identity", None)
        if identity is not None:
            schema = self.identities[handler.type_name()] = schema_of(identity)
            _check_identity(handler, schema)
        return handler(self.provider)

    @cached_property
    def schema(self) -> ProviderSchema:
        """The schemas of everything.

        Raises:
            InvalidSchemaError: they break the rules of the protocol.
        """
        if isinstance(self.provider, FaultyProvider):
            raise self.provider.error
        made = ProviderSchema(
            provider=schema_of(self.provider.config),
            resources=_schemas(self.resources),
            data_sources=_schemas(self.data_sources),
            ephemeral_resources=_schemas(self.ephemeral_resources),
            functions={name: each.schema for name, each in self.functions.items()},
            identities=self.identities,
        )
        _ensure_valid(made)
        return made


def _schemas(handlers: Mapping[str, Handler[Any]]) -> dict[str, Schema]:
    models: dict[str, type[Resource]] = {name: each.model for name, each in handlers.items()}
    return {name: schema_of(model) for name, model in models.items()}


def _ensure_valid(made: ProviderSchema) -> None:
    groups = (made.resources, made.data_sources, made.ephemeral_resources)
    named = [each for group in groups for each in group.items()]
    if made.provider is not None:
        named.append(("provider", made.provider))
    problems = [
        SchemaProblem(Path((AttributeStep(name),)) + problem.path, problem.message)
        for name, schema in named
        for problem in check_schema(schema)
    ]
    if problems:
        raise InvalidSchemaError(problems)


def _check_identity(handler: type[Any], identity: IdentitySchema) -> None:
    if handler.identify is vars(ResourceHandler)["identify"]:
        raise SchemaError(f"{handler.__name__} has an identity, but not the method identify")
    for name, attribute in identity.attributes.items():
        if not (attribute.required_for_import or attribute.optional_for_import):
            raise SchemaError(
                f"{handler.__name__}.identity: {name} must be required_for_import or "
                "optional_for_import"
            )


def _by_name(named: Iterable[tuple[str, T]]) -> dict[str, T]:
    found: dict[str, T] = {}
    for name, each in named:
        if name in found:
            raise SchemaError(f"{name} is there twice")
        found[name] = each
    return found
