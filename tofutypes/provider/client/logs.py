"""A provider's standard error: log lines, and the last words of a provider that crashes.

Source: go-plugin, `client.go`, and go-hclog.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import IO, Final, TextIO

from tofutypes.errors import one_line
from tofutypes.narrowing import is_mapping

LOGGER: Final = "tofutypes.provider"

TRACE: Final = 5
"""The level of hclog below `logging.DEBUG`; Python has no name for it."""

_LEVELS: Final = {
    "trace": TRACE,
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warn": logging.WARNING,
    "error": logging.ERROR,
}
_PREFIX: Final = re.compile(r"\[(TRACE|DEBUG|INFO|WARN|ERROR)\] *", re.IGNORECASE)
_LAST_WORDS: Final = ("panic: ", "fatal error: ")
_LONGEST: Final = 64 << 10  # bytes of a line; longer lines are split
_SHOWN: Final = 300  # characters of a line in an error

# Without a handler of its own, Python would print warnings of providers to standard error.
logging.getLogger(LOGGER).addHandler(logging.NullHandler())


class PluginLog:
    """Logs what a provider writes to its standard error.

    A log record is always one line: line ends and control characters are escaped, so that a
    provider cannot forge records or write to a terminal.

    Args:
        name: The name of the provider: `null` logs to `tofutypes.provider.null`.
        stream: Gets the lines as they are; the logger then gets none.
    """

    def __init__(self, name: str, stream: TextIO | None = None) -> None:
        self._logger = logging.getLogger(f"{LOGGER}.{name}")
        self._stream = stream
        self._last = ""
        self._panic: str | None = None

    @property
    def last_words(self) -> str:
        """The line that best explains why the provider ended; empty if there is none."""
        line = self._panic or self._last
        return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"

    def read(self, stream: IO[bytes]) -> None:
        """Log all lines of a stream, then close it."""
        with stream:
            while line := stream.readline(_LONGEST):
                self._log_line(line.decode("utf-8", "replace").rstrip("\r\n"))

    def read_pieces(self, pieces: Iterable[bytes]) -> None:
        """Log all lines of pieces that end anywhere."""
        rest = b""
        for piece in pieces:
            *lines, rest = (rest + piece).split(b"\n")
            if len(rest) >= _LONGEST:
                lines, rest = [*lines, rest], b""
            for line in lines:
                self._log_line(line.decode("utf-8", "replace").rstrip("\r"))
        if rest:
            self._log_line(rest.decode("utf-8", "replace"))

    def _log_line(self, line: str) -> None:
        level, text = self._parse(line)
        message = one_line(text)
        if level >= logging.WARNING or not line.startswith("{"):
            self._keep(message.strip())
        if self._stream is None:
            self._logger.log(level, "%s", message)
            return
        with suppress(OSError, ValueError):  # nobody reads it any more
            self._stream.write(f"{line}\n")
            self._stream.flush()

    def _keep(self, text: str) -> None:
        if text:
            self._last = text
        if self._panic is None and text.startswith(_LAST_WORDS):
            self._panic = text

    def _parse(self, line: str) -> tuple[int, str]:
        entry = _parse_entry(line)
        if entry is not None:
            return entry
        prefix = _PREFIX.match(line)
        if prefix is not None:
            return _LEVELS[prefix[1].lower()], line[prefix.end() :]
        panics = self._panic is not None or line.startswith(_LAST_WORDS)
        return logging.ERROR if panics else logging.DEBUG, line


def _parse_entry(line: str) -> tuple[int, str] | None:
    """Level and text of a JSON line of hclog; None for other lines."""
    if not line.startswith("{"):
        return None
    try:
        entry: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not is_mapping(entry):
        return None
    level = _LEVELS.get(str(entry.get("@level")).lower())
    if level is None:
        return None
    pairs = (f" {key}={value}" for key, value in entry.items() if not str(key).startswith("@"))
    return level, f"{entry.get('@message', '')}{''.join(pairs)}"
