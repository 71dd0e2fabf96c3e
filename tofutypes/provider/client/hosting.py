"""A provider and its client in one process, for the tests of a provider."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from tofutypes.provider.client.client import Client
from tofutypes.provider.client.connection import Connection, open_channel
from tofutypes.provider.messages.protocol import protocol_of
from tofutypes.provider.messages.versions import SUPPORTED
from tofutypes.provider.transport.folders import CLIENT_PREFIX, private_folder
from tofutypes.provider.transport.inner_hop import inner_hop

if TYPE_CHECKING:
    from tofutypes.provider.server.service_making import Servable


def host(
    provider: Servable,
    protocol: int = max(SUPPORTED),
    *,
    call_timeout: float | None = None,
    deferral_allowed: bool = False,
) -> Client:
    """Serve a provider in this process and connect to it. It ends when the client is closed.

        with host(Nimbus) as provider:
            plan = provider.plan(Server(name="web"))

    Calls go over gRPC, as with Terraform Core and OpenTofu, and debuggers stop in the provider. No
    other process can connect.

    Args:
        provider: The provider, or its class, or a `Mux`.
        protocol: The protocol version, 5 or 6.
        call_timeout: How many seconds the provider has for a call; None for no limit.
        deferral_allowed: Whether the provider may defer calls, as in some versions of Terraform.

    Raises:
        SchemaError: If the parts of the provider contradict each other.
        PluginError: If the protocol version is not supported, or the provider cannot listen.
    """
    from tofutypes.provider.server.server import ProviderServer
    from tofutypes.provider.server.service_making import service_of

    version = protocol_of(protocol)
    with ExitStack() as stack:
        hop = inner_hop(stack.enter_context(private_folder(CLIENT_PREFIX)))
        service, _ = service_of(provider)
        stack.callback(service.close)
        server = ProviderServer(
            service, hop.address, protocol, credentials=hop.server_credentials()
        )
        stack.callback(server.stop)
        channel = open_channel(server.address, hop.channel_credentials())
        connection = Connection(channel, version, call_timeout=call_timeout)
        stack.callback(connection.close)
        return Client(connection, stack.pop_all().close, deferral_allowed=deferral_allowed)
