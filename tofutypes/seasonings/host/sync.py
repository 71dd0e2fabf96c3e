"""A client of a plugin for programs that do not use `asyncio`."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from tofutypes.locks import LockInfo
from tofutypes.seasonings.host.client import AsyncPluginClient, PluginInfo
from tofutypes.seasonings.protocol.diagnostics import HookResult
from tofutypes.seasonings.protocol.methods import HookPoint, StagePoint

if TYPE_CHECKING:
    from tofutypes.schema import Function
    from tofutypes.wire import Value

T = TypeVar("T")


class PluginClient:
    """Calls a plugin, from any thread.

    Made by [`launch`][tofutypes.seasonings.host.launching.launch]. The methods are those of
    [`AsyncPluginClient`][tofutypes.seasonings.host.client.AsyncPluginClient], and wait.
    """

    def __init__(self, start: Callable[[], Coroutine[Any, Any, AsyncPluginClient]]) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="tofutypes plugin client", daemon=True
        )
        self._thread.start()
        try:
            self._client = self._run(start())
        except BaseException:
            self._stop()
            raise

    def __enter__(self) -> PluginClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def name(self) -> str:
        """What messages call the plugin: `plugin cost`."""
        return self._client.name

    @property
    def info(self) -> PluginInfo:
        """What the plugin has said about itself."""
        return self._client.info

    def close(self) -> None:
        """End the plugin: ask, wait, terminate, kill."""
        if self._loop.is_closed():
            return
        try:
            self._run(self._client.close())
        finally:
            self._stop()

    def call(self, method: str, params: Mapping[str, object]) -> Mapping[str, object]:
        """Call any method."""
        return self._client.call_from_thread(method, params)

    def ping(self) -> None:
        """Ask whether the plugin answers."""
        self._run(self._client.ping())

    def functions(self) -> Mapping[str, Function]:
        """The functions of the plugin by name."""
        return self._run(self._client.functions())

    def call_function(self, name: str, *arguments: object) -> Value:
        """Call a function with values of Python; objects are dicts."""
        return self._run(self._client.call_function(name, *arguments))

    def hook(self, point: HookPoint | StagePoint, params: Mapping[str, object]) -> HookResult:
        """Call a hook with the params of the protocol."""
        return self._run(self._client.hook(point, params))

    def read_state(self, path: str) -> bytes | None:
        """The state at a path; None if there is none."""
        return self._run(self._client.read_state(path))

    def write_state(self, path: str, state: bytes, lock_id: str | None = None) -> None:
        """Store a state."""
        self._run(self._client.write_state(path, state, lock_id))

    def delete_state(self, path: str, lock_id: str | None = None) -> None:
        """Delete a state."""
        self._run(self._client.delete_state(path, lock_id))

    def lock_state(self, path: str, info: LockInfo) -> str:
        """Lock a state; the id of the lock."""
        return self._run(self._client.lock_state(path, info))

    def unlock_state(self, path: str, lock_id: str | None) -> None:
        """Remove a lock, whoever holds it if `lock_id` is None."""
        self._run(self._client.unlock_state(path, lock_id))

    def list_states(self, prefix: str = "") -> Sequence[str]:
        """The paths of all states that start with a prefix."""
        return self._run(self._client.list_states(prefix))

    def _run(self, work: Awaitable[T]) -> T:
        async def wait() -> T:
            return await work

        return asyncio.run_coroutine_threadsafe(wait(), self._loop).result()

    def _stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
