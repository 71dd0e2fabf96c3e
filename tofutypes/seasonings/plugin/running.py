"""A plugin's process: standard input and output, logs, and the end."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from tofutypes.seasonings.errors import CallError
from tofutypes.seasonings.plugin.definition import PluginDefinition
from tofutypes.seasonings.plugin.service import PluginService
from tofutypes.seasonings.protocol.methods import LOG
from tofutypes.seasonings.rpc.channel import FileChannel
from tofutypes.seasonings.rpc.peer import Peer

GRACE: Final = 5.0
"""Seconds that calls have to finish when the plugin is to end."""

_GLANCE: Final = 0.02
_LAST_WORD: Final = 0.1
_OWN_LOGGER: Final = "tofutypes.seasonings"


def run(plugin: PluginDefinition[Any], arguments: Sequence[str]) -> int:
    """Serve a plugin on standard input and output until it is to end.

    Returns:
        The exit code of the process.
    """
    debug = "--debug" in arguments
    if sys.stdin is not None and sys.stdin.isatty():
        sys.stderr.write(
            f"{plugin.name} {plugin.version} is a plugin: a host starts it and speaks MessagePack "
            "with it. To try it: tofutypes plugin check -- COMMAND\n"
        )
        return 2
    read_from, write_to = _take_streams()
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.DEBUG if debug else logging.INFO,
        format=f"{plugin.name}: %(levelname)s: %(message)s",
    )
    try:
        error = asyncio.run(_serve(plugin, read_from, write_to))
    except KeyboardInterrupt:  # before the event loop could take the signal
        return 130
    if error is not None:
        sys.stderr.write(f"{plugin.name}: {error}\n")
        return 1
    return 0


def _take_streams() -> tuple[int, int]:
    """Keep standard input and output for messages; the process gets others in their place."""
    sys.stdout.flush()
    read_from, write_to = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)  # a `print` goes to standard error, also of programs that the plugin starts
    return read_from, write_to


async def _serve(plugin: PluginDefinition[Any], read_from: int, write_to: int) -> Exception | None:
    ending = asyncio.Event()
    service = PluginService(plugin, ending.set)
    peer = Peer(service.serve, service.notified, name="host", limits=plugin.limits)
    channel = FileChannel(read_from, write_to, peer.receive, lambda: peer.end(None))
    peer.ended.add_done_callback(lambda _: ending.set())
    peer.start(channel)
    loop = asyncio.get_running_loop()
    with suppress(NotImplementedError):
        # Ctrl-C reaches the whole process group: the host decides what happens.
        loop.add_signal_handler(signal.SIGINT, lambda: None)
        loop.add_signal_handler(signal.SIGTERM, ending.set)
    handler = _HostLog(peer, service)
    root = logging.getLogger()
    for other in root.handlers:
        other.addFilter(lambda record: bool(record.exc_info) or not handler.wanted)
    root.addHandler(handler)
    try:
        await ending.wait()
        await _finish(peer)
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(channel.drain(), GRACE)
        # Some hosts (Neovim) lose the answer to `shutdown` if the stream ends right behind it.
        await asyncio.wait([peer.ended], timeout=_LAST_WORD)
    finally:
        root.removeHandler(handler)
        channel.close()
    return peer.ended.result() if peer.ended.done() else None


async def _finish(peer: Peer) -> None:
    """Wait until the calls in flight are answered, or their time is over."""
    deadline = peer.loop.time() + GRACE
    while peer.running and peer.loop.time() < deadline:
        await asyncio.sleep(_GLANCE)


class _HostLog(logging.Handler):
    """Sends log records to a host that wants them, as notifications."""

    def __init__(self, peer: Peer, service: PluginService) -> None:
        super().__init__()
        self._peer = peer
        self._service = service

    @property
    def wanted(self) -> bool:
        """Whether the host takes log records. Standard error gets those with a traceback then."""
        return LOG in self._service.host_capabilities and not self._peer.ended.done()

    def emit(self, record: logging.LogRecord) -> None:
        if not self.wanted:
            return
        message: Mapping[str, object] = {
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            "logger": record.name,
        }
        with suppress(CallError):
            self._peer.notify(LOG, message)
