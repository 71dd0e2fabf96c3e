"""Floods of connections to a provider: `python -m tests.fuzz.connections`, part of `make fuzz`.

A provider with few file descriptors gets a thousand connections that stay silent, send garbage, or
go at once. A client that connects meanwhile must be served, or served when the flood has gone; and
nothing may be left behind.
"""

from __future__ import annotations

import socket
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

from tests.provider.client.scripts import WHOLE, write_script
from tofutypes.provider.client import Client, launch

CONNECTIONS = 1000
DESCRIPTORS = 256
PATIENCE = 60.0  # seconds

LIMITED = f"""
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, ({DESCRIPTORS}, {DESCRIPTORS}))
"""


def silent(_: socket.socket) -> None:
    """Do nothing."""


def garbage(connection: socket.socket) -> None:
    """Send what is neither TLS nor HTTP/2."""
    connection.sendall(b"\x16\x03\x01\xff\xff" + bytes(1000))


def preface(connection: socket.socket) -> None:
    """Begin HTTP/2, and stop."""
    connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")


def flood(path: str, act: Callable[[socket.socket], None], stack: ExitStack) -> int:
    """Open connections, which stay open; how many there are."""
    opened = 0
    for _ in range(CONNECTIONS):
        connection = stack.enter_context(socket.socket(socket.AF_UNIX))
        connection.settimeout(0.5)
        with suppress(OSError):  # refused, or the backlog is full
            connection.connect(path)
            opened += 1
            act(connection)
    return opened


def attack(folder: Path, act: Callable[[socket.socket], None], *, tls: bool) -> str:
    """Flood one provider; a line about it.

    Raises:
        AssertionError: If the provider does not serve its client any more, or leaves something.
    """
    script = write_script(folder / "terraform-provider-fake", LIMITED + WHOLE)
    environment = {"TMPDIR": str(folder), "PATH": "/usr/bin:/bin"}
    with launch(script, tls=tls, environment=environment, call_timeout=PATIENCE) as client:
        assert serves(client)
        with ExitStack() as stack:
            opened = flood(socket_of(client), act, stack)
            began = time.monotonic()
            assert serves(client)
            took = time.monotonic() - began
        assert serves(client)
        path = Path(socket_of(client))
    assert not path.exists()
    return f"{act.__name__:<10}{'TLS' if tls else 'plain':<8}{opened:>6}{took * 1000:>10.0f} ms"


def serves(client: Client) -> bool:
    """Whether a provider answers."""
    return client.configure().diagnostics == ()


def socket_of(client: Client) -> str:
    """The path of the socket of the provider of a client."""
    folders = Path(tempfile.gettempdir()).glob("tofutypes-*/plugin-*/plugin")
    (path,) = (str(path) for path in folders if path.is_socket())
    assert client.protocol
    return path


def main() -> int:
    """Try all floods."""
    print(f"{'flood':<10}{'':<8}{'opened':>6}{'a call':>13}")
    with tempfile.TemporaryDirectory() as name:
        tempfile.tempdir = name
        for act in (silent, garbage, preface):
            for tls in (True, False):
                print(attack(Path(name), act, tls=tls), flush=True)
        left = [path.name for path in Path(name).iterdir() if path.is_dir()]
        assert left == [], left
    return 0


if __name__ == "__main__":
    sys.exit(main())
