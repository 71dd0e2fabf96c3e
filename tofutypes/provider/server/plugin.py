"""What every plugin serves beside its own service. Source: go-plugin, `server.go`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import grpc
from google.protobuf.empty_pb2 import Empty as GoogleEmpty
from google.protobuf.message import Message
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from tofutypes.provider.messages.protocol import MessageClass
from tofutypes.provider.proto.plugin_pb2 import Empty, StdioData

_HEALTH_KEY: Final = "plugin"
"""The name of the service whose health go-plugin asks for."""


def add_plugin_services(server: grpc.Server, shut_down: Callable[[], None]) -> None:
    """Let a gRPC server answer what go-plugin asks.

    Args:
        server: the server.
        shut_down: called when the core wants the plugin to end.
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
                        _nothing_printed, GoogleEmpty.FromString, StdioData.SerializeToString
                    )
                },
            ),
        )
    )
    servicer: Any = health.HealthServicer()
    servicer.set(_HEALTH_KEY, health_pb2.HealthCheckResponse.SERVING)
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)


def unary(
    answer: Callable[[Any, grpc.ServicerContext], Message], request: MessageClass
) -> grpc.RpcMethodHandler[Any, Any]:
    """The handler of a call with one request and one response."""
    return grpc.unary_unary_rpc_method_handler(
        answer, request.FromString, lambda message: message.SerializeToString()
    )


def _nothing_printed(_: Message, __: grpc.ServicerContext) -> Iterator[Message]:
    # What the provider prints goes to its standard error, where the core reads log lines.
    return iter(())
