"""The process of a provider: start, handshake, output and end.

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
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import suppress
from pathlib import Path
from typing import IO, Final, TextIO

from tofutypes.provider.client.logs import PluginLog
from tofutypes.provider.client.orphans import Watch, forget, remember
from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.provider.transport.handshake import Handshake, parse_handshake

_LONGEST_LINE: Final = 64 << 10  # bytes of the first line; no handshake is as long
_PIECE: Final = 64 << 10
_POLL: Final = 0.05  # seconds
_PATIENCE: Final = 1.0  # seconds that a process has to end, and its output to arrive

_NAME: Final = re.compile(r"terraform-provider-([\w-]+)")

_REASONS: Final = {
    errno.ENOENT: "no such file",
    errno.EACCES: "permission denied: the file is not executable",
    errno.ENOEXEC: "not an executable for this kind of machine",
}


def provider_name(executable: Path) -> str:
    """The name of the provider of an executable: `null` for `terraform-provider-null_v3.2.4`.

    For files with other names, the file's name without its suffix.
    """
    match = _NAME.match(executable.name)
    return match[1].partition("_")[0] if match else executable.stem


class PluginProcess:
    """A running provider. It ends at the latest when this process ends.

    Args:
        executable: The executable.
        environment: The whole environment of the provider.
        folder: A folder for the provider's files, removed when the provider ends.
        log_to: Gets the provider's log lines as they are; by default its logger gets them.

    Attributes:
        name: The name of the provider.
        executable: The executable.

    Raises:
        PluginError: If the provider cannot be started.
    """

    def __init__(
        self,
        executable: Path,
        environment: Mapping[str, str],
        folder: Path,
        log_to: TextIO | None = None,
    ) -> None:
        self.name = provider_name(executable)
        self._folder = folder
        self.executable = executable
        self._log = PluginLog(self.name, log_to)
        self._first_line: Future[bytes] = Future()
        self._process = self._start(environment)
        remember(self)
        self._watch = Watch(self._process.pid)
        self._readers = (
            self._read(self._process.stdout, self._read_output),
            self._read(self._process.stderr, self._log.read),
        )

    def handshake(self, timeout: float) -> Handshake:
        """Wait for the handshake line.

        Args:
            timeout: How many seconds the provider has to print it.

        Raises:
            PluginError: If the provider ends, takes too long, or prints something else.
        """
        deadline = time.monotonic() + timeout
        while not self._first_line.done():
            with suppress(FutureTimeoutError):
                self._first_line.result(_POLL)
            if self._process.poll() is not None:
                # Its output may still be on the way.
                with suppress(FutureTimeoutError):
                    self._first_line.result(_PATIENCE)
                break
            if time.monotonic() > deadline:
                raise PluginError(
                    f"{self.executable}: no handshake within {timeout:g} seconds"
                    f"{self._last_words()}"
                )
        line = self._first_line.result() if self._first_line.done() else b""
        if not line:
            raise PluginError(f"{self.executable}: the provider {self.status()}")
        try:
            return parse_handshake(line.decode("utf-8", "replace"))
        except PluginError as error:
            raise PluginError(f"{self.executable}: {error}{self._last_words()}") from None

    def log_printed(self, pieces: Iterator[bytes]) -> None:
        """Log what the provider prints after its handshake.

        Nobody else reads it, and a provider whose pipe is full waits forever.

        Args:
            pieces: What it prints; read on a thread of its own.
        """
        threading.Thread(
            target=self._log.read_pieces,
            args=(pieces,),
            name=f"tofutypes {self.name} prints",
            daemon=True,
        ).start()

    def status(self, trouble: str = "") -> str:
        """In a few words: whether the provider runs, or how it ended and what it logged last.

        Args:
            trouble: What is known to be wrong with the connection.
        """
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE)
        code = self._process.returncode
        if code is None:
            return f"{trouble or 'runs, but is silent'}{self._last_words()}"
        self._join_readers()
        return f"ended ({_describe_code(code)}){self._last_words()}"

    def end(self, grace: float) -> None:
        """Wait for the provider to end.

        Args:
            grace: How many seconds the provider has before it is killed.
        """
        try:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(grace)
        finally:
            self.kill()
            self._process.wait()
            self._watch.end()
            forget(self)
        self._join_readers()

    def kill(self) -> None:
        """Kill the provider and remove its folder."""
        self._process.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _start(self, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                [self.executable.absolute()],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except (OSError, ValueError) as error:  # ValueError: a path with a NUL
            reason = "cannot be started"
            if isinstance(error, OSError):
                reason = _REASONS.get(error.errno or 0) or f"{reason} ({error.strerror})"
            raise PluginError(f"{self.executable}: {reason}") from None

    def _read(
        self, stream: IO[bytes] | None, read: Callable[[IO[bytes]], None]
    ) -> threading.Thread:
        def run() -> None:
            assert stream is not None
            read(stream)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_PATIENCE)
                self._watch.end()

        thread = threading.Thread(target=run, name=f"tofutypes {self.name}", daemon=True)
        thread.start()
        return thread

    def _read_output(self, stream: IO[bytes]) -> None:
        with stream:
            self._first_line.set_result(stream.readline(_LONGEST_LINE))
            # The rest is discarded, so that the provider never waits for a reader.
            while stream.read(_PIECE):
                pass

    def _join_readers(self) -> None:
        # A child of the provider may have inherited its output, and still run.
        for reader in self._readers:
            reader.join(_PATIENCE)

    def _last_words(self) -> str:
        words = self._log.last_words
        return f'; its last log line: "{words}"' if words else ""


def _describe_code(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    with suppress(ValueError):
        return f"killed by {signal.Signals(-code).name}"
    return f"killed by signal {-code}"
