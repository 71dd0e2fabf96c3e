"""Plugins that nobody ended: they go when this process does.

A plugin does not notice that its client is gone (facts on the protocol, 1.1), so this process has
to end it however it ends itself: at its normal end, and when SIGTERM would end it. (Nothing can be
done about SIGKILL.)
"""

from __future__ import annotations

import atexit
import os
import signal
import threading
from types import FrameType
from typing import Protocol


class Killable(Protocol):
    """What can be ended at once."""

    def kill(self) -> None:
        """End it, now and without a word. Must not wait."""


_running: dict[Killable, int] = {}


def remember(plugin: Killable) -> None:
    """End this plugin if the process ends before it is forgotten."""
    _running[plugin] = os.getpid()
    if threading.current_thread() is not threading.main_thread():
        return  # only the main thread can handle signals
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _terminate)


def forget(plugin: Killable) -> None:
    """It has ended."""
    _running.pop(plugin, None)
    if _running or threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(signal.SIGTERM) is _terminate:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@atexit.register
def _kill_all() -> None:
    for plugin, owner in list(_running.items()):
        if owner == os.getpid():  # a fork has none of its own
            plugin.kill()


def _terminate(_signal: int, _frame: FrameType | None) -> None:
    _kill_all()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGTERM)
