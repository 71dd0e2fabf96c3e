"""The gRPC services that every plugin has beside its own. Source: go-plugin, `server.go`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import grpc
from google.protobuf.empty_pb2 import Empty as GoogleEmpty
from google.protobuf.message import Message

from tofutypes.provider.messages.protocol import MessageClass
from tofutypes.provider.proto.plugin_pb2 import Empty, StdioData

_HEALTH_KEY: Final = "plugin"
"""The name under which go-plugin asks for the health of a plugin."""

_HEALTH: Final = "grpc.health.v1.Health"


def add_plugin_services(server: grpc.Server, shut_down: Callable[[], None]) -> None:
    """Add go-plugin's services to a gRPC server: controller, standard output, health.

    Args:
        server: The server.
        shut_down: Called when the client asks the plugin to end.
    """

    def end(_: Message, __: grpc.ServicerContext) -> Message:
        shut_down()
        return Empty()

    server.add_generic_rpc_handlers(
        (
            grpc.method_handlers_generic_handler(
                "plugin.GRPCController", {"Shutdown": unary(end, Empty)}
            ),
            grpc.method_handlers_generic_handler(
                "plugin.GRPCStdio",
                {
                    "StreamStdio": grpc.unary_stream_rpc_method_handler(
                        _no_output, GoogleEmpty.FromString, StdioData.SerializeToString
                    )
                },
            ),
            _Health(),
        )
    )


class _Health(grpc.GenericRpcHandler):
    """The health service of `grpcio-health-checking`, imported when somebody asks for it.

    Core never does; importing the service takes part of the start-up time.
    """

    def __init__(self) -> None:
        self._handlers: grpc.GenericRpcHandler | None = None

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        if not str(handler_call_details.method).startswith(f"/{_HEALTH}/"):
            return None
        if self._handlers is None:
            self._handlers = _health_handlers()
        return self._handlers.service(handler_call_details)


def _health_handlers() -> grpc.GenericRpcHandler:
    from grpc_health.v1 import health, health_pb2

    servicer: Any = health.HealthServicer()
    servicer.set(_HEALTH_KEY, health_pb2.HealthCheckResponse.SERVING)
    request, response = health_pb2.HealthCheckRequest, health_pb2.HealthCheckResponse
    methods: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
        "Check": grpc.unary_unary_rpc_method_handler(
            servicer.Check, request.FromString, response.SerializeToString
        ),
        "Watch": grpc.unary_stream_rpc_method_handler(
            servicer.Watch, request.FromString, response.SerializeToString
        ),
    }
    return grpc.method_handlers_generic_handler(_HEALTH, methods)


def unary(
    answer: Callable[[Any, grpc.ServicerContext], Message], request: MessageClass
) -> grpc.RpcMethodHandler[Any, Any]:
    """Return the handler of a call with one request and one response."""
    return grpc.unary_unary_rpc_method_handler(
        answer, request.FromString, lambda message: message.SerializeToString()
    )


def _no_output(_: Message, __: grpc.ServicerContext) -> Iterator[Message]:
    # The provider's output goes to its standard error, where Core reads log lines.
    return iter(())
