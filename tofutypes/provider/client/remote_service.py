"""A provider at the other end of a connection, behind the interface of services."""

from __future__ import annotations

from typing import Any, cast

from tofutypes.provider.client.connection import Connection
from tofutypes.provider.messages.calls import service_calls
from tofutypes.provider.service.service import ProviderService


class _RemoteService:
    """Sends every call of `ProviderService` over a connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._calls = {
            call.method: (name, call) for name, call in service_calls(connection.protocol).items()
        }

    def __getattr__(self, method: str) -> Any:
        if method not in self._calls:
            raise AttributeError(method)
        name, call = self._calls[method]

        def answer(*request: Any) -> Any:
            message = (
                call.call.request() if call.request is None else call.request.to_message(request[0])
            )
            return call.response.of_message(self._connection.call(name, message))

        setattr(self, method, answer)
        return answer

    def close(self) -> None:
        self._connection.close()


def remote_service(connection: Connection) -> ProviderService:
    """Put the provider at the other end of a connection behind the interface of services.

    A gRPC server, or any other front, can then stand before it.

    Args:
        connection: The connection; closing the service closes it.

    Returns:
        A service whose calls raise `PluginError` if the provider is gone, or does not know them.
    """
    return cast("ProviderService", _RemoteService(connection))
