"""Where a provider listens, and who may come there.

Source: go-plugin, `server.go` and `mtls.go`.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tofutypes.provider.server.server import ProviderServer
from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.provider.service.service import ProviderService
from tofutypes.provider.transport.addresses import UNIX, Address, new_address
from tofutypes.provider.transport.handshake import (
    CLIENT_CERTIFICATE,
    SOCKET_FOLDER,
    SOCKET_GROUP,
    Handshake,
)

_PLUGIN: Final = "plugin"
_BEHIND: Final = "grpc"


@contextmanager
def listening(
    service: ProviderService,
    major: int,
    environment: Mapping[str, str],
    shut_down: Callable[[], None] = lambda: None,
) -> Generator[tuple[ProviderServer, Handshake]]:
    """Serve a provider in the way that an environment asks for.

    The caller stops the server; the socket and its folder are removed at the end.

    With the certificate of a client, only that client can connect, over TLS. Without, whoever may
    enter the folder of the socket can: this user, or the group that the environment names.

    Args:
        service: What answers the calls.
        major: The protocol to speak.
        environment: The environment of go-plugin.
        shut_down: Called when a client asks the provider to end.

    Raises:
        PluginError: If nothing can listen there.
    """
    parent = environment.get(SOCKET_FOLDER) or None
    try:
        folder = Path(tempfile.mkdtemp(prefix="plugin-", dir=parent))
    except OSError as error:
        place = f"{SOCKET_FOLDER}: " if parent else ""
        raise PluginError(f"{place}no folder for the socket: {error.strerror}") from None
    try:
        client = environment.get(CLIENT_CERTIFICATE, "")
        behind = new_address(folder, _BEHIND if client else _PLUGIN)
        server = ProviderServer(service, behind, major, shut_down)
        with _in_front(server, major, client, folder) as handshake:
            if group := environment.get(SOCKET_GROUP):
                _share(folder, handshake.listens_on, group)
            yield server, handshake
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _in_front(
    server: ProviderServer, major: int, client: str, folder: Path
) -> Generator[Handshake]:
    """What the core connects to: the server, or TLS in front of it if there is a certificate."""
    if not client:
        yield Handshake(major, server.address.network, server.address.text)
        return
    from tofutypes.provider.transport.certificates import make_certificate, server_context
    from tofutypes.provider.transport.relay import Relay

    own = make_certificate()
    tls = server_context(own, client.encode("utf-8", "surrogateescape"))
    with Relay(new_address(folder, _PLUGIN), server.address, inward=tls) as relay:
        yield Handshake(major, relay.address.network, relay.address.text, own.der)


def _share(folder: Path, address: Address, group: str) -> None:
    """Let a group in too."""
    if address.network != UNIX:
        return
    number = int(group) if group.isdecimal() else -1
    try:
        for path, mode in ((folder, 0o710), (Path(address.text), 0o660)):
            if number >= 0:
                os.chown(path, -1, number)
            else:
                shutil.chown(path, group=group)
            path.chmod(mode)
    except (OSError, LookupError, OverflowError) as error:
        raise PluginError(f"{SOCKET_GROUP}: the socket cannot be shared: {error}") from None
