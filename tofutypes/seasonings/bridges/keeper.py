"""A plugin that is started again when it has ended."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, TypeVar

from tofutypes.seasonings.errors import CallTimeoutError, PeerError
from tofutypes.seasonings.host.client import AsyncPluginClient
from tofutypes.seasonings.host.launching import launch_async

T = TypeVar("T")

_log: Final = logging.getLogger("tofutypes.seasonings")


class PluginKeeper:
    """Keeps a plugin running.

    Args:
        command: the program and its arguments.
        config: the configuration of the plugin.
        timeout: the seconds that a call may take.
    """

    def __init__(
        self,
        command: Sequence[str],
        config: Mapping[str, object] | None = None,
        timeout: float = 60.0,
    ) -> None:
        self._command = command
        self._config = config
        self._timeout = timeout
        self._client: AsyncPluginClient | None = None
        self._starting = asyncio.Lock()

    async def client(self) -> AsyncPluginClient:
        """The plugin, started if it does not run.

        Raises:
            PeerError: If it cannot be started.
        """
        async with self._starting:
            if self._client is not None and self._client.peer.ended.done():
                _log.warning("%s; starting it again", self._client.peer.ended.result())
                await self.close()
            if self._client is None:
                self._client = await launch_async(
                    self._command, config=self._config, timeout=self._timeout
                )
            return self._client

    async def repeat(self, call: Callable[[AsyncPluginClient], Awaitable[T]]) -> T:
        """Make a call that may be made twice: a second time if the plugin ended in the first.

        Raises:
            PeerError: If the plugin ended twice, or does not answer.
        """
        try:
            return await call(await self.client())
        except CallTimeoutError:
            raise
        except PeerError:
            return await call(await self.client())

    async def close(self) -> None:
        """End the plugin."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()
