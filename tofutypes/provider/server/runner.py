"""Running the author's code, whether it is `async` or not, within a time if there is one."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
import traceback
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from types import FrameType
from typing import Any, Final, TypeVar, cast
from weakref import WeakSet

T = TypeVar("T")

GRACE: Final = 1.0
"""Seconds that code has to end after its time is over, before it is left alone."""

_log: Final = logging.getLogger("tofutypes.provider")


class OverdueError(Exception):
    """The author's code took longer than it may. Has the stack at that moment.

    Attributes:
        stack: The files and lines, the innermost last.
    """

    def __init__(self, stack: traceback.StackSummary) -> None:
        self.stack = stack
        super().__init__("the time is over")


class Runner:
    """Waits for the results of `async` methods, on one event loop that all of them share.

    Calls come on threads of their own, so that waiting here holds nobody up.

    Attributes:
        stopping: Set when the user interrupts the calls that run now.
    """

    def __init__(self) -> None:
        self.stopping = threading.Event()
        self._own_stopping: WeakSet[threading.Event] = WeakSet()
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()

    def __call__(self, result: T | Awaitable[T]) -> T:
        """Return a result, once it is there."""
        if not isinstance(result, Awaitable):
            return result
        return self.wait(cast("Awaitable[T]", result))

    def wait(self, later: Awaitable[T]) -> T:
        """Return the result of a coroutine, once it is there."""
        return asyncio.run_coroutine_threadsafe(_wait(later), self._running_loop()).result()

    def within(
        self, seconds: float, call: Callable[[], T | Awaitable[T]], stopping: threading.Event
    ) -> T:
        """Run code, and give up when its time is over.

        A coroutine is cancelled. Other code finds `stopping` set, and is left alone after a moment.

        Args:
            seconds: How long the code may take.
            call: The code.
            stopping: The event of the code's context; set also when the user interrupts.

        Raises:
            OverdueError: If the code took longer.
        """
        running = _Running(call, self._running_loop)
        end = time.monotonic() + seconds
        interrupted = self.stopping
        while not running.done.wait(min(_POLL, max(end - time.monotonic(), 0))):
            if interrupted.is_set():
                stopping.set()
            if time.monotonic() >= end:
                stack = running.stack()
                stopping.set()
                running.cancel()
                running.done.wait(GRACE)
                raise OverdueError(stack)
        result: T = running.outcome.result()
        return result

    def stop(self) -> None:
        """Ask the calls that run now to end early; later calls are not asked."""
        self.stopping, running = threading.Event(), self.stopping
        running.set()
        with self._lock:
            events = list(self._own_stopping)
        for event in events:
            event.set()

    def stopping_of_one_call(self) -> threading.Event:
        """Return an event for one call: set by `stop`, and by a caller that goes away."""
        event = threading.Event()
        with self._lock:
            self._own_stopping.add(event)
        return event

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


_POLL: Final = 0.1  # seconds until an interruption reaches code that has a time


class _Running:
    """Code in a thread of its own, with the coroutine that it may have returned."""

    def __init__(
        self, call: Callable[[], Any], loop: Callable[[], asyncio.AbstractEventLoop]
    ) -> None:
        self.done = threading.Event()
        self.outcome: Future[Any] = Future()
        self._call, self._loop = call, loop
        self._coroutine: Any = None
        self._later: Future[Any] | None = None
        self._thread = threading.Thread(target=self._run, name="tofutypes-timed", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            result: object = self._call()
            if isinstance(result, Awaitable):
                later = cast("Awaitable[object]", result)
                self._coroutine = later
                self._later = asyncio.run_coroutine_threadsafe(_wait(later), self._loop())
                result = self._later.result()
            self.outcome.set_result(result)
        except BaseException as error:  # noqa: BLE001  # whatever the author's code raises
            self.outcome.set_exception(error)
        finally:
            self.done.set()

    def cancel(self) -> None:
        if self._later is not None:
            self._later.cancel()

    def stack(self) -> traceback.StackSummary:
        """Where the code is now."""
        if self._coroutine is not None:
            return traceback.StackSummary.extract(_frames_of(self._coroutine))
        frames = sys._current_frames()  # pyright: ignore[reportPrivateUsage]  # nothing else has them
        frame = frames.get(self._thread.ident or 0)
        return traceback.extract_stack(frame)


def _frames_of(coroutine: Any) -> Iterator[tuple[FrameType, int]]:
    """The frames of coroutines that wait for one another, the innermost last."""
    while coroutine is not None:
        frame: FrameType | None = getattr(coroutine, "cr_frame", None)
        if frame is not None:
            yield frame, frame.f_lineno
        coroutine = getattr(coroutine, "cr_await", None)


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
