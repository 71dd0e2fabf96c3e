"""The environment in which a client starts a plugin."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tofutypes.provider.transport.handshake import (
    CLIENT_CERTIFICATE,
    COOKIE,
    COOKIE_NAME,
    MAX_PORT,
    MIN_PORT,
    MULTIPLEX,
    PROTOCOL_VERSIONS,
    SOCKET_FOLDER,
    SOCKET_GROUP,
)

if TYPE_CHECKING:
    from tofutypes.provider.transport.certificates import Certificate

_PORTS: Final = {MIN_PORT: "10000", MAX_PORT: "25000"}


def plugin_environment(
    base: Mapping[str, str], own: Certificate | None, folder: Path, protocols: Collection[int]
) -> dict[str, str]:
    """The environment of a plugin. Source: go-plugin, `client.go`."""
    variables = {
        **base,
        **_PORTS,
        COOKIE_NAME: COOKIE,
        PROTOCOL_VERSIONS: ",".join(map(str, sorted(protocols))),
        SOCKET_FOLDER: str(folder),  # for this user only, and removed with the client
    }
    for name in (MULTIPLEX, CLIENT_CERTIFICATE, SOCKET_GROUP):  # those of this process's own client
        variables.pop(name, None)
    if own is not None:
        variables[CLIENT_CERTIFICATE] = own.certificate_pem.decode("ascii")
    return variables
