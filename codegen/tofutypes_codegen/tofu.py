"""Running OpenTofu, or else Terraform, for the schemas of a configuration."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final

from tofutypes.runner.diagnostics import diagnostics_in_text, undressed
from tofutypes.runner.process import find_program, run_process
from tofutypes_codegen.errors import GeneratorError

TIMEOUT: Final = 300.0
"""Seconds. AWS takes about ten on a slow machine; the rest is for a cold disk."""

_ARGUMENTS: Final = ("providers", "schema", "-json")
_LONGEST_COMPLAINT: Final = 300


def run_providers_schema(folder: Path, timeout: float = TIMEOUT) -> bytes:
    """What `tofu providers schema -json` prints in a folder with a configuration.

    Raises:
        GeneratorError: neither program is installed, it fails, or it takes too long.
    """
    program = find_program()
    if program is None:
        raise GeneratorError(
            f"{folder}: a folder needs OpenTofu or Terraform, and neither `tofu` nor `terraform` "
            "is on the PATH; install one, or give a file with what `tofu providers schema -json` "
            "prints"
        )
    name = Path(program).stem
    command = " ".join([name, *_ARGUMENTS])
    try:
        finished = run_process([program, *_ARGUMENTS], folder, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise GeneratorError(
            f"{folder}: `{command}` did not end within {timeout:g} seconds; "
            "run it yourself, write what it prints to a file, and give that file"
        ) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise GeneratorError(f"{folder}: {program} cannot be run: {reason}") from None
    if finished.code != 0:
        found, in_file = _complaint(finished.errors)
        found = found or f"it ended with code {finished.code}"
        what_to_do = "correct the configuration" if in_file else f"run `{name} init` there first"
        raise GeneratorError(f"{folder}: `{command}` failed: {found}; {what_to_do}")
    return finished.output


def _complaint(printed: bytes) -> tuple[str, bool]:
    """The first error among diagnostics, and whether it is one in a file of the configuration."""
    for diagnostic in diagnostics_in_text(printed):
        if diagnostic.is_error:
            in_file = diagnostic.file is not None
            place = f" on {diagnostic.file} line {diagnostic.line}" if in_file else ""
            place += f", in {diagnostic.context}" if diagnostic.context else ""
            return f"Error: {diagnostic.summary}{place}"[:_LONGEST_COMPLAINT], in_file
    lines = [line.strip() for line in undressed(printed).splitlines() if line.strip()]
    return (lines[0][:_LONGEST_COMPLAINT] if lines else ""), False
