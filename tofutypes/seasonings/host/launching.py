"""Starting plugins."""

from __future__ import annotations

import asyncio
import logging
import shlex
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from tofutypes.seasonings.errors import PeerError, SeasoningsError, no_such_method
from tofutypes.seasonings.host.client import AsyncPluginClient
from tofutypes.seasonings.host.process import LOGGER, PluginProcess
from tofutypes.seasonings.host.sync import PluginClient
from tofutypes.seasonings.protocol.methods import LOG
from tofutypes.seasonings.rpc.channel import FileChannel
from tofutypes.seasonings.rpc.handlers import Handler
from tofutypes.seasonings.rpc.limits import DEFAULT_LIMITS, MessageLimits
from tofutypes.seasonings.rpc.messages import Params
from tofutypes.seasonings.rpc.peer import Peer

if TYPE_CHECKING:
    from tofutypes.models import Model

START_TIMEOUT: Final = 30.0
"""Seconds that a plugin has to answer `init`."""

GRACE: Final = 6.0
"""Seconds that a plugin has to end by itself, and then again after SIGTERM."""


def split_command(command: str | Sequence[str]) -> Sequence[str]:
    """A command as a list; a string is split as a shell would.

    Raises:
        PeerError: If the string has an open quotation.
    """
    if not isinstance(command, str):
        return list(command)
    try:
        return shlex.split(command)
    except ValueError as error:
        raise PeerError(f"{command!a}: {str(error).lower()}") from None


async def launch_async(
    command: str | Sequence[str],
    *,
    config: Model | Mapping[str, object] | None = None,
    timeout: float | None = None,
    start_timeout: float = START_TIMEOUT,
    grace: float = GRACE,
    environment: Mapping[str, str] | None = None,
    limits: MessageLimits = DEFAULT_LIMITS,
) -> AsyncPluginClient:
    """Start a plugin for `asyncio`; see [`launch`][tofutypes.seasonings.host.launching.launch].

    async with await launch_async("python cost.py") as plugin:
        print(await plugin.call_function("monthly", 2))
    """
    client = await start(
        command, timeout=timeout, grace=grace, environment=environment, limits=limits
    )
    try:
        await client.init(config, start_timeout)
    except BaseException:
        await client.close()
        raise
    return client


def launch(
    command: str | Sequence[str],
    *,
    config: Model | Mapping[str, object] | None = None,
    timeout: float | None = None,
    start_timeout: float = START_TIMEOUT,
    grace: float = GRACE,
    environment: Mapping[str, str] | None = None,
    limits: MessageLimits = DEFAULT_LIMITS,
) -> PluginClient:
    """Start a plugin, greet it, and return a client that can be used from any thread.

        with launch("python cost.py") as plugin:
            print(plugin.call_function("monthly", 2))

    What the plugin writes to standard error goes to the logger `tofutypes.seasonings`. The plugin
    ends when the client is closed, at the latest with this process.

    Args:
        command: the program and its arguments; a string is split as a shell would.
        config: the configuration of the plugin.
        timeout: the seconds that a call may take; None for as long as it wants.
        start_timeout: the seconds that the plugin has to answer `init`.
        grace: the seconds that the plugin has to end by itself.
        environment: its whole environment; by default that of this process.
        limits: how large messages may be, and how many calls may run at the same time.

    Raises:
        PeerError: If the program cannot be started, or is no plugin.
        CallError: If the plugin refuses its configuration.
    """
    return PluginClient(
        lambda: launch_async(
            command,
            config=config,
            timeout=timeout,
            start_timeout=start_timeout,
            grace=grace,
            environment=environment,
            limits=limits,
        )
    )


async def start(
    command: str | Sequence[str],
    *,
    timeout: float | None = None,
    grace: float = GRACE,
    environment: Mapping[str, str] | None = None,
    limits: MessageLimits = DEFAULT_LIMITS,
    extra_notified: Callable[[str, Params], None] | None = None,
) -> AsyncPluginClient:
    """Start a plugin without greeting it.

    Raises:
        PeerError: If the program cannot be started.
    """
    process = PluginProcess(split_command(command), environment)

    def notified(method: str, params: Params) -> None:
        if extra_notified is not None:
            extra_notified(method, params)
        if method == LOG:
            _log(peer.name, params)

    peer = Peer(_serve, notified, name=process.name, limits=limits)
    connection = _Connection(peer, process, grace)
    client = AsyncPluginClient(peer, connection.close, timeout)
    connection.shutdown = client.shutdown
    return client


def _serve(method: str) -> Handler:
    raise no_such_method(method)


class _Connection:
    """A plugin's process, and the peer that speaks with it: one does not outlive the other."""

    def __init__(self, peer: Peer, process: PluginProcess, grace: float) -> None:
        self._peer = peer
        self._process = process
        self._grace = grace
        self._closing = False
        self._closed: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.shutdown: Callable[[float], Awaitable[None]] | None = None
        self._channel = FileChannel(
            process.read_from, process.write_to, self._received, self._stream_ended
        )
        peer.ended.add_done_callback(self._peer_ended)
        peer.start(self._channel)

    async def close(self) -> None:
        """End the plugin, once."""
        if self._closed is None:
            self._closed = asyncio.ensure_future(self._close())
        await asyncio.shield(self._closed)

    async def _close(self) -> None:
        self._closing = True
        try:
            if not self._peer.ended.done() and self.shutdown is not None:
                with suppress(SeasoningsError):
                    await self.shutdown(self._grace)
        finally:
            failed = self._peer.ended.done() and self._peer.ended.result() is not None
            self._channel.close()
            self._peer.end(None)
            await self._process.end(0 if failed else self._grace)

    def _received(self, data: bytes) -> None:
        if data:
            self._peer.receive(data)
        else:
            self._stream_ended()

    def _stream_ended(self) -> None:
        if not self._peer.ended.done() and not self._closing:
            self._spawn(self._describe_end())

    async def _describe_end(self) -> None:
        how = await self._process.describe_end()
        self._peer.end(PeerError(f"{self._peer.name}: {how}"))

    def _peer_ended(self, ended: asyncio.Future[PeerError | None]) -> None:
        if ended.result() is not None:
            self._process.kill()

    def _spawn(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


_LEVELS: Final = {
    "trace": 5,
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warn": logging.WARNING,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}


def _log(name: str, params: Params) -> None:
    level = _LEVELS.get(str(params.get("level")).lower(), logging.INFO)
    logging.getLogger(LOGGER).log(level, "%s: %s", name, params.get("message", ""))
