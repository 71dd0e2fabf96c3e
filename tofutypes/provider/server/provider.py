"""The provider: what it offers, and how it is configured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Final, Generic

from typing_extensions import TypeVar

from tofutypes.errors import (
    AttributeStep,
    InvalidSchemaError,
    Path,
    SchemaError,
    SchemaProblem,
    TofuTypesError,
)
from tofutypes.models import ProviderConfig, ProviderFunction, Resource, schema_of
from tofutypes.provider.messages.diagnostics import ProviderError
from tofutypes.provider.server.context import ConfigureContext, ValidateContext
from tofutypes.provider.server.handlers import (
    DataSourceHandler,
    EphemeralResourceHandler,
    Handler,
    ResourceHandler,
    Result,
    model_in,
)
from tofutypes.provider.server.telling import place_of
from tofutypes.schema import IdentitySchema, ProviderSchema, Schema, check_schema

C = TypeVar("C", bound=ProviderConfig, default=ProviderConfig)
T = TypeVar("T")
H = TypeVar("H", bound=Handler[Any])


class NoConfig(ProviderConfig, description=""):
    """The configuration of a provider that has none."""


class Provider(Generic[C]):
    """A provider: `class Nimbus(Provider[NimbusConfig])`.

    Class attributes:
        address: where it is found, `registry.opentofu.org/example/nimbus`.
        resources, data_sources, ephemeral_resources: the classes that handle them.
        functions: its functions, with their implementations.
        config: the class of its configuration, taken from the brackets; none without them.

    Raises:
        SchemaError: what it offers does not go together.
    """

    address: ClassVar[str]
    resources: ClassVar[Sequence[type[ResourceHandler[Any, Any]]]] = ()
    data_sources: ClassVar[Sequence[type[DataSourceHandler[Any, Any]]]] = ()
    ephemeral_resources: ClassVar[Sequence[type[EphemeralResourceHandler[Any, Any]]]] = ()
    functions: ClassVar[Sequence[ProviderFunction[..., Any]]] = ()
    config: ClassVar[type[ProviderConfig]] = NoConfig

    def __init_subclass__(cls, **keywords: object) -> None:
        super().__init_subclass__(**keywords)
        found = model_in(cls, Provider)
        if found is not None and issubclass(found, ProviderConfig):
            cls.config = found

    def validate(self, config: C, context: ValidateContext) -> Result[None]:
        """Check the configuration of the provider beyond its schema. Anything may be unknown."""
        return None

    def configure(self, config: C, context: ConfigureContext) -> Result[None]:
        """Take the configuration. In plans, values may still be unknown.

        The core calls it once in the life of a process; not at all if it only validates, calls
        functions, or upgrades and moves state; and several times while a provider is debugged.
        """
        return None


class FaultyProvider(Provider):
    """Stands for a provider that cannot be made, to tell the core why.

    A process that ended instead would leave the core guessing what is wrong with the program.

    Args:
        error: what was raised. The core is told when it asks for the schemas.
    """

    address = "faulty"

    def __init__(self, error: Exception) -> None:
        self.error = error if isinstance(error, TofuTypesError) else _told(error)


_HARMLESS: Final = (AttributeError, ImportError, NameError, SyntaxError, TypeError)
"""Errors whose messages name things of the program, and hold no value."""


def _told(error: Exception) -> ProviderError:
    place, message = place_of(error), str(error)
    if isinstance(error, SyntaxError):
        place, message = f" ({error.filename}, line {error.lineno})", error.msg
    said = f": {message}" if isinstance(error, _HARMLESS) else ""
    return ProviderError("The provider cannot start", f"{type(error).__name__}{place}{said}")


class Offer:
    """What a provider offers, looked up by name and made when it is asked for.

    Attributes:
        provider: the provider.
        resources, data_sources, ephemeral_resources: the handlers by type name.
        functions: the functions by name.
    """

    def __init__(self, provider: Provider[Any]) -> None:
        if not getattr(provider, "address", ""):
            raise SchemaError(
                f"{type(provider).__name__} has no address, as in "
                '`address = "registry.opentofu.org/example/nimbus"`'
            )
        self.provider = provider
        self.resources = self._handlers(provider.resources)
        self.data_sources = self._handlers(provider.data_sources)
        self.ephemeral_resources = self._handlers(provider.ephemeral_resources)
        self.functions = _by_name((each.name, each) for each in provider.functions)

    def _handlers(self, classes: Iterable[type[H]]) -> Mapping[str, H]:
        return _by_name((each.type_name(), self._made(each)) for each in classes)

    def _made(self, handler: type[H]) -> H:
        if missing := sorted(getattr(handler, "__abstractmethods__", ())):
            raise SchemaError(f"{handler.__name__} does not have the method {missing[0]}")
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

    @cached_property
    def identities(self) -> Mapping[str, IdentitySchema]:
        """The schemas of the identities by resource."""
        return {
            name: schema_of(each.identity)
            for name, each in self.resources.items()
            if each.identity is not None
        }


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


def _by_name(named: Iterable[tuple[str, T]]) -> dict[str, T]:
    found: dict[str, T] = {}
    for name, each in named:
        if name in found:
            raise SchemaError(f"{name} is there twice")
        found[name] = each
    return found
