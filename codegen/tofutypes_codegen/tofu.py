"""Running OpenTofu, or else Terraform, for the schemas of a configuration."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

from tofutypes_codegen.errors import GeneratorError

TIMEOUT: Final = 300.0
"""Seconds. AWS takes about ten on a slow machine; the rest is for a cold disk."""

_PROGRAMS: Final = ("tofu", "terraform")
_ARGUMENTS: Final = ("providers", "schema", "-json")
_GRACE: Final = 5.0
_LONGEST_COMPLAINT: Final = 300

# Observed, Terraform 1.11.4: a diagnostic is framed and coloured, also when nobody sees it.
_DRESS: Final = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|[╷│╵]")


def run_providers_schema(folder: Path, timeout: float = TIMEOUT) -> bytes:
    """What `tofu providers schema -json` prints in a folder with a configuration.

    Raises:
        GeneratorError: neither program is installed, it fails, or it takes too long.
    """
    program = _find(folder)
    name = Path(program).stem
    command = " ".join([name, *_ARGUMENTS])
    try:
        code, output, complaints = _run([program, *_ARGUMENTS], folder, timeout)
    except subprocess.TimeoutExpired:
        raise GeneratorError(
            f"{folder}: `{command}` did not end within {timeout:g} seconds; "
            "run it yourself, write what it prints to a file, and give that file"
        ) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise GeneratorError(f"{folder}: {program} cannot be run: {reason}") from None
    if code != 0:
        found, in_file = _complaint(complaints)
        found = found or f"it ended with code {code}"
        what_to_do = "correct the configuration" if in_file else f"run `{name} init` there first"
        raise GeneratorError(f"{folder}: `{command}` failed: {found}; {what_to_do}")
    return output


def _find(folder: Path) -> str:
    for program in _PROGRAMS:
        found = shutil.which(program)
        if found is not None:
            return str(Path(found).absolute())
    raise GeneratorError(
        f"{folder}: a folder needs OpenTofu or Terraform, and neither `tofu` nor `terraform` is "
        "on the PATH; install one, or give a file with what `tofu providers schema -json` prints"
    )


def _run(command: list[str], folder: Path, timeout: float) -> tuple[int, bytes, bytes]:
    """Exit code, standard output and standard error. However it ends, nothing runs on."""
    with subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # so that the providers it started can be stopped with it
    ) as process:
        try:
            output, complaints = process.communicate(timeout=timeout)
        except BaseException:
            _stop(process)
            raise
    return process.returncode, output, complaints


def _stop(process: subprocess.Popen[bytes]) -> None:
    for kill in (False, True):
        _signal(process, kill=kill)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE)
            break
    _signal(process, kill=True)  # what it left behind
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def _signal(process: subprocess.Popen[bytes], *, kill: bool) -> None:
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL if kill else signal.SIGTERM)


def _complaint(printed: bytes) -> tuple[str, bool]:
    """The first error among diagnostics, and whether it is one in a file of the configuration."""
    text = _DRESS.sub("", printed.decode("utf-8", "replace"))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for number, line in enumerate(lines):
        if line.startswith("Error: "):
            place = lines[number + 1] if number + 1 < len(lines) else ""
            if place.startswith("on "):
                return f"{line} {place.rstrip(':')}"[:_LONGEST_COMPLAINT], True
            return line[:_LONGEST_COMPLAINT], False
    return (lines[0][:_LONGEST_COMPLAINT] if lines else ""), False
