"""A remote provider behind the interface of services, and a gRPC server before it again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.provider.server.boxes import Box, Slot, Toy, made
from tofutypes.provider import PluginError, ProviderError
from tofutypes.provider.client import Client, connect
from tofutypes.provider.client.connection import Connection, open_channel
from tofutypes.provider.client.remote_service import remote_service
from tofutypes.provider.messages.protocol import protocol_of
from tofutypes.provider.server.listening import listening
from tofutypes.provider.server.service import HandlerService
from tofutypes.provider.service.service import ProviderService


@pytest.fixture
def remote() -> Iterator[ProviderService]:
    service = HandlerService(Toy(read=lambda box, _: None if box.id == "gone" else made(box)))
    with listening(service, 6, {}) as (server, handshake):
        connection = Connection(open_channel(handshake.listens_on), protocol_of(6))
        yield remote_service(connection)
        connection.close()
        server.stop()


@pytest.fixture
def relayed(remote: ProviderService) -> Iterator[Client]:
    """A client of a server before the remote service."""
    with ExitStack() as stack:
        server, handshake = stack.enter_context(listening(remote, 6, {}))
        stack.callback(server.stop)
        yield stack.enter_context(connect(handshake.listens_on))


def test_calls_go_through(relayed: Client) -> None:
    assert list(relayed.schema.resources) == ["toy_box"]
    assert list(relayed.schema.identities) == ["toy_box"]
    box = Box(name="a", slot=[Slot(size=1)])
    relayed.validate(box)
    state = relayed.apply(relayed.plan(box))
    assert state.value is not None
    assert (state.value.id, state.identity) == ("box-1", {"id": "box-1"})
    assert relayed.read(state).value == state.value
    assert relayed.plan(Box(name="b"), state).requires_replace
    assert relayed.apply(relayed.plan(None, state)).value is None


def test_errors_go_through(relayed: Client) -> None:
    with pytest.raises(ProviderError) as caught:
        relayed.validate(Box(name="a", id="x"))
    assert str(caught.value) == (
        "error: Invalid value (id): id is decided by the provider and cannot be set."
    )


def test_a_provider_that_is_gone(remote: ProviderService) -> None:
    assert remote.get_metadata().resources == ("toy_box",)
    remote.close()
    with pytest.raises(PluginError, match="GetMetadata: the client is closed"):
        remote.get_metadata()
    with listening(remote, 6, {}) as (server, _):
        assert server.stop()
    with pytest.raises(AttributeError):
        _ = remote.unheard_of  # type: ignore[attr-defined]
