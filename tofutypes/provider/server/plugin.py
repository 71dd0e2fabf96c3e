"""The gRPC services that every plugin has beside its own. Source: go-plugin, `server.go`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any, Final

import grpc

_HEALTH_KEY: Final = "plugin"
"""The name under which go-plugin asks for the health of a plugin."""

_HEALTH: Final = "grpc.health.v1.Health"
_EMPTY: Final = b""
"""An empty message. (Messages are bytes here: protobuf is imported when calls need it.)"""


def add_plugin_services(server: grpc.Server, shut_down: Callable[[], None]) -> None:
    """Add go-plugin's services to a gRPC server: controller, standard output, health.

    Args:
        server: The server.
        shut_down: Called when the client asks the plugin to end.
    """

    def end(_: bytes, __: grpc.ServicerContext) -> bytes:
        shut_down()
        return _EMPTY

    handlers: dict[str, dict[str, grpc.RpcMethodHandler[bytes, bytes]]] = {
        "plugin.GRPCController": {"Shutdown": grpc.unary_unary_rpc_method_handler(end)},
        "plugin.GRPCStdio": {"StreamStdio": grpc.unary_stream_rpc_method_handler(_no_output)},
    }

    server.add_generic_rpc_handlers(
        [
            *(grpc.method_handlers_generic_handler(*service) for service in handlers.items()),
            LazyHandler(_HEALTH, _health_handler),
        ]
    )


class LazyHandler(grpc.GenericRpcHandler):
    """The handler of a service that is made at the first call.

    Args:
        service: The full name of the service.
        make: Makes the handler.
    """

    def __init__(self, service: str, make: Callable[[], grpc.GenericRpcHandler]) -> None:
        self._prefix = f"/{service}/"
        self._make = make
        self._lock = threading.Lock()
        self._handler: grpc.GenericRpcHandler | None = None

    def load(self) -> grpc.GenericRpcHandler:
        """Make the handler, if it is not there yet."""
        with self._lock:
            if self._handler is None:
                self._handler = self._make()
            return self._handler

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        if not str(handler_call_details.method).startswith(self._prefix):
            return None
        return self.load().service(handler_call_details)


def _health_handler() -> grpc.GenericRpcHandler:
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


def _no_output(_: bytes, __: grpc.ServicerContext) -> Iterator[bytes]:
    # The provider's output goes to its standard error, where Core reads log lines.
    return iter(())
