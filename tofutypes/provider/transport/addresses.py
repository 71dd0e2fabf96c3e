"""Where a server listens: a Unix socket, or a port of this machine."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Final

UNIX: Final = "unix"
TCP: Final = "tcp"

_LOOPBACK: Final = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Address:
    """An address as the handshake names it.

    Attributes:
        network: `unix` or `tcp`.
        text: the path of the socket, or `HOST:PORT`.
    """

    network: str
    text: str

    def __str__(self) -> str:
        return f"{self.network}:{self.text}"

    @property
    def target(self) -> str:
        """The address as gRPC writes it."""
        return f"unix:{self.text}" if self.network == UNIX else self.text

    @property
    def host_and_port(self) -> tuple[str, int]:
        """Host and port, if it is one of TCP.

        Raises:
            ValueError: there is no port.
        """
        host, _, port = self.text.rpartition(":")
        return host.removeprefix("[").removesuffix("]"), int(port)


def new_address(folder: Path, name: str) -> Address:
    """An address to listen on: a socket in the folder or, where there are none, a free port.

    Args:
        folder: a folder that nobody else can enter (mode 0700).
        name: the name of the socket's file.
    """
    if hasattr(socket, "AF_UNIX"):
        return Address(UNIX, str(folder / name))
    return Address(TCP, f"{_LOOPBACK}:0")
