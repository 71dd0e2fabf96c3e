"""Plugins that nobody closed: they end when this process ends.

Plugins do not notice that their client is gone (observed with go-plugin), so this process ends them
however it ends itself: normally, or by SIGTERM or SIGHUP. If it is killed (SIGKILL), a shell that
waits for that ends them. (Linux can end the children of a killed process, but does so when the
thread that started them ends.)
"""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import threading
from contextlib import suppress
from types import FrameType
from typing import Final, Protocol


class Killable(Protocol):
    """Something that can be ended at once."""

    def kill(self) -> None:
        """End it immediately. Must not wait."""


_SIGNALS: Final = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]

_running: dict[Killable, int] = {}

_WATCH: Final = 'read _; kill -KILL "$1"'
"""What the shell does. Its standard input is a pipe of this process, and ends with this process."""


class Watch:
    """A shell that kills a process when this process has ended, however it did.

    There is none where there is no `/bin/sh`.

    Args:
        process: The id of the process to kill.
    """

    def __init__(self, process: int) -> None:
        self._lock = threading.Lock()
        self._shell: subprocess.Popen[bytes] | None = None
        with suppress(OSError):
            self._shell = subprocess.Popen(
                ["/bin/sh", "-c", _WATCH, "sh", str(process)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,  # pipes of this process must end with this process
                stderr=subprocess.DEVNULL,
                cwd="/",
                start_new_session=True,  # Ctrl-C in a terminal must not end it
            )

    def end(self) -> None:
        """End the watch: the process has ended, and its id may soon be that of another one."""
        with self._lock:
            shell, self._shell = self._shell, None
        if shell is not None:
            shell.kill()
            shell.communicate()


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
