"""TLS in front of gRPC: a relay that hands bytes on, and does the TLS of either side.

The TLS of `grpcio` cannot ask for the certificates that the clients of plugins have (ECDSA with
P-521), the `ssl` of Python can. So gRPC speaks in plain on a socket that only this user can reach,
and the relay speaks TLS with the other process. Source: go-plugin, `mtls.go`.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.provider.transport.addresses import UNIX, Address
from tofutypes.provider.transport.certificates import HOST

_PIECE: Final = 256 << 10  # bytes that are handed on at once
_GOODBYE: Final = 2.0  # seconds that the other side has to answer the end of TLS
_LAST_WORDS: Final = 1.0  # seconds that connections have to hand on what came, at the end
_BACKLOG: Final = 128

_log: Final = logging.getLogger(__name__)


class Relay:
    """Accepts connections at one address, and connects each to another.

    A connection that either side ends is ended on the other, when what that side had sent was
    handed on. (Nobody is expected to close one way alone: gRPC does not.)

    Args:
        listen: where to accept connections; a port of 0 means any that is free.
        connect: where to connect them to.
        inward: the TLS of those that connect here; None if they speak in plain.
        outward: the TLS of what they are connected to; None if it speaks in plain.

    Attributes:
        trouble: why the last connection that failed did; empty if none has.
    """

    def __init__(
        self,
        listen: Address,
        connect: Address,
        *,
        inward: ssl.SSLContext | None = None,
        outward: ssl.SSLContext | None = None,
    ) -> None:
        self._listen = listen
        self._connect_to = connect
        self._inward = inward
        self._outward = outward
        self.trouble = ""
        self._started: Future[Address] = Future()
        self._thread = threading.Thread(target=self._run, name="tofutypes relay", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopped: asyncio.Event | None = None
        self._streams: set[asyncio.StreamWriter] = set()
        self._connections: set[asyncio.Task[object]] = set()

    def __enter__(self) -> Relay:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> Address:
        """Start; connections are accepted when this returns.

        Returns:
            The address, with the port that was found.

        Raises:
            PluginError: nothing can listen there.
        """
        self._thread.start()
        try:
            return self._started.result()
        except (OSError, ValueError, OverflowError) as error:  # a port may be none, or too large
            self._thread.join()
            reason = getattr(error, "strerror", None) or str(error)
            raise PluginError(f"cannot listen on {self._listen}: {reason}") from None

    def stop(self) -> None:
        """End all connections and all else; does nothing the second time."""
        if self._loop is not None and self._stopped is not None:
            with suppress(RuntimeError):  # it has ended already
                self._loop.call_soon_threadsafe(self._stopped.set)
        if self._thread.ident is not None:
            self._thread.join()

    @property
    def address(self) -> Address:
        """Where it listens, once it is started."""
        return self._started.result()

    def _run(self) -> None:
        asyncio.run(self._main())

    async def _main(self) -> None:
        self._loop, self._stopped = asyncio.get_running_loop(), asyncio.Event()
        self._loop.set_exception_handler(_log_quietly)
        try:
            server = await self._start_server()
        except Exception as error:  # noqa: BLE001  # or `start` would wait for ever
            self._started.set_exception(error)
            return
        try:
            self._started.set_result(self._bound(server))
            await self._stopped.wait()
        finally:
            server.close()
            if self._connections:
                # Those that have ended on one side may still have an answer to hand on.
                await asyncio.wait(self._connections, timeout=_LAST_WORDS)
            for stream in self._streams:
                stream.transport.abort()
            if self._listen.network == UNIX:
                Path(self._listen.text).unlink(missing_ok=True)

    async def _start_server(self) -> asyncio.Server:
        options: dict[str, Any] = {"limit": _PIECE, "ssl": self._inward, "backlog": _BACKLOG}
        if self._inward is not None:
            options["ssl_shutdown_timeout"] = _GOODBYE
        if self._listen.network == UNIX:
            return await asyncio.start_unix_server(self._accept, self._listen.text, **options)
        host, port = self._listen.host_and_port
        return await asyncio.start_server(self._accept, host, port, **options)

    def _bound(self, server: asyncio.Server) -> Address:
        if self._listen.network == UNIX:
            return self._listen
        host, port = server.sockets[0].getsockname()[:2]
        return Address(self._listen.network, f"{host}:{port}")

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        options: dict[str, Any] = {"limit": _PIECE, "ssl": self._outward}
        if self._outward is not None:
            options |= {"server_hostname": HOST, "ssl_shutdown_timeout": _GOODBYE}
        if self._connect_to.network == UNIX:
            return await asyncio.open_unix_connection(self._connect_to.text, **options)
        host, port = self._connect_to.host_and_port
        return await asyncio.open_connection(host, port, **options)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._streams.add(writer)
        if (connection := asyncio.current_task()) is not None:
            self._connections.add(connection)
            connection.add_done_callback(self._connections.discard)
        try:
            far_reader, far_writer = await self._connect()
        except OSError as error:  # also of TLS
            self.trouble = f"cannot be reached at {self._connect_to}: {error.strerror or error}"
            writer.transport.abort()
            self._streams.discard(writer)
            return
        self._streams.add(far_writer)
        try:
            await _until_one_ends(_hand_on(reader, far_writer), _hand_on(far_reader, writer))
        finally:
            await self._close(writer, far_writer)

    async def _close(self, *writers: asyncio.StreamWriter) -> None:
        for writer in writers:
            writer.close()
        for writer in writers:
            with suppress(OSError):
                await writer.wait_closed()
            self._streams.discard(writer)


async def _hand_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):  # reset by either side
        while piece := await reader.read(_PIECE):
            writer.write(piece)
            await writer.drain()


async def _until_one_ends(*ways: Coroutine[Any, Any, None]) -> None:
    tasks = [asyncio.ensure_future(each) for each in ways]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _log_quietly(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Tell of what went wrong with a connection; by default asyncio does so on standard error."""
    _log.debug("%s: %r", context.get("message"), context.get("exception"))
