"""A real provider: its process, and connections to it."""

from __future__ import annotations

import asyncio
import os
from contextlib import ExitStack
from typing import Final

from tofutypes.provider.client.plugin_environment import plugin_environment
from tofutypes.provider.client.process import PluginProcess
from tofutypes.provider.messages.versions import SUPPORTED
from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.provider.transport.addresses import UNIX
from tofutypes.provider.transport.folders import CLIENT_PREFIX, private_folder
from tofutypes.provider.transport.handshake import Handshake
from tofutypes.seasonings.bridges.relay.header_blocks import request
from tofutypes.seasonings.bridges.relay.http2 import Events, Http2Connection
from tofutypes.seasonings.bridges.relay.installed import InstalledProvider

_START_TIMEOUT: Final = 60.0
_GRACE: Final = 2.0
_SHUTDOWN: Final = "/plugin.GRPCController/Shutdown"
_EMPTY_MESSAGE: Final = bytes(5)


class RealProvider:
    """A running provider.

    Attributes:
        major: the protocol version that it speaks.
    """

    def __init__(self, process: PluginProcess, handshake: Handshake, resources: ExitStack) -> None:
        self._process = process
        self._resources = resources
        self._address = handshake.listens_on
        self.major = handshake.protocol

    @classmethod
    async def start(cls, provider: InstalledProvider) -> RealProvider:
        """Start a provider as Terraform Core does, without TLS: its socket is this user's alone.

        Raises:
            PluginError: If it cannot be started.
        """
        return cls(*await asyncio.to_thread(_start, provider))

    async def connect(self, connection: Http2Connection) -> None:
        """Connect to the provider.

        Raises:
            OSError: If it does not listen any more.
        """
        loop = asyncio.get_running_loop()
        if self._address.network == UNIX:
            await loop.create_unix_connection(lambda: connection, self._address.text)
        else:
            await loop.create_connection(lambda: connection, *self._address.host_and_port)

    async def status(self) -> str:
        """What became of the provider, in a few words."""
        return await asyncio.to_thread(self._process.status)

    async def close(self) -> None:
        """End the provider as Terraform Core does."""
        try:
            async with asyncio.timeout(_GRACE):
                await self._shut_down()
        except (OSError, TimeoutError):
            pass
        await asyncio.to_thread(self._process.end, _GRACE)
        self._resources.close()

    async def _shut_down(self) -> None:
        ended = asyncio.Event()

        def headers(_stream: int, _block: bytes, end: bool) -> None:
            if end:
                ended.set()

        def data(_stream: int, _data: bytes, _end: bool) -> None:
            return

        def reset(_stream: int, _code: int) -> None:
            ended.set()

        events = Events(headers, data, reset, ended.set)
        connection = Http2Connection(events, is_server=False)
        connection.send_headers(1, request(_SHUTDOWN), False)
        connection.send_data(1, _EMPTY_MESSAGE, True)
        await self.connect(connection)
        try:
            await ended.wait()
        finally:
            connection.close()


def _start(provider: InstalledProvider) -> tuple[PluginProcess, Handshake, ExitStack]:
    with ExitStack() as stack:
        folder = stack.enter_context(private_folder(CLIENT_PREFIX))
        environment = plugin_environment(os.environ, None, folder, SUPPORTED)
        process = PluginProcess(provider.executable, environment, folder)
        failed = stack.enter_context(ExitStack())
        failed.callback(process.end, 0)
        handshake = process.handshake(_START_TIMEOUT)
        if handshake.protocol not in SUPPORTED:
            version = handshake.protocol
            raise PluginError(f"{provider.executable}: unsupported protocol version {version}")
        failed.pop_all()
        return process, handshake, stack.pop_all()
