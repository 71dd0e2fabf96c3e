"""List resources. Source: the protocol, `ListResource`."""

from __future__ import annotations

from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Generator,
    Iterable,
)
from typing import Any, Final, TypeVar, cast

from tofutypes.comparison import is_wholly_known
from tofutypes.errors import DecodeError, describe
from tofutypes.models import ListResource, Resource, ResourceIdentity
from tofutypes.provider.server.configuration import check_configuration
from tofutypes.provider.server.context import ListContext, ValidateListContext
from tofutypes.provider.server.endpoint import ConfigBlockEndpoint
from tofutypes.provider.server.list_handlers import Listed, ListHandler
from tofutypes.provider.server.provider_bugs import provider_bug
from tofutypes.provider.server.reporting import log, not_of_schema, reporting
from tofutypes.provider.server.resource_endpoint import ResourceEndpoint
from tofutypes.provider.server.runner import Runner
from tofutypes.provider.server.streams import EventStream
from tofutypes.provider.service.diagnostics import ProviderError
from tofutypes.provider.service.requests import (
    ListResourceRequest,
    ValidateConfigRequest,
    ValidateListResourceConfigRequest,
)
from tofutypes.provider.service.responses import DiagnosticsResponse, ListResourceEvent
from tofutypes.provider.service.wire_value import WireValue
from tofutypes.types import BOOL, NUMBER, Type
from tofutypes.unknown import Unknown
from tofutypes.wire import decode_json, decode_msgpack

T = TypeVar("T")

_END: Final = object()


class ListResourceEndpoint(ConfigBlockEndpoint[ListResource]):
    """A list resource of the provider.

    Attributes:
        handler: The author's handler.
        resource: The managed resource that is listed.
    """

    def __init__(
        self, name: str, handler: ListHandler[Any, Any, Any], resource: ResourceEndpoint
    ) -> None:
        super().__init__(name, handler, handler.model, resource.run)
        self.handler = handler
        self.resource = resource

    def validate(self, request: ValidateListResourceConfigRequest) -> DiagnosticsResponse:
        """Validate a configuration."""
        context = ValidateListContext(
            stopping=self.stopping,
            limit=_read(request.limit, NUMBER, int),
            include_resource=_read(request.include_resource_object, BOOL, bool),
        )
        config = ValidateConfigRequest(request.config, request.type_name)
        return check_configuration(self, config, self.handler, context)

    def list_objects(self, request: ListResourceRequest) -> EventStream[ListResourceEvent]:
        """List objects, one by one, as the caller takes them."""
        context = ListContext(
            stopping=self.run.stopping_of_one_call(),
            limit=request.limit if request.limit > 0 else None,
            include_resource=request.include_resource_object,
        )
        return EventStream(self._events(request, context), context.stopping)

    def _events(
        self, request: ListResourceRequest, context: ListContext
    ) -> Generator[ListResourceEvent]:
        objects: Generator[object] | None = None
        remaining = context.limit
        try:
            while remaining is None or remaining > 0:
                event = ListResourceEvent()
                with reporting(f"listing of {self.name}", context, self.parts) as report:
                    if objects is None:
                        config = self.decode_known(request.config)
                        returned = self.run(self.handler.list_objects(config, context))
                        objects = _one_by_one(self.run, self.author, returned)
                    event = self._event(next(objects, _END), context)
                context.diagnostics.clear()
                if event.identity is not None or report.diagnostics:
                    yield event._replace(diagnostics=report.diagnostics)
                if event.identity is None:
                    return
                remaining = None if remaining is None else remaining - 1
        finally:
            if objects is not None:
                self._close(objects)

    def _close(self, objects: Generator[object]) -> None:
        """End the author's generator, whose cleanup may fail."""
        with reporting(f"listing of {self.name}") as report:
            objects.close()
        for diagnostic in report.diagnostics:  # nobody can be told any more
            log.error("%s", diagnostic)

    def _event(self, listed: object, context: ListContext) -> ListResourceEvent:
        """Make the event of an object; an empty one at the end."""
        if listed is _END:
            return ListResourceEvent()
        if not isinstance(listed, Listed):
            raise self._fault(f"must yield Listed, but yielded {describe(listed)}")
        yielded = cast("Listed[Resource]", listed)
        name, given = cast("object", yielded.display_name), cast("object", yielded.resource)
        if not isinstance(name, str):
            raise self._fault(f"expects display names, got {describe(name)}")
        resource = None if given is None else self._known_resource(given)
        identity = WireValue.of(self._identity(yielded.identity, resource))
        if not context.include_resource:
            return ListResourceEvent(identity, name)
        if resource is None:
            context.warn("The object itself is missing", f"{self.author} listed its identity only.")
            return ListResourceEvent(identity, name)
        return ListResourceEvent(identity, name, WireValue.of(self.resource.storable(resource)))

    def _known_resource(self, resource: object) -> Resource:
        model = self.resource.model
        if not isinstance(resource, model):
            raise self._fault(f"must list {model.__name__}, but listed {describe(resource)}")
        if not is_wholly_known(resource):
            raise self._fault(f"yielded {model.__name__} with unknown values")
        resource.to_json()  # Core stores JSON, which has no infinity
        return resource

    def _identity(self, identity: object, resource: Resource | None) -> ResourceIdentity:
        if identity is None and resource is None:
            raise self._fault("yielded neither an identity nor a resource")
        if identity is None:
            identity = cast("object", self.resource.handler.identify(resource))
        model = self.resource.handler.identity
        assert model is not None  # the definition has checked that
        if not isinstance(identity, model):
            raise self._fault(f"must identify by {model.__name__}, got {describe(identity)}")
        if not is_wholly_known(identity):
            raise self._fault(f"yielded {model.__name__} with unknown values")
        return identity

    def _fault(self, what: str) -> ProviderError:
        return provider_bug(f"{self.author}.list_objects {what}.")


def _one_by_one(run: Runner, author: str, returned: object) -> Generator[object]:
    """What the author's code lists. Closing it closes the author's generator."""
    if isinstance(returned, AsyncIterable):
        yield from _awaited(run, aiter(cast("AsyncIterable[object]", returned)))
    elif isinstance(returned, Iterable):
        yield from cast("Iterable[object]", returned)
    else:
        raise provider_bug(
            f"{author}.list_objects must return an iterable of Listed, "
            f"but returned {describe(returned)}."
        )


def _awaited(run: Runner, objects: AsyncIterator[object]) -> Generator[object]:
    try:
        while (listed := run.wait(_next_of(objects))) is not _END:
            yield listed
    finally:
        if isinstance(objects, AsyncGenerator):
            run.wait(_close(cast("AsyncGenerator[object, object]", objects)))


async def _next_of(objects: AsyncIterator[object]) -> object:
    return await anext(objects, _END)


async def _close(objects: AsyncGenerator[object, object]) -> None:
    await objects.aclose()


def _read(value: WireValue, type_: Type, expected: type[T]) -> T | Unknown | None:
    """Read a value that Core sends beside a configuration; it may be unknown.

    Raises:
        ProviderError: If it does not fit the type.
    """
    try:
        if value.is_null:
            return None
        decode = decode_msgpack if value.msgpack else decode_json
        decoded = decode(value.msgpack or value.json, type_)
    except DecodeError as error:
        raise not_of_schema(error) from None
    if isinstance(decoded, Unknown | expected):
        return decoded
    raise ProviderError("Invalid value", f"Expected {expected.__name__}, got {describe(decoded)}.")
