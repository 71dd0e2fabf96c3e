"""Standard output and standard error of the command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import TextIO

from tofutypes_codegen.exit_codes import REFUSED


def print_lines(lines: Iterable[str]) -> None:
    """Write lines to standard output and flush it.

    Raises:
        OSError: If standard output cannot be written, a full disk for example.
    """
    try:
        for line in lines:
            _write(sys.stdout, f"{line}\n")
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        discard_output()
        raise OSError(error.errno, error.strerror, "standard output") from error


def print_error(message: str, code: int = REFUSED) -> int:
    """Write `tofutypes: error: MESSAGE` to standard error and return the exit code."""
    message = message.removeprefix("error: ")  # the severity of a provider's diagnostic
    with suppress(OSError):  # standard error may be closed
        _write(sys.stderr, f"tofutypes: error: {message}\n")
    return code


def discard_output() -> None:
    """Redirect standard output to the null device, so that Python does not complain at exit."""
    with suppress(OSError, ValueError):  # standard output need not be a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write(stream: TextIO | None, text: str) -> None:
    if stream is not None:
        # A file name need not be valid text, and the stream need not be able to show it.
        encoding = stream.encoding or "utf-8"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
