"""Timeouts that users set: how long the calls for an object may take.

    class Server(Resource, type_name="nimbus_server"):
        timeouts: SingleBlock[Timeouts | None] = SingleBlock(default=None)

    class Servers(ResourceHandler[Server]):
        default_timeouts = {"create": "20m"}

An attribute or a block named `timeouts` of any class does, if it has attributes named `create`,
`read`, `update` or `delete` that are durations. (terraform-plugin-framework-timeouts)
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from tofutypes.models import Attr, NestedBlock, NestedObject
from tofutypes.provider.objchange.traversal import attributes_of
from tofutypes.provider.server.context import Context
from tofutypes.provider.server.reporting import author_place
from tofutypes.provider.server.resource_endpoint import ResourceEndpoint
from tofutypes.provider.server.runner import OverdueError
from tofutypes.provider.server.semantic_types import Duration, parse_duration
from tofutypes.provider.service.diagnostics import ProviderError

T = TypeVar("T")


class Timeouts(NestedBlock):
    """How long each operation may take, as a nested block."""

    create: Attr[Duration | None] = Attr(optional=True, default=None)
    read: Attr[Duration | None] = Attr(optional=True, default=None)
    update: Attr[Duration | None] = Attr(optional=True, default=None)
    delete: Attr[Duration | None] = Attr(optional=True, default=None)


class TimeoutsAttribute(NestedObject):
    """How long each operation may take, as a nested attribute (protocol 6)."""

    create: Attr[Duration | None] = Attr(optional=True, default=None)
    read: Attr[Duration | None] = Attr(optional=True, default=None)
    update: Attr[Duration | None] = Attr(optional=True, default=None)
    delete: Attr[Duration | None] = Attr(optional=True, default=None)


def run_in_time(
    endpoint: ResourceEndpoint,
    operation: str,
    value: object,
    context: Context,
    call: Callable[[], T | Awaitable[T]],
) -> T:
    """Run the author's code for an object within the timeout of the operation, if there is one.

    Args:
        endpoint: The resource.
        operation: `create`, `read`, `update` or `delete`.
        value: The object, which may have timeouts.
        context: The context that the code receives.
        call: The code.

    Raises:
        ProviderError: If the code took longer; with the place where it was.
    """
    own = attributes_of(attributes_of(value).get("timeouts")).get(operation)
    limit = own if isinstance(own, str) else endpoint.handler.default_timeouts.get(operation)
    if limit is None:
        return endpoint.run(call())
    context.stopping = type(context.stopping)()
    try:
        return endpoint.run.within(parse_duration(limit).total_seconds(), call, context.stopping)
    except OverdueError as error:
        raise ProviderError(
            "The operation took too long",
            f"{endpoint.author}.{operation} did not end within {limit}{author_place(error.stack)}.",
            f"timeouts.{operation}" if own is not None else "",
        ) from None
