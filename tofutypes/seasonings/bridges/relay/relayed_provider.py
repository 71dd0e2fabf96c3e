"""A provider behind a relay: its real processes, and where Terraform Core connects."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from tofutypes.seasonings.bridges.relay.installed import InstalledProvider
from tofutypes.seasonings.bridges.relay.real_provider import RealProvider
from tofutypes.seasonings.bridges.relay.resource_calls import ResourceCalls
from tofutypes.seasonings.bridges.relay.session import Session


class RelayedProvider:
    """A relay before one provider.

    Terraform Core makes a connection for each instance of a provider: for each alias, and for each
    walk. As without a relay, each has a real provider of its own.

    Args:
        installed: its executable.
        calls: the calls with hooks.
        failed: is told of processes that end too early.
    """

    def __init__(
        self, installed: InstalledProvider, calls: ResourceCalls, failed: Callable[[str], None]
    ) -> None:
        self.installed = installed
        self._failed = failed
        self._calls = calls
        self._major = 0
        self._spare: RealProvider | None = None
        self._started: list[RealProvider] = []
        self._left: list[RealProvider] = []
        self._server: asyncio.Server | None = None

    async def start(self, socket: Path) -> int:
        """Start the first process, and listen; the protocol version that the provider speaks.

        Raises:
            PluginError: If the provider cannot be started.
        """
        self._spare = await self._start()
        self._major = self._spare.major
        loop = asyncio.get_running_loop()
        self._server = await loop.create_unix_server(self._accept, str(socket))
        return self._major

    async def close(self) -> None:
        """Stop listening, and end all processes."""
        if self._server is not None:
            self._server.close()
        await asyncio.gather(*(provider.close() for provider in self._started))

    async def take(self, *, configured: bool) -> RealProvider:
        """A process for a connection.

        Args:
            configured: whether the connection goes on with a process that was configured before.
                gRPC closes connections over which nothing was called for half an hour.

        Raises:
            PluginError: If the provider cannot be started.
        """
        if configured and len(self._left) == 1:
            return self._left.pop()
        spare, self._spare = self._spare, None
        return spare or await self._start()

    def leave(self, provider: RealProvider) -> None:
        """Keep a configured process whose connection was closed."""
        self._left.append(provider)

    def failed(self, message: str) -> None:
        """Note that a process has ended, or could not be started."""
        self._failed(f"{self.installed.address}: {message}")

    async def _start(self) -> RealProvider:
        provider = await RealProvider.start(self.installed)
        self._started.append(provider)
        return provider

    def _accept(self) -> asyncio.Protocol:
        return Session(self, self._calls, self._major).core
