"""Where a provider listens, and who can connect to it.

Source: go-plugin, `server.go` and `mtls.go`.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tofutypes.provider.server.server import ProviderServer
from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.provider.transport.addresses import UNIX, Address, new_address
from tofutypes.provider.transport.folders import SERVER_PREFIX, private_folder
from tofutypes.provider.transport.handshake import (
    CLIENT_CERTIFICATE,
    SOCKET_FOLDER,
    SOCKET_GROUP,
    Handshake,
)

if TYPE_CHECKING:
    from tofutypes.provider.service.service import ProviderService

_SOCKET: Final = "plugin"


@contextmanager
def listening(
    service: ProviderService,
    major: int,
    environment: Mapping[str, str],
    shut_down: Callable[[], None] = lambda: None,
    provider_address: str = "",
) -> Generator[tuple[ProviderServer, Handshake]]:
    """Serve a provider service as an environment asks for.

    If the environment has a client certificate, only that client can connect, over mutual TLS.
    Otherwise the address protects the provider: a Unix socket can be used by this user and by the
    group that the environment names, a TCP port (where there are no Unix sockets) by every user of
    the machine.

    The caller stops the server. Folder and relay are gone after the `with` statement.

    Args:
        service: What answers the calls.
        major: The protocol version, 5 or 6.
        environment: The environment variables of go-plugin.
        shut_down: Called when a client asks the provider to end.
        provider_address: The provider's address, to tell to clients; empty if there is none.

    Raises:
        PluginError: If the provider cannot listen.
    """
    with private_folder(SERVER_PREFIX, environment.get(SOCKET_FOLDER) or None) as folder:
        certificate = environment.get(CLIENT_CERTIFICATE, "")
        serving = (
            _serve_tls(service, major, folder, shut_down, provider_address, certificate)
            if certificate
            else _serve_plain(service, major, folder, shut_down, provider_address)
        )
        with serving as (server, handshake):
            if group := environment.get(SOCKET_GROUP):
                _share(folder, handshake.listens_on, group)
            yield server, handshake


@contextmanager
def _serve_plain(
    service: ProviderService,
    major: int,
    folder: Path,
    shut_down: Callable[[], None],
    provider_address: str,
) -> Generator[tuple[ProviderServer, Handshake]]:
    server = ProviderServer(
        service,
        new_address(folder, _SOCKET),
        major,
        shut_down,
        provider_address=provider_address,
    )
    with _stopped_on_error(server):
        yield server, Handshake(major, server.address.network, server.address.text)


@contextmanager
def _serve_tls(
    service: ProviderService,
    major: int,
    folder: Path,
    shut_down: Callable[[], None],
    provider_address: str,
    client_certificate: str,
) -> Generator[tuple[ProviderServer, Handshake]]:
    from tofutypes.provider.transport.certificates import make_certificate, server_context
    from tofutypes.provider.transport.inner_hop import inner_hop
    from tofutypes.provider.transport.relay import Relay

    own = make_certificate()
    tls = server_context(own, client_certificate.encode("utf-8", "surrogateescape"))
    hop = inner_hop(folder)
    server = ProviderServer(
        service,
        hop.address,
        major,
        shut_down,
        provider_address=provider_address,
        credentials=hop.server_credentials(),
    )
    address, inner_tls = new_address(folder, _SOCKET), hop.connecting_tls()
    with (
        _stopped_on_error(server),
        Relay(address, server.address, inward=tls, outward=inner_tls) as relay,
    ):
        yield server, Handshake(major, relay.address.network, relay.address.text, own.der)


@contextmanager
def _stopped_on_error(server: ProviderServer) -> Generator[None]:
    try:
        yield
    except BaseException:
        server.stop()
        raise


def _share(folder: Path, address: Address, group: str) -> None:
    """Let a group connect too."""
    if address.network != UNIX:
        return
    number = int(group) if group.isdecimal() else -1
    try:
        for path, mode in ((Path(address.text), 0o660), (folder, 0o710)):
            if number >= 0:
                os.chown(path, -1, number)
            else:
                shutil.chown(path, group=group)
            path.chmod(mode)
    except (OSError, LookupError, OverflowError) as error:
        raise PluginError(f"{SOCKET_GROUP}: cannot share the socket: {error}") from None
