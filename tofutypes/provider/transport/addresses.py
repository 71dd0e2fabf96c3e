"""Addresses of plugins: Unix sockets, or TCP ports of this machine."""

from __future__ import annotations

import os
import socket
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from tofutypes.provider.service.diagnostics import PluginError

UNIX: Final = "unix"
TCP: Final = "tcp"

MAX_SOCKET_PATH: Final = 103 if sys.platform == "darwin" else 107
"""The longest path of a Unix socket, in bytes. The limit is the operating system's."""

_LOOPBACK: Final = "127.0.0.1"
_MAX_PORT: Final = 65_535


@dataclass(frozen=True, slots=True)
class Address:
    """An address as the handshake line has it.

    Attributes:
        network: `unix` or `tcp`.
        text: The path of the socket, or `HOST:PORT`.
    """

    network: str
    text: str

    def __str__(self) -> str:
        return f"{self.network}:{self.text}"

    @property
    def target(self) -> str:
        """The address as a gRPC target (a URI)."""
        return f"unix:{quote(self.text)}" if self.network == UNIX else self.text

    @property
    def host_and_port(self) -> tuple[str, int]:
        """Host and port of a TCP address.

        Raises:
            ValueError: If the address has no port, or one that is out of range.
        """
        host, _, text = self.text.rpartition(":")
        port = int(text)
        if not 0 <= port <= _MAX_PORT:
            raise ValueError("the port is out of range")
        return host.removeprefix("[").removesuffix("]"), port


def has_unix_sockets() -> bool:
    """Whether this Python has Unix sockets. Python has none on Windows."""
    return hasattr(socket, "AF_UNIX")


def new_address(folder: Path, name: str) -> Address:
    """Return an address to listen on: a Unix socket in a folder, or a free TCP port.

    Args:
        folder: A folder that no other user can enter (mode 0700).
        name: The name of the socket's file.

    Raises:
        PluginError: If the path is too long for a Unix socket.
    """
    if not has_unix_sockets():
        return Address(TCP, f"{_LOOPBACK}:0")
    path = str(folder / name)
    size = len(os.fsencode(path))
    if size > MAX_SOCKET_PATH:
        raise PluginError(
            f"{path}: the path of the socket is too long: {size} bytes, the limit is "
            f"{MAX_SOCKET_PATH}; set TMPDIR to a shorter folder"
        )
    return Address(UNIX, path)


def restrict(address: Address) -> None:
    """Let this user alone connect to a Unix socket, whatever the umask was when it was bound.

    Raises:
        OSError: If the mode cannot be changed.
    """
    if address.network == UNIX:
        Path(address.text).chmod(0o600)
