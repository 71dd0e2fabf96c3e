"""A provider at the other end of a connection, behind the interface of services."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

from tofutypes.provider.client.connection import (
    Connection,
    ResponseStream,
    UnsupportedCallError,
)
from tofutypes.provider.messages.calls import ServiceCall, service_calls
from tofutypes.provider.service.service import ProviderService


class _RemoteService:
    """Sends every call of `ProviderService` over a connection."""

    def __init__(self, connection: Connection, close: Callable[[], None]) -> None:
        self._connection = connection
        self.close = close
        self._calls = {
            call.method: (name, call) for name, call in service_calls(connection.protocol).items()
        }

    def __getattr__(self, method: str) -> Any:
        if method not in vars(ProviderService):
            raise AttributeError(method)
        if method not in self._calls:
            raise UnsupportedCallError(f"{self._connection.protocol} has no call {method}")
        answer = self._answerer(*self._calls[method])
        setattr(self, method, answer)
        return answer

    def _answerer(self, name: str, call: ServiceCall) -> Callable[..., Any]:
        connection, request, response = self._connection, call.request, call.response
        if request is None:
            return lambda: response.of_message(connection.call(name, call.call.request()))
        write, read = request.to_message, response.of_message

        def answer(record: Any) -> Any:
            return read(connection.call(name, write(record)))

        def answer_stream(record: Any) -> _Records:
            return _Records(connection.stream(name, write(record)), read)

        def answer_chunks(chunks: Iterator[Any]) -> Any:
            return read(connection.call_with_chunks(name, map(write, chunks)))

        if call.call.streams_responses:
            return answer_stream
        return answer_chunks if call.call.streams_requests else answer


class _Records:
    """The records of a stream of responses, which can be closed as the stream can."""

    def __init__(self, stream: ResponseStream, read: Callable[[Any], Any]) -> None:
        self._stream = stream
        self._read = read

    def __iter__(self) -> _Records:
        return self

    def __next__(self) -> Any:
        return self._read(next(self._stream))

    def close(self) -> None:
        self._stream.close()


def remote_service(
    connection: Connection, close: Callable[[], None] | None = None
) -> ProviderService:
    """Put the provider at the other end of a connection behind the interface of services.

    A gRPC server, or any other front, can then stand before it.

    Args:
        connection: The connection.
        close: What closing the service does; by default it closes the connection.

    Returns:
        A service whose calls raise `PluginError` if the provider is gone, or does not know them.
    """
    return cast("ProviderService", _RemoteService(connection, close or connection.close))
