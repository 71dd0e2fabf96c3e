"""Where Terraform Core connects: a socket that gives each connection a session of its own.

gRPC does not tell which connection a call came over, so each connection is passed on, byte for
byte, to a server of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

_PIECE: Final = 256 << 10
_GRACE: Final = 5.0


class Closable(Protocol):
    """What serves one connection."""

    async def close(self) -> None:
        """Stop serving."""
        ...


class Front:
    """Accepts connections.

    Args:
        path: the socket.
        serve: starts what serves a connection on another socket, of the path that it is given.
    """

    def __init__(self, path: Path, serve: Callable[[Path], Awaitable[Closable]]) -> None:
        self.path = path
        self._serve = serve
        self._count = 0
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Future[None]] = set()

    async def start(self) -> None:
        """Listen."""
        self._server = await asyncio.start_unix_server(self._accept, self.path, limit=_PIECE)

    async def close(self) -> None:
        """Stop listening, and end the connections that do not end by themselves."""
        if self._server is not None:
            self._server.close()
        if self._connections:
            await asyncio.wait(self._connections, timeout=_GRACE)
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = asyncio.ensure_future(self._connect(reader, writer))
        self._connections.add(connection)
        connection.add_done_callback(self._connections.discard)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._count += 1
        inner = self.path.with_name(f"{self.path.name}.{self._count}")
        session = await self._serve(inner)
        try:
            inner_reader, inner_writer = await asyncio.open_unix_connection(inner, limit=_PIECE)
            try:
                await _until_one_ends(
                    _pass_on(reader, inner_writer), _pass_on(inner_reader, writer)
                )
            finally:
                inner_writer.close()
        finally:
            writer.close()
            await session.close()


async def _until_one_ends(*ways: Awaitable[None]) -> None:
    tasks = [asyncio.ensure_future(way) for way in ways]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while piece := await reader.read(_PIECE):
            writer.write(piece)
            await writer.drain()
