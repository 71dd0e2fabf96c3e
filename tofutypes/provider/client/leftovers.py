"""Plugins that nobody ended: they go when this process does.

A plugin does not notice that its client is gone (observed: plugins of go-plugin), so this process
has to end it however it ends itself: at its normal end, and when SIGTERM or SIGHUP would end it.
(Nothing can be done about SIGKILL. Linux can end the children of a process that is killed, but it
does so at the end of the thread that started them.)
"""

from __future__ import annotations

import atexit
import os
import signal
import threading
from types import FrameType
from typing import Final, Protocol


class Killable(Protocol):
    """What can be ended at once."""

    def kill(self) -> None:
        """End it, now and without a word. Must not wait."""


_SIGNALS: Final = [getattr(signal, each) for each in ("SIGTERM", "SIGHUP") if hasattr(signal, each)]

_running: dict[Killable, int] = {}


def remember(plugin: Killable) -> None:
    """End this plugin if the process ends before it is forgotten."""
    _running[plugin] = os.getpid()
    if threading.current_thread() is not threading.main_thread():
        return  # only the main thread can handle signals
    for each in _SIGNALS:
        if signal.getsignal(each) is signal.SIG_DFL:
            signal.signal(each, _terminate)


def forget(plugin: Killable) -> None:
    """It has ended."""
    _running.pop(plugin, None)
    if _running or threading.current_thread() is not threading.main_thread():
        return
    for each in _SIGNALS:
        if signal.getsignal(each) is _terminate:
            signal.signal(each, signal.SIG_DFL)


@atexit.register
def _kill_all() -> None:
    for plugin, owner in list(_running.items()):
        if owner == os.getpid():  # a fork has none of its own
            plugin.kill()


def _terminate(number: int, _frame: FrameType | None) -> None:
    _kill_all()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
