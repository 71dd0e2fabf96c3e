"""A relay between gRPC and the other process that adds or removes TLS.

The TLS of `grpcio` (BoringSSL) does not accept the client certificates of OpenTofu and Terraform
(ECDSA with P-521); Python's `ssl` does. The relay therefore speaks TLS with the other process and
hands the bytes on to gRPC over an [inner hop][tofutypes.provider.transport.inner_hop] that only
this process can use. Source: go-plugin, `mtls.go`.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeAlias

from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.provider.transport.addresses import UNIX, Address, restrict
from tofutypes.provider.transport.certificates import HOST

Stream: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]

_PIECE: Final = 256 << 10  # bytes handed on at once
_BACKLOG: Final = 128
_HANDSHAKE_TIMEOUT: Final = 10.0  # seconds
_CLOSE_TIMEOUT: Final = 2.0  # seconds for the TLS shutdown of the other side
_DRAIN_TIMEOUT: Final = 1.0  # seconds in which open connections hand on what has arrived
_ACCEPT_PAUSE: Final = 0.1  # seconds until the next try when file descriptors run out

MAX_HANDSHAKES: Final = 64
"""Connections whose TLS handshake is under way. A new one ends the oldest, so that connections that
stay silent never keep the real peer out, and use bounded memory and file descriptors."""

_log: Final = logging.getLogger(__name__)


class Relay:
    """Accepts connections at one address and connects each to another.

    When either side ends a connection, the relay hands on what had arrived and ends the other side.
    (Half-closed connections are not kept: gRPC does not use them.)

    Args:
        listen: Where to accept connections; port 0 means any free port.
        connect: Where to connect them to.
        inward: The TLS of accepted connections; None for plain connections.
        outward: The TLS of the connections that the relay makes; None for plain connections.

    Attributes:
        trouble: Why the last failed connection failed; empty if none has failed.
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
        self._bound: Address | None = None
        self._started: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, name="tofutypes relay", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopped: asyncio.Event | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._handshakes: dict[asyncio.Task[None], socket.socket] = {}  # oldest first
        self._connections: set[asyncio.Task[None]] = set()

    def __enter__(self) -> Relay:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> Address:
        """Start the relay; it accepts connections when this method returns.

        Returns:
            The address, with the port that was chosen.

        Raises:
            PluginError: If the relay cannot listen there, or cannot run.
        """
        try:
            self._listener, self._bound = _bind(self._listen)
        except (OSError, ValueError) as error:  # ValueError: no port, or one out of range
            reason = getattr(error, "strerror", None) or str(error)
            raise PluginError(f"cannot listen on {self._listen}: {reason}") from None
        try:
            self._thread.start()
            self._started.result()
        except (OSError, RuntimeError) as error:  # no file descriptors, no threads
            self._close_listener()
            raise PluginError(f"cannot start the TLS relay: {error}") from None
        return self._bound

    def stop(self) -> None:
        """End all connections and the thread. Calling it again does nothing."""
        if self._loop is not None and self._stopped is not None:
            with suppress(RuntimeError):  # the loop has ended already
                self._loop.call_soon_threadsafe(self._stopped.set)
        if self._thread.ident is not None:
            self._thread.join()

    @property
    def address(self) -> Address:
        """Where the relay listens. It must have been started."""
        assert self._bound is not None
        return self._bound

    def _run(self) -> None:
        try:
            with asyncio.Runner() as runner:
                runner.get_loop()  # fails here if there are no file descriptors for a loop
                runner.run(self._main())
        except BaseException as error:  # noqa: BLE001  # or `start` would wait for ever
            if not self._started.done():
                self._started.set_exception(error)
            else:
                _log.debug("The relay ended", exc_info=error)
        finally:
            self._close_listener()

    def _close_listener(self) -> None:
        self._listener.close()
        if self._listen.network == UNIX:
            Path(self._listen.text).unlink(missing_ok=True)

    async def _main(self) -> None:
        self._loop, self._stopped = asyncio.get_running_loop(), asyncio.Event()
        self._loop.set_exception_handler(_log_quietly)
        accepting = asyncio.create_task(self._accept_connections(self._loop))
        self._started.set_result(None)
        try:
            await self._stopped.wait()
        finally:
            await _cancel(accepting)
            for connection in self._handshakes.values():
                _shut_down(connection)
            if tasks := [*self._handshakes, *self._connections]:
                # A connection that has ended on one side may still have an answer to hand on.
                await asyncio.wait(tasks, timeout=_DRAIN_TIMEOUT)
            for writer in self._writers:
                writer.transport.abort()
            await _cancel(*self._connections)

    async def _accept_connections(self, loop: asyncio.AbstractEventLoop) -> None:
        while True:
            try:
                connection, _ = await loop.sock_accept(self._listener)
            except OSError:  # no more file descriptors, or the peer is gone already
                self._end_oldest_handshake()
                await asyncio.sleep(_ACCEPT_PAUSE)
                continue
            if len(self._handshakes) >= MAX_HANDSHAKES:
                self._end_oldest_handshake()
            task = loop.create_task(self._serve(loop, connection))
            self._handshakes[task] = connection
            task.add_done_callback(self._forget)
            await asyncio.sleep(0)  # accepting from a full backlog never waits

    def _end_oldest_handshake(self) -> None:
        oldest = next(iter(self._handshakes), None)
        if oldest is not None:
            _shut_down(self._handshakes.pop(oldest))

    def _forget(self, task: asyncio.Task[None]) -> None:
        self._handshakes.pop(task, None)
        self._connections.discard(task)

    async def _serve(self, loop: asyncio.AbstractEventLoop, connection: socket.socket) -> None:
        try:
            reader, writer = await self._accept(loop, connection)
        except OSError as error:  # TLS errors too
            _log.debug("A connection was refused: %r", error)
            return
        self._writers.add(writer)
        task = asyncio.current_task()
        if task is not None:
            self._handshakes.pop(task, None)
            self._connections.add(task)
        try:
            far_reader, far_writer = await self._connect()
        except OSError as error:  # TLS errors too
            self.trouble = f"cannot be reached at {self._connect_to}: {error.strerror or error}"
            writer.transport.abort()
            self._writers.discard(writer)
            return
        self._writers.add(far_writer)
        try:
            await _until_one_ends(_hand_on(reader, far_writer), _hand_on(far_reader, writer))
        finally:
            await self._close(writer, far_writer)

    async def _accept(self, loop: asyncio.AbstractEventLoop, connection: socket.socket) -> Stream:
        reader = asyncio.StreamReader(_PIECE, loop=loop)
        protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
        options: dict[str, Any] = {"ssl": self._inward}
        if self._inward is not None:
            options["ssl_handshake_timeout"] = _HANDSHAKE_TIMEOUT
            options["ssl_shutdown_timeout"] = _CLOSE_TIMEOUT
        transport, _ = await loop.connect_accepted_socket(lambda: protocol, connection, **options)
        return reader, asyncio.StreamWriter(transport, protocol, reader, loop)

    async def _connect(self) -> Stream:
        options: dict[str, Any] = {"limit": _PIECE, "ssl": self._outward}
        if self._outward is not None:
            options |= {"server_hostname": HOST, "ssl_shutdown_timeout": _CLOSE_TIMEOUT}
        if self._connect_to.network == UNIX:
            return await asyncio.open_unix_connection(self._connect_to.text, **options)
        host, port = self._connect_to.host_and_port
        return await asyncio.open_connection(host, port, **options)

    async def _close(self, *writers: asyncio.StreamWriter) -> None:
        for writer in writers:
            writer.close()
        for writer in writers:
            with suppress(OSError):
                await writer.wait_closed()
            self._writers.discard(writer)


def _bind(address: Address) -> tuple[socket.socket, Address]:
    """A listening socket, and the address that it got."""
    if address.network == UNIX:
        listener = socket.socket(socket.AF_UNIX)
        try:
            listener.bind(address.text)
            restrict(address)
            listener.listen(_BACKLOG)
        except BaseException:
            listener.close()
            raise
        bound = address
    else:
        host, port = address.host_and_port
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.create_server((host, port), family=family, backlog=_BACKLOG)
        host, port = listener.getsockname()[:2]
        bound = Address(address.network, f"{host}:{port}")
    listener.setblocking(False)
    return listener, bound


def _shut_down(connection: socket.socket) -> None:
    """Make a TLS handshake fail. (asyncio leaves the socket open if its task is cancelled.)"""
    with suppress(OSError):  # gone already
        connection.shutdown(socket.SHUT_RDWR)


async def _hand_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):  # reset by either side
        while piece := await reader.read(_PIECE):
            writer.write(piece)
            await writer.drain()


async def _until_one_ends(*directions: Coroutine[Any, Any, None]) -> None:
    tasks = [asyncio.ensure_future(direction) for direction in directions]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await _cancel(*tasks)


async def _cancel(*tasks: asyncio.Task[None]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _log_quietly(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log what went wrong with a connection. By default asyncio prints it to standard error."""
    _log.debug("%s: %r", context.get("message"), context.get("exception"))
