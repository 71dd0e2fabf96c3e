"""The process of a provider: started, heard, and ended.

Source: go-plugin, `client.go`.
"""

from __future__ import annotations

import errno
import re
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from tofutypes.provider.client.leftovers import forget, remember
from tofutypes.provider.client.logs import PluginLog
from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.provider.transport.handshake import Handshake, parse_handshake

_LONGEST_LINE: Final = 64 << 10  # bytes; no handshake is as long
_PIECE: Final = 64 << 10
_GLANCE: Final = 0.05  # seconds
_PATIENCE: Final = 1.0  # seconds that a process gets to end, and its output to arrive

_NAME: Final = re.compile(r"terraform-provider-([\w-]+)")

_REASONS: Final = {
    errno.ENOENT: "there is no such file",
    errno.EACCES: "it must not be executed",
    errno.ENOEXEC: "it is not a program for this kind of machine",
}


def provider_name(executable: Path) -> str:
    """The name of the provider that a program is of: `null`, of `terraform-provider-null_v3.2.4`.

    The name of the file if that does not tell.
    """
    found = _NAME.match(executable.name)
    return found[1].partition("_")[0] if found else executable.stem


class PluginProcess:
    """A provider that was started, and ends at the latest when this process does.

    Args:
        executable: the program.
        environment: its whole environment.
        folder: what is its alone, and goes with it.

    Attributes:
        name: the name of the provider.

    Raises:
        PluginError: it cannot be started.
    """

    def __init__(self, executable: Path, environment: Mapping[str, str], folder: Path) -> None:
        self.name = provider_name(executable)
        self._folder = folder
        self._executable = executable
        self._log = PluginLog(self.name)
        self._first_line: Future[bytes] = Future()
        self._process = self._start(environment)
        remember(self)
        self._readers = (
            self._read(self._process.stdout, self._read_output),
            self._read(self._process.stderr, self._log.read),
        )

    def handshake(self, timeout: float) -> Handshake:
        """What it says when it listens.

        Args:
            timeout: how many seconds it may take.

        Raises:
            PluginError: it ends before, takes too long, or says something else.
        """
        deadline = time.monotonic() + timeout
        while not self._first_line.done():
            with suppress(FutureTimeoutError):
                self._first_line.result(_GLANCE)
            if self._process.poll() is not None:
                # What it said before may still be on its way.
                with suppress(FutureTimeoutError):
                    self._first_line.result(_PATIENCE)
                break
            if time.monotonic() > deadline:
                what = f"did not say within {timeout:g} seconds where it listens"
                raise PluginError(f"{self._executable}: the provider {what}{self._last_words()}")
        line = self._first_line.result() if self._first_line.done() else b""
        if not line:
            raise PluginError(f"{self._executable}: the provider {self.how_it_is()}")
        try:
            return parse_handshake(line.decode("utf-8", "replace"))
        except PluginError as error:
            raise PluginError(f"{self._executable}: {error}{self._last_words()}") from None

    def how_it_is(self, trouble: str = "") -> str:
        """Whether it runs, and if not, how it ended and what it said last.

        Args:
            trouble: what is known to be wrong with the connection to it.
        """
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE)
        code = self._process.returncode
        if code is None:
            return f"{trouble or 'runs, but is silent'}{self._last_words()}"
        self._join_readers()
        return f"ended ({_describe_code(code)}){self._last_words()}"

    def end(self, grace: float) -> None:
        """Wait until it ends, and end it if that takes longer than so many seconds."""
        try:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(grace)
        finally:
            self.kill()
            self._process.wait()
            forget(self)
        self._join_readers()

    def kill(self) -> None:
        """End it at once, and remove its folder."""
        self._process.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _start(self, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                [self._executable.absolute()],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except (OSError, ValueError) as error:  # ValueError: a path with a NUL
            reason = "cannot be started"
            if isinstance(error, OSError):
                reason = _REASONS.get(error.errno or 0) or f"{reason} ({error.strerror})"
            raise PluginError(f"{self._executable}: {reason}") from None

    def _read(
        self, stream: IO[bytes] | None, read: Callable[[IO[bytes]], None]
    ) -> threading.Thread:
        thread = threading.Thread(
            target=read, args=(stream,), name=f"tofutypes {self.name}", daemon=True
        )
        thread.start()
        return thread

    def _read_output(self, stream: IO[bytes]) -> None:
        with stream:
            self._first_line.set_result(stream.readline(_LONGEST_LINE))
            # Nobody wants the rest, but the provider must not wait for a reader.
            while stream.read(_PIECE):
                pass

    def _join_readers(self) -> None:
        # A child of the provider may have its output, and run on.
        for reader in self._readers:
            reader.join(_PATIENCE)

    def _last_words(self) -> str:
        words = self._log.last_words
        return f'; it said last: "{words}"' if words else ""


def _describe_code(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    with suppress(ValueError):
        return f"by {signal.Signals(-code).name}"
    return f"by signal {-code}"
