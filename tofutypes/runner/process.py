"""The process of OpenTofu or Terraform: found, run, interrupted, and never left behind."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Queue
from typing import IO, Final

PROGRAMS: Final = ("tofu", "terraform")
"""What is looked for on the PATH, in this order."""

_GRACE: Final = 5.0
"""Seconds for a process to end after SIGTERM."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A process that ended.

    Attributes:
        code: its exit code.
        output: what it wrote to standard output; empty if the lines were handed on.
        errors: what it wrote to standard error.
    """

    code: int
    output: bytes
    errors: bytes


def find_program() -> str | None:
    """The path of `tofu`, or else of `terraform`; None if neither is on the PATH."""
    for program in PROGRAMS:
        path = shutil.which(program)
        if path is not None:
            return str(Path(path).absolute())
    return None


def run_process(
    command: Sequence[str],
    folder: Path,
    *,
    timeout: float | None = None,
    environment: Mapping[str, str] | None = None,
    on_line: Callable[[bytes], None] | None = None,
) -> Finished:
    """Run a program to its end. However that comes, nothing runs on.

    An interrupt (Ctrl-C) is handed on once, and the program has the time to finish what it is
    doing; a second one ends it.

    Args:
        command: the program and its arguments.
        folder: where it runs.
        timeout: seconds until it is ended; None for no limit.
        environment: its environment; None for that of this process.
        on_line: takes each line of standard output as it comes.

    Raises:
        OSError: If it cannot be started.
        subprocess.TimeoutExpired: If it takes longer than `timeout`.
    """
    with subprocess.Popen(
        list(command),
        cwd=folder,
        env=None if environment is None else dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # so that the providers that it starts can be ended with it
    ) as process:
        collected: list[bytes] = []
        errors: list[bytes] = []
        lines: Queue[bytes | None] = Queue()
        threads = [
            threading.Thread(target=_read_lines, args=(process.stdout, lines.put), daemon=True),
            threading.Thread(target=_read_lines, args=(process.stderr, errors.append), daemon=True),
        ]
        for thread in threads:
            thread.start()
        try:
            _take_lines(process, lines, on_line or collected.append, timeout)
            threads[1].join()
        except BaseException:
            _stop(process)
            raise
    return Finished(process.returncode, b"".join(collected), b"".join(filter(None, errors)))


def _read_lines(pipe: IO[bytes] | None, put: Callable[[bytes | None], object]) -> None:
    if pipe is not None:
        with contextlib.suppress(ValueError, OSError):  # closed under our feet
            for line in pipe:
                put(line)
    put(None)


def _take_lines(
    process: subprocess.Popen[bytes],
    lines: Queue[bytes | None],
    take: Callable[[bytes], None],
    timeout: float | None,
) -> None:
    """Hand on the lines until the process ends."""
    deadline = None if timeout is None else time.monotonic() + timeout
    interrupted = False
    while True:
        try:
            rest = None if deadline is None else max(0.0, deadline - time.monotonic())
            try:
                line = lines.get(timeout=rest)
            except Empty:
                raise subprocess.TimeoutExpired(process.args, timeout or 0) from None
            if line is None:
                break
            take(line)
        except KeyboardInterrupt:
            if interrupted:
                raise
            interrupted = True
            with contextlib.suppress(OSError, ValueError):  # Windows has no such signal
                process.send_signal(signal.SIGINT)
    process.wait(None if deadline is None else max(_GRACE, deadline - time.monotonic()))
    if interrupted:
        raise KeyboardInterrupt


def _stop(process: subprocess.Popen[bytes]) -> None:
    for kill in (False, True):
        _signal(process, kill=kill)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE)
            break
    _signal(process, kill=True)  # what it left behind


def _signal(process: subprocess.Popen[bytes], *, kill: bool) -> None:
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL if kill else signal.SIGTERM)
