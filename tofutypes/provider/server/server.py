"""The gRPC server in front of a provider service."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Condition
from typing import Any, Final

import grpc
from google.protobuf.message import Message

from tofutypes.provider.messages.calls import ServiceCall, failure_message, service_calls
from tofutypes.provider.messages.protocol import Protocol, protocol_of
from tofutypes.provider.server.plugin import add_plugin_services, unary
from tofutypes.provider.server.reporting import diagnostics_of
from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.provider.service.service import ProviderService
from tofutypes.provider.transport.addresses import UNIX, Address, restrict
from tofutypes.provider.transport.options import size_options

_LAST_ANSWERS: Final = 1.0  # seconds to send the last answers and to close silent connections

_THREADS: Final = 1000  # the most; threads are started as calls need them


class ProviderServer:
    """Serves a provider service at an address, to any number of clients.

    Args:
        service: What answers the calls. The server closes it when it stops.
        address: Where to listen; port 0 means any free port.
        major: The protocol to speak, 5 or 6.
        shut_down: Called when a client asks the plugin to end.
        credentials: The TLS of the server; None for plain connections.

    Attributes:
        address: Where the server listens.

    Raises:
        PluginError: If nothing can listen there.
    """

    def __init__(
        self,
        service: ProviderService,
        address: Address,
        major: int = 6,
        shut_down: Callable[[], None] = lambda: None,
        *,
        credentials: grpc.ServerCredentials | None = None,
    ) -> None:
        self._service = service
        self._running = 0
        self._ended = Condition()
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="tofutypes-call")
        reuse = ("grpc.so_reuseport", 0)  # or two providers would share a port
        self._server = grpc.server(self._threads, options=[*size_options(), reuse])
        self._server.add_generic_rpc_handlers((self._handlers(protocol_of(major)),))
        add_plugin_services(self._server, shut_down)
        try:
            if credentials is None:
                port = self._server.add_insecure_port(address.target)
            else:
                port = self._server.add_secure_port(address.target, credentials)
            restrict(address)
        except (RuntimeError, OSError):
            raise PluginError(f"cannot listen on {address}") from None
        self.address = _with_port(address, port)
        self._server.start()

    def stop(self, grace: float | None = None) -> bool:
        """Stop. Running calls are asked to end early.

        Args:
            grace: How many seconds to wait for running calls.

        Returns:
            Whether all calls and connections have ended.
        """
        self._service.stop_provider()
        stopped = self._server.stop(grace)
        with self._ended:  # gRPC forgets calls whose connection is gone; they may go on
            ended = self._ended.wait_for(lambda: self._running == 0, grace or 0)
        parted = stopped.wait(_LAST_ANSWERS)
        self._threads.shutdown(wait=ended)
        if ended:
            self._service.close()
        return ended and parted

    def _handlers(self, protocol: Protocol) -> grpc.GenericRpcHandler:
        return grpc.method_handlers_generic_handler(
            protocol.service,
            {
                each.call.path.rpartition("/")[2]: unary(self._answer(each), each.call.request)
                for each in service_calls(protocol).values()
            },
        )

    def _answer(self, service_call: ServiceCall) -> Callable[[Any, grpc.ServicerContext], Message]:
        def answer(message: Message, _: grpc.ServicerContext) -> Message:
            with self._ended:
                self._running += 1
            try:
                return service_call.answer(self._service, message)
            except BaseException as error:  # noqa: BLE001  # or Core would wait for an answer
                call = service_call.call
                return failure_message(call, diagnostics_of(error, call.name))
            finally:
                with self._ended:
                    self._running -= 1
                    self._ended.notify_all()

        return answer


def _with_port(address: Address, port: int) -> Address:
    if address.network == UNIX:
        return address
    return Address(address.network, f"{address.host_and_port[0]}:{port}")
