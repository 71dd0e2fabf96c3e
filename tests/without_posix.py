"""Takes away what Python has only on POSIX systems; for tests in a process of their own.

`python -m tests.without_posix MODULE ARGUMENT...` runs a module then.
"""

from __future__ import annotations

import _socket
import asyncio
import multiprocessing
import os
import runpy
import signal
import socket
import subprocess
import sys
import tempfile

MODULES = ("fcntl", "grp", "pwd", "posix", "pty", "resource", "syslog", "termios", "tty")
FUNCTIONS = {
    os: (
        *("chown", "fchmod", "fork", "getegid", "geteuid", "getgid", "getpgid", "getuid"),
        *("killpg", "mkfifo", "setsid", "O_NOFOLLOW", "O_NONBLOCK", "O_DIRECTORY"),
    ),
    signal: ("SIGHUP", "SIGUSR1", "SIGALRM", "pthread_sigmask"),
    socket: ("AF_UNIX",),
}
_LIBRARY = (multiprocessing, subprocess, tempfile)  # imported before: they need what goes


def take_away() -> None:
    """Take away modules and functions: to import a module, or to use a function, is an error."""
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]  # which makes the import fail
    family = socket.AF_UNIX  # asyncio makes pairs of sockets

    def socketpair(*_: object) -> tuple[socket.socket, socket.socket]:
        one, two = _socket.socketpair(family)
        return socket.socket(fileno=one.detach()), socket.socket(fileno=two.detach())

    socket.socketpair = socketpair  # type: ignore[assignment]  # is called without arguments
    for module, names in FUNCTIONS.items():
        for name in names:
            delattr(module, name)

    def add_signal_handler(*_: object) -> None:
        raise NotImplementedError

    asyncio.SelectorEventLoop.add_signal_handler = add_signal_handler  # type: ignore[method-assign, assignment]


if __name__ == "__main__":
    take_away()
    sys.argv = sys.argv[1:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
