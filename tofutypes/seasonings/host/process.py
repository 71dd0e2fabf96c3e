"""The process of a plugin: started, heard, and ended with everything that it started."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import re
import shutil
import signal
import subprocess
import threading
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO, Final

from tofutypes.errors import one_line
from tofutypes.seasonings.errors import PeerError

LOGGER: Final = "tofutypes.seasonings"

_LONGEST_LINE: Final = 64 << 10
_SHOWN: Final = 300
_PATIENCE: Final = 1.0
_GLANCE: Final = 0.01

_INTERPRETERS: Final = re.compile(r"python|node|deno|bun|ruby|bash|sh\b|uv\b|npx", re.IGNORECASE)

_REASONS: Final = {
    errno.ENOENT: "command not found",
    errno.EACCES: "permission denied: the file is not executable",
    errno.ENOEXEC: "not a program for this machine",
}

logging.getLogger(LOGGER).addHandler(logging.NullHandler())


class PluginProcess:
    """A plugin's process, in a process group of its own.

    Args:
        command: the program and its arguments.
        environment: its whole environment; None for that of this process.
        folder: its working directory; None for that of this process.

    Attributes:
        name: what messages call the plugin until it says its name.
        read_from, write_to: file descriptors of its output and input, which the caller closes.

    Raises:
        PeerError: If the process cannot be started.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str] | None = None,
        folder: str | None = None,
    ) -> None:
        if not command or not command[0]:
            raise PeerError("plugin: expected a command")
        self.name = f"plugin {_name_of(command)}"
        self._last = ""
        self._process = self._start(command, environment, folder)
        # At the latest when this process ends. A plugin that is not hung notices by itself: its
        # standard input ends.
        self._leftover = weakref.finalize(self, _kill_group, self._process)
        self.write_to = _take(self._process.stdin)
        self.read_from = _take(self._process.stdout)
        self._reader = threading.Thread(
            target=self._read_errors, args=(self._process.stderr,), daemon=True
        )
        self._reader.start()

    def _start(
        self, command: Sequence[str], environment: Mapping[str, str] | None, folder: str | None
    ) -> subprocess.Popen[bytes]:
        program = shutil.which(command[0]) or command[0]
        try:
            return subprocess.Popen(
                [program, *command[1:]],
                env=environment,
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:  # ValueError: a NUL in the command
            reason = _REASONS.get(getattr(error, "errno", 0) or 0)
            shown = one_line(command[0])
            raise PeerError(f"{shown}: {reason or f'cannot be started ({error})'}") from None

    @property
    def pid(self) -> int:
        """The id of the process, which is that of its group too."""
        return self._process.pid

    @property
    def last_words(self) -> str:
        """The last line on its standard error; empty if there is none."""
        return self._last if len(self._last) <= _SHOWN else f"{self._last[:_SHOWN]}…"

    async def describe_end(self) -> str:
        """How the process ended, and what it said last."""
        if not await self._wait(_PATIENCE):
            what = "closed its standard output"
        else:
            self._reader.join(_PATIENCE)
            code = self._process.returncode
            what = f"exited with code {code}" if code >= 0 else f"was ended by {_signal(-code)}"
        return f"{what}; its last line: {self.last_words!a}" if self._last else what

    async def end(self, grace: float) -> int:
        """Wait until the process ends by itself, then terminate it, then kill it.

        Args:
            grace: the seconds that each of the first two steps may take.

        Returns:
            The exit code.
        """
        try:
            if not await self._wait(grace):
                self._process.terminate()
                await self._wait(grace)
        finally:
            self.kill()
            code = self._process.wait()
            self._leftover.detach()
            self._reader.join(_PATIENCE)
        return code

    def kill(self) -> None:
        """End the process and all that it started, at once."""
        _kill_group(self._process)

    async def wait(self, seconds: float) -> int | None:
        """The exit code when the process has ended by itself; None if it takes longer."""
        return self._process.returncode if await self._wait(seconds) else None

    async def _wait(self, seconds: float) -> bool:
        """Wait until the process has ended; whether it has."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while self._process.poll() is None:
            if loop.time() >= deadline:
                return False
            await asyncio.sleep(_GLANCE)
        return True

    def _read_errors(self, stream: IO[bytes] | None) -> None:
        if stream is None:
            return
        with stream:
            while line := stream.readline(_LONGEST_LINE):
                text = one_line(line.decode("utf-8", "replace").strip())
                if text:
                    self._last = text
                    logging.getLogger(LOGGER).info("%s: %s", self.name, text)


def _name_of(command: Sequence[str]) -> str:
    """The name of a program; of the script, if the program is an interpreter."""
    names = [re.split(r"[/\\]", part)[-1] for part in command if not part.startswith("-")]
    if len(names) > 1 and _INTERPRETERS.match(names[0]):
        return names[1]
    return names[0] if names else command[0]


def _take(stream: IO[bytes] | None) -> int:
    """A file descriptor of its own for a stream, which is closed."""
    if stream is None:
        raise PeerError("the plugin has no standard streams")
    with stream:
        return os.dup(stream.fileno())


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
