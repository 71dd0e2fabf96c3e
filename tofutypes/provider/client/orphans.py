"""Plugins that nobody closed: they end when this process ends.

Plugins do not notice that their client is gone (observed with go-plugin), so this process ends them
however it ends itself: normally, or by SIGTERM or SIGHUP. (Nothing can be done about SIGKILL. Linux
can end the children of a killed process, but does so when the thread that started them ends.)
"""

from __future__ import annotations

import atexit
import os
import signal
import threading
from types import FrameType
from typing import Final, Protocol


class Killable(Protocol):
    """Something that can be ended at once."""

    def kill(self) -> None:
        """End it immediately. Must not wait."""


_SIGNALS: Final = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]

_running: dict[Killable, int] = {}


def remember(plugin: Killable) -> None:
    """End a plugin when this process ends, unless it is forgotten before."""
    if not _running:
        atexit.unregister(_kill_all)
        atexit.register(_kill_all)
    _running[plugin] = os.getpid()
    if threading.current_thread() is not threading.main_thread():
        return  # only the main thread can handle signals
    for number in _SIGNALS:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _terminate)


def forget(plugin: Killable) -> None:
    """Forget a plugin that has ended."""
    _running.pop(plugin, None)
    if _running or threading.current_thread() is not threading.main_thread():
        return
    for number in _SIGNALS:
        if signal.getsignal(number) is _terminate:
            signal.signal(number, signal.SIG_DFL)


def _kill_all() -> None:
    for plugin, owner in list(_running.items()):
        if owner == os.getpid():  # a forked process has no plugins of its own
            plugin.kill()


def _terminate(number: int, _frame: FrameType | None) -> None:
    _kill_all()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
