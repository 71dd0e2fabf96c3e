"""The definition of a provider: its handlers and functions by name, and their schemas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cached_property
from typing import Any, Final

from typing_extensions import TypeVar

from tofutypes.errors import (
    InvalidSchemaError,
    SchemaError,
    describe,
)
from tofutypes.models import (
    ProviderFunction,
    ProviderMeta,
    Resource,
    schema_of,
)
from tofutypes.narrowing import is_sequence
from tofutypes.provider.server.handlers import (
    ActionHandler,
    DataSourceHandler,
    EphemeralResourceHandler,
    Handler,
    ResourceHandler,
)
from tofutypes.provider.server.list_handlers import ListHandler
from tofutypes.provider.server.provider import FaultyProvider, Provider
from tofutypes.provider.server.source_places import place_in
from tofutypes.provider.server.state_store_handler import StateStoreHandler
from tofutypes.schema import IdentitySchema, ProviderSchema, Schema, check_provider_schema

T = TypeVar("T")

_GROUPS: Final = (
    ("resources", ResourceHandler),
    ("data_sources", DataSourceHandler),
    ("ephemeral_resources", EphemeralResourceHandler),
    ("actions", ActionHandler),
    ("list_resources", ListHandler),
    ("state_stores", StateStoreHandler),
)


def _is_subclass(cls: object, base: type) -> bool:
    return isinstance(cls, type) and issubclass(cls, base)


class ProviderDefinition:
    """The handlers and functions of a provider by name; schemas are made when they are needed.

    Attributes:
        provider: The provider.
        resources, data_sources, ephemeral_resources, actions, list_resources, state_stores: The
            handlers by type name.
        functions: The functions by name.

    Raises:
        SchemaError: If the author made a mistake that shows already.
    """

    def __init__(self, provider: Provider[Any]) -> None:
        if not getattr(provider, "address", ""):
            raise SchemaError(
                f"{type(provider).__name__}: no address; write "
                '`address = "registry.opentofu.org/example/nimbus"`'
                f"{place_in(type(provider))}"
            )
        self.provider = provider
        self.resources: Mapping[str, ResourceHandler[Any, Any]] = self._handlers(
            "resources", ResourceHandler
        )
        self.data_sources: Mapping[str, DataSourceHandler[Any, Any]] = self._handlers(
            "data_sources", DataSourceHandler
        )
        self.ephemeral_resources: Mapping[str, EphemeralResourceHandler[Any, Any]] = self._handlers(
            "ephemeral_resources", EphemeralResourceHandler
        )
        self.actions: Mapping[str, ActionHandler[Any, Any]] = self._handlers(
            "actions", ActionHandler
        )
        self.list_resources: Mapping[str, ListHandler[Any, Any, Any]] = self._handlers(
            "list_resources", ListHandler
        )
        for name, handler in self.list_resources.items():
            _check_list(type(handler), self.resources.get(name))
        self.state_stores: Mapping[str, StateStoreHandler[Any, Any]] = self._handlers(
            "state_stores", StateStoreHandler
        )
        self.functions = _by_name((each.name, each) for each in self._functions())

    def _handlers(self, where: str, base: type[Any]) -> Mapping[str, Any]:
        handlers = self._listed(where)
        for handler in handlers:
            if not (isinstance(handler, type) and issubclass(handler, base)):
                raise self._mistake(where, f"subclasses of {base.__name__}", handler)
        return _by_name((handler.type_name(), self._new(handler)) for handler in handlers)

    def _functions(self) -> Iterable[ProviderFunction[..., Any]]:
        for function in self._listed("functions"):
            if not isinstance(function, ProviderFunction):
                raise self._mistake("functions", "functions decorated with `@function`", function)
            yield function

    def _listed(self, where: str) -> list[Any]:
        listed: object = getattr(self.provider, where)
        if not is_sequence(listed):
            raise self._mistake(where, "a tuple or a list", listed)
        return list(listed)

    def _mistake(self, where: str, wanted: str, got: object) -> SchemaError:
        cls = type(self.provider)
        name = got.__name__ if isinstance(got, type) else describe(got)
        right = next((group for group, base in _GROUPS if _is_subclass(got, base)), None)
        hint = f"; list it in `{right}`" if right else ""
        place = place_in(cls, where)
        return SchemaError(f"{cls.__name__}.{where}: expected {wanted}, got {name}{hint}{place}")

    def _new(self, handler: type[Handler[Any]]) -> Handler[Any]:
        if missing := sorted(getattr(handler, "__abstractmethods__", ())):
            own = [name for name in vars(handler) if not name.startswith("_")]
            near = get_close_matches(missing[0], own, 1)
            hint = f"; did you mean it by `{near[0]}`?" if near else ""
            raise SchemaError(
                f"{handler.__name__}: the method `{missing[0]}` is missing{hint}{place_in(handler)}"
            )
        return handler(self.provider)

    @cached_property
    def identities(self) -> Mapping[str, IdentitySchema]:
        """The schemas of the identities by resource.

        Raises:
            SchemaError: If an identity is not declared as it must be.
        """
        identities: dict[str, IdentitySchema] = {}
        for name, handler in self.resources.items():
            if handler.identity is not None:
                identities[name] = schema_of(handler.identity)
                _check_identity(type(handler), identities[name])
        return identities

    @cached_property
    def schema(self) -> ProviderSchema:
        """The schemas of everything.

        Raises:
            InvalidSchemaError: If they break the rules of the protocol.
        """
        if isinstance(self.provider, FaultyProvider):
            raise self.provider.error
        made = ProviderSchema(
            provider=schema_of(self.provider.config),
            provider_meta=self._meta(),
            resources=_schemas(self.resources),
            data_sources=_schemas(self.data_sources),
            ephemeral_resources=_schemas(self.ephemeral_resources),
            list_resources=_schemas(self.list_resources),
            actions=_schemas(self.actions),
            state_stores=_schemas(self.state_stores),
            functions={name: each.schema for name, each in self.functions.items()},
            identities=self.identities,
        )
        _ensure_valid(made)
        return made

    def _meta(self) -> Schema | None:
        model = self.provider.provider_meta
        if model is None:
            return None
        if not _is_subclass(model, ProviderMeta):
            raise self._mistake("provider_meta", "a subclass of ProviderMeta", model)
        return schema_of(model)


def _schemas(handlers: Mapping[str, Handler[Any]]) -> dict[str, Schema]:
    models: dict[str, type[Resource]] = {name: each.model for name, each in handlers.items()}
    return {name: schema_of(model) for name, model in models.items()}


def _ensure_valid(made: ProviderSchema) -> None:
    if problems := check_provider_schema(made):
        raise InvalidSchemaError(problems)


def _check_identity(handler: type[Any], identity: IdentitySchema) -> None:
    if handler.identify is vars(ResourceHandler)["identify"]:
        raise SchemaError(
            f"{handler.__name__}: a handler with an identity needs the method `identify`"
            f"{place_in(handler)}"
        )
    for name, attribute in identity.attributes.items():
        if not (attribute.required_for_import or attribute.optional_for_import):
            raise SchemaError(
                f"{handler.__name__}.identity: {name} must be required_for_import or "
                f"optional_for_import{place_in(handler, 'identity')}"
            )


def _check_list(
    handler: type[ListHandler[Any, Any, Any]], resource: ResourceHandler[Any, Any] | None
) -> None:
    """Check that what a list resource lists can be listed."""
    name, place = handler.__name__, place_in(handler)
    type_name, listed = handler.type_name(), handler.resource
    if resource is None:
        raise SchemaError(
            f"{name}: no resource {type_name}; list the handler of {listed.__name__} in "
            f"`resources`{place}"
        )
    if resource.identity is None:
        raise SchemaError(
            f"{name}: {type_name} has no identity; set `identity` in "
            f"{type(resource).__name__}{place}"
        )
    if not issubclass(listed, resource.model):
        raise SchemaError(
            f"{name}: expected {resource.model.__name__}, which {type(resource).__name__} has, "
            f"got {listed.__name__}{place}"
        )
    if handler.model.__tofu_info__.type_name != listed.__tofu_info__.type_name:
        raise SchemaError(
            f"{handler.model.__name__}: expected the type name of {listed.__name__}; write "
            f'`class {handler.model.__name__}(ListResource, type_name="{type_name}")`'
            f"{place_in(handler.model)}"
        )


def _by_name(named: Iterable[tuple[str, T]]) -> dict[str, T]:
    found: dict[str, T] = {}
    for name, each in named:
        if name in found:
            raise SchemaError(f"{name}: two handlers or functions have this name")
        found[name] = each
    return found
