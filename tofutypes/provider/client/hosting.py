"""A provider and its client in one process, for the tests of who writes the provider."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from tofutypes.provider.client.client import Client
from tofutypes.provider.client.connection import Connection, open_channel
from tofutypes.provider.messages.protocol import protocol_of
from tofutypes.provider.server.listening import listening
from tofutypes.provider.server.provider import Provider, provider_of
from tofutypes.provider.server.service import HandlerService
from tofutypes.provider.transport.handshake import SUPPORTED


def host(provider: Provider[Any] | type[Provider[Any]], protocol: int = max(SUPPORTED)) -> Client:
    """Serve a provider in this process, and connect to it; it ends when the client is closed.

        with host(Nimbus) as provider:
            plan = provider.plan(Server(name="web"))

    Calls go the whole way, so they do what they do with the core, and debuggers stop in them.

    Args:
        provider: the provider, or its class.
        protocol: the major of the protocol to speak.

    Raises:
        SchemaError: what the provider offers does not go together.
        PluginError: there is no such protocol, or nowhere to listen.
    """
    with ExitStack() as stack:
        server, handshake = stack.enter_context(
            listening(HandlerService(provider_of(provider)), protocol, {})
        )
        stack.callback(server.stop)
        connection = Connection(open_channel(handshake.listens_on), protocol_of(protocol))
        stack.callback(connection.close)
        return Client(connection, stack.pop_all().close)
