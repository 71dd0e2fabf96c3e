"""The gRPC server in front of a provider service."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Condition
from typing import TYPE_CHECKING, Any, Final

import grpc

from tofutypes.errors import TofuTypesError
from tofutypes.provider.messages.versions import service_name
from tofutypes.provider.server.plugin import LazyHandler, add_plugin_services
from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.provider.transport.addresses import UNIX, Address, restrict
from tofutypes.provider.transport.options import size_options
from tofutypes.provider.transport.provider_address import address_metadata

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from tofutypes.provider.messages.calls import ServiceCall
    from tofutypes.provider.service.service import ProviderService

_LAST_ANSWERS: Final = 1.0  # seconds to send the last answers and to close silent connections

_THREADS: Final = 1000  # the most; threads are started as calls need them


class ProviderServer:
    """Serves a provider service at an address, to any number of clients.

    Args:
        service: What answers the calls. The server closes it when it stops.
        address: Where to listen; port 0 means any free port.
        major: The protocol to speak, 5 or 6.
        shut_down: Called when a client asks the plugin to end.
        provider_address: The provider's address, to tell to clients; empty if there is none.
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
        provider_address: str = "",
        credentials: grpc.ServerCredentials | None = None,
    ) -> None:
        self._service = service
        self._provider_address = provider_address
        self._running = 0
        self._ended = Condition()
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="tofutypes-call")
        reuse = ("grpc.so_reuseport", 0)  # or two providers would share a port
        self._server = grpc.server(self._threads, options=[*size_options(), reuse])
        self._handler = LazyHandler(service_name(major), lambda: self._make_handler(major))
        self._server.add_generic_rpc_handlers((self._handler,))
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
        with suppress(TofuTypesError):  # a remote provider may be gone already
            self._service.stop_provider()
        stopped = self._server.stop(grace)
        with self._ended:  # gRPC forgets calls whose connection is gone; they may go on
            ended = self._ended.wait_for(lambda: self._running == 0, grace or 0)
        parted = stopped.wait(_LAST_ANSWERS)
        self._threads.shutdown(wait=ended)
        if ended:
            self._service.close()
        return ended and parted

    def load(self) -> None:
        """Import what calls need, before the first call."""
        self._handler.load()

    def _make_handler(self, major: int) -> grpc.GenericRpcHandler:
        from tofutypes.provider.messages.calls import service_calls
        from tofutypes.provider.messages.protocol import protocol_of

        handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
            service_call.call.path.rpartition("/")[2]: self._method_handler(service_call)
            for service_call in service_calls(protocol_of(major)).values()
        }
        return grpc.method_handlers_generic_handler(service_name(major), handlers)

    def _method_handler(self, service_call: ServiceCall) -> grpc.RpcMethodHandler[Any, Any]:
        read = service_call.call.request.FromString
        if service_call.call.streams_responses:
            return grpc.unary_stream_rpc_method_handler(
                self._answer_stream(service_call), read, _serialize
            )
        if service_call.call.streams_requests:
            return grpc.stream_unary_rpc_method_handler(
                self._answer(service_call), read, _serialize
            )
        return grpc.unary_unary_rpc_method_handler(self._answer(service_call), read, _serialize)

    def _answer(self, service_call: ServiceCall) -> Callable[[Any, grpc.ServicerContext], Message]:
        from tofutypes.provider.messages.calls import failure_message
        from tofutypes.provider.server.reporting import diagnostics_of

        call = service_call.call
        is_schema = call.name == "GetProviderSchema"
        metadata = address_metadata(self._provider_address) if is_schema else ()

        def answer(received: Any, context: grpc.ServicerContext) -> Message:
            with self._counted():
                try:
                    if metadata:
                        context.send_initial_metadata(metadata)
                    if call.streams_requests:
                        return service_call.answer_chunks(self._service, _received(received))
                    return service_call.answer(self._service, received)
                except BaseException as error:  # noqa: BLE001  # or Core would wait for an answer
                    return failure_message(call, diagnostics_of(error, call.name))

        return answer

    def _answer_stream(
        self, service_call: ServiceCall
    ) -> Callable[[Any, grpc.ServicerContext], Iterator[Message]]:
        from tofutypes.provider.messages.calls import failure_message
        from tofutypes.provider.server.reporting import diagnostics_of

        call = service_call.call

        def answer(message: Message, context: grpc.ServicerContext) -> Iterator[Message]:
            with self._counted():
                try:
                    stream = service_call.answer_stream(self._service, message)
                    context.add_callback(stream.close)  # when the caller has gone, or all is sent
                    try:
                        yield from stream
                    except GeneratorExit:  # the caller has gone
                        stream.finish()
                        raise
                except GeneratorExit:
                    raise
                except BaseException as error:  # noqa: BLE001  # or Core would not know why it ends
                    yield failure_message(call, diagnostics_of(error, call.name))

        return answer

    @contextmanager
    def _counted(self) -> Generator[None]:
        with self._ended:
            self._running += 1
        try:
            yield
        finally:
            with self._ended:
                self._running -= 1
                self._ended.notify_all()


def _received(messages: Iterator[Message]) -> Iterator[Message]:
    try:
        yield from messages
    except grpc.RpcError:
        raise PluginError("the stream was cut before its end") from None


def _serialize(message: Message) -> bytes:
    return message.SerializeToString()


def _with_port(address: Address, port: int) -> Address:
    if address.network == UNIX:
        return address
    return Address(address.network, f"{address.host_and_port[0]}:{port}")
