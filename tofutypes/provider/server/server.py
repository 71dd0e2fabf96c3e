"""The gRPC server of a provider."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Condition
from typing import Any, Final

import grpc
from google.protobuf.message import Message

from tofutypes.provider.messages.diagnostics import PluginError
from tofutypes.provider.messages.protocol import protocol_of
from tofutypes.provider.server.plugin import add_plugin_services, unary
from tofutypes.provider.server.provider import Provider
from tofutypes.provider.server.service import Service
from tofutypes.provider.transport.addresses import UNIX, Address

_LAST_ANSWERS: Final = 1.0  # seconds to send them, and to part from silent connections

_THREADS: Final = 1000  # at most; they are made as calls need them

_OPTIONS: Final = (
    ("grpc.max_receive_message_length", -1),
    ("grpc.max_send_message_length", -1),
    ("grpc.so_reuseport", 0),  # or two providers would share a port
)


class ProviderServer:
    """Serves a provider at an address, to any number of clients.

    Args:
        provider: the provider.
        address: where to listen; a port of 0 means any that is free.
        major: the protocol to speak, 5 or 6.
        shut_down: called when a client asks it to end.

    Attributes:
        address: where it listens.

    Raises:
        PluginError: nothing can listen there.
        SchemaError: what the provider offers does not go together.
    """

    def __init__(
        self,
        provider: Provider[Any],
        address: Address,
        major: int = 6,
        shut_down: Callable[[], None] = lambda: None,
    ) -> None:
        self._service = Service(provider, protocol_of(major))
        self._running = 0
        self._ended = Condition()
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="tofutypes-call")
        self._server = grpc.server(self._threads, options=_OPTIONS)
        self._server.add_generic_rpc_handlers((self._provider_service(),))
        add_plugin_services(self._server, shut_down)
        try:
            port = self._server.add_insecure_port(address.target)
        except RuntimeError:
            raise PluginError(f"cannot listen on {address}") from None
        self.address = _with_port(address, port)
        self._server.start()

    def stop(self, grace: float | None = None) -> bool:
        """End. What is running now is asked to end early, and is waited for so many seconds.

        Returns:
            Whether all of it has ended, and all connections with it.
        """
        self._service.run.stop()
        stopped = self._server.stop(grace)
        with self._ended:  # gRPC forgets calls whose connection is gone; they may go on
            ended = self._ended.wait_for(lambda: self._running == 0, grace or 0)
        parted = stopped.wait(_LAST_ANSWERS)
        self._threads.shutdown(wait=ended)
        if ended:
            self._service.close()
        return ended and parted

    def _provider_service(self) -> grpc.GenericRpcHandler:
        protocol = self._service.protocol
        return grpc.method_handlers_generic_handler(
            protocol.service,
            {
                protocol.calls[name].path.rpartition("/")[2]: unary(
                    self._answer(name), protocol.calls[name].request
                )
                for name in self._service.calls
            },
        )

    def _answer(self, name: str) -> Callable[[Any, grpc.ServicerContext], Message]:
        def answer(request: Any, _: grpc.ServicerContext) -> Message:
            with self._ended:
                self._running += 1
            try:
                return self._service.answer(name, request)
            finally:
                with self._ended:
                    self._running -= 1
                    self._ended.notify_all()

        return answer


def _with_port(address: Address, port: int) -> Address:
    if address.network == UNIX:
        return address
    return Address(address.network, f"{address.host_and_port[0]}:{port}")
