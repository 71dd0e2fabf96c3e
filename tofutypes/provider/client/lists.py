"""Calls about list resources."""

from __future__ import annotations

from typing import Any, Final, Generic, TypeVar, overload

from tofutypes.models import ListResource, Resource, build_model
from tofutypes.provider.client.connection import ResponseStream
from tofutypes.provider.client.conversion import (
    raise_errors,
    read_diagnostics,
    read_identity,
    write_by_type,
)
from tofutypes.provider.client.results import ListedObject
from tofutypes.provider.client.session import Session, type_name
from tofutypes.provider.messages.dynamic_value import read_value, write_value
from tofutypes.provider.objchange.schema_parts import parts_of
from tofutypes.provider.objchange.traversal import empty_object
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6
from tofutypes.provider.service.diagnostics import Diagnostic, PluginError
from tofutypes.schema import IdentitySchema, implied_type

R = TypeVar("R", bound=Resource)

LIMIT: Final = 100
"""How many objects are listed, if nothing else is said. Source: Terraform 1.15."""


class Listing(Generic[R]):
    """Objects that a provider lists: an iterator, which reads them as they are wanted.

        for server in provider.list(Server):
            print(server.display_name, server.identity)

    The provider waits when nobody reads. Forgetting the object ends the call.

    Args:
        events: The events that the provider sends.
        model: The class of the objects; None if the objects are not wanted.
        name: The type name of the objects.
        identity: The schema of their identities.
        limit: How many objects to return at most.

    Attributes:
        diagnostics: The warnings so far.

    Raises:
        ProviderError: While it is read, if the provider returns errors.
        PluginError: While it is read, if the provider ended or violated the protocol.
        DecodeError: While it is read, if an object does not fit the schema.
    """

    def __init__(
        self,
        events: ResponseStream,
        model: type[R] | None,
        name: str,
        identity: IdentitySchema | None,
        limit: int,
    ) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = ()
        self._events = events
        self._model = model
        self._name = name
        self._identity = identity
        self._left = limit

    def __iter__(self) -> Listing[R]:
        return self

    def __next__(self) -> ListedObject[R]:
        if self._left <= 0:
            raise StopIteration
        try:
            listed = self._listed(self._next_event())
        except BaseException:  # the end of the iteration, too
            self._left = 0
            self.close()
            raise
        self._left -= 1
        if self._left == 0:
            self.close()
        return listed

    def _next_event(self) -> Any:
        """Return the next event with an object; warnings may come without one."""
        while True:
            event = next(self._events)
            warnings = raise_errors(event.diagnostic)
            self.diagnostics += warnings
            if event.HasField("identity") or not warnings:
                return event

    def _listed(self, event: Any) -> ListedObject[R]:
        identity = read_identity(event.identity, self._identity)
        if identity is None:
            raise PluginError(f"{self._name}: the provider listed an object without an identity")
        resource = None
        if self._model is not None and event.HasField("resource_object"):
            resource = read_value(self._model, event.resource_object)
        return ListedObject(
            identity, event.display_name, resource, read_diagnostics(event.diagnostic)
        )

    def close(self) -> None:
        """End the call: the provider learns that nobody waits. Any thread may do so."""
        self._events.close()


class ListCalls:
    """The calls of a [`Client`][tofutypes.provider.client.client.Client] about list resources."""

    _session: Session

    @overload
    def list(
        self, config: type[R], *, limit: int = LIMIT, include_resource: bool = False
    ) -> Listing[R]: ...
    @overload
    def list(
        self,
        config: ListResource,
        model: type[R],
        *,
        limit: int = LIMIT,
        include_resource: bool = False,
    ) -> Listing[R]: ...
    @overload
    def list(
        self, config: ListResource, *, limit: int = LIMIT, include_resource: bool = False
    ) -> Listing[Resource]: ...
    def list(
        self,
        config: ListResource | type[Resource],
        model: type[Any] | None = None,
        *,
        limit: int = LIMIT,
        include_resource: bool = False,
    ) -> Listing[Any]:
        """List objects of a managed resource.

            for server in provider.list(ServerFilter(zone="north"), Server, include_resource=True):
                print(server.display_name, server.resource)

        Args:
            config: The configuration of the list resource; or the class of the managed resource,
                for a configuration in which nothing is set.
            model: The class of the managed resource; without it, `resource` is an instance of a
                class that is made of the provider's schema.
            limit: How many objects to return at most.
            include_resource: Whether to return the objects, too, not only their identities.

        Returns:
            An iterator of the objects.

        Raises:
            PluginError: If the provider has no such list resource.
        """
        schema = self._session.schema
        if isinstance(config, ListResource):
            name = type_name(type(config))
        else:
            name, model = type_name(config), config
        if name not in schema.list_resources:
            raise PluginError(f"the provider has no list resource {name}")
        if isinstance(config, ListResource):
            value = write_value(config)
        else:
            block = schema.list_resources[name].block
            value = write_by_type(empty_object(parts_of(block)), implied_type(block))
        if include_resource and model is None:
            model = build_model(schema.resources[name], name=name)
        request = tfplugin6.ListResource.Request(
            type_name=name, config=value, include_resource_object=include_resource, limit=limit
        )
        return Listing(
            self._session.connection.stream("ListResource", request),
            model if include_resource else None,
            name,
            schema.identities.get(name),
            limit,
        )
