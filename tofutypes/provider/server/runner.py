"""Running the author's code, whether it is `async` or not."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable
from typing import Final, TypeVar, cast

T = TypeVar("T")

_log: Final = logging.getLogger("tofutypes.provider")


class Runner:
    """Waits for what an `async` method gives, on one event loop that all of them share.

    Calls come on threads of their own, so that waiting here holds nobody up.

    Attributes:
        stopping: set when the user interrupts what is running now.
    """

    def __init__(self) -> None:
        self.stopping = threading.Event()
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()

    def __call__(self, result: T | Awaitable[T]) -> T:
        """The result, once it is there."""
        if not isinstance(result, Awaitable):
            return result
        later = cast("Awaitable[T]", result)
        return asyncio.run_coroutine_threadsafe(_wait(later), self._running_loop()).result()

    def stop(self) -> None:
        """Ask what is running now to end early; what is called later is not asked."""
        self.stopping, running = threading.Event(), self.stopping
        running.set()

    def close(self) -> None:
        """End the event loop, if one was needed."""
        with self._lock:
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
            self._closing.set()
        if loop is not None and thread is not None:
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._closing.clear()
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=_run,
                    args=(self._loop, self._closing),
                    name="tofutypes-async",
                    daemon=True,
                )
                self._thread.start()
            return self._loop


def _run(loop: asyncio.AbstractEventLoop, closing: threading.Event) -> None:
    """Run the loop whatever its tasks do to it: others would wait for ever."""
    while not closing.is_set():
        try:
            loop.run_forever()
        except BaseException as error:  # noqa: BLE001  # SystemExit, for one
            _log.error("A task ended the event loop, which goes on", exc_info=error)


async def _wait(result: Awaitable[T]) -> T:
    try:
        return await result
    except (SystemExit, KeyboardInterrupt) as error:
        # These would end the event loop, and leave all other calls waiting.
        raise RuntimeError(f"{type(error).__name__} raised") from error
