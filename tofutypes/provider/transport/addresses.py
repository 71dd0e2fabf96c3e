"""Where a server listens: a Unix socket, or a port of this machine."""

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

_LONGEST_PATH: Final = 103 if sys.platform == "darwin" else 107
"""Bytes that the path of a socket may have."""

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
        """The address as gRPC writes it: as a URI."""
        return f"unix:{quote(self.text)}" if self.network == UNIX else self.text

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

    Raises:
        PluginError: the folder's path is too long for a socket.
    """
    if hasattr(socket, "AF_UNIX"):
        path = str(folder / name)
        if len(os.fsencode(path)) > _LONGEST_PATH:
            raise PluginError(
                f"{path}: the path of a socket has at most {_LONGEST_PATH} bytes; set TMPDIR to a "
                "shorter one"
            )
        return Address(UNIX, path)
    return Address(TCP, f"{_LOOPBACK}:0")
