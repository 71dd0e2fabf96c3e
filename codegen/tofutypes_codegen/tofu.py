"""Schemas of a configuration, from OpenTofu or Terraform."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final

from tofutypes.runner.diagnostics import diagnostics_in_text, undressed
from tofutypes.runner.process import find_program, run_process
from tofutypes_codegen.errors import GeneratorError

TIMEOUT: Final = 300.0
"""Seconds for the command. AWS takes about ten on a slow machine."""

_ARGUMENTS: Final = ("providers", "schema", "-json")
_MAX_LENGTH: Final = 300


def run_providers_schema(folder: Path, timeout: float = TIMEOUT) -> bytes:
    """Run `tofu providers schema -json` in a folder with a configuration; return its output.

    Raises:
        GeneratorError: If neither OpenTofu nor Terraform is installed, or the command fails or
            times out.
    """
    program = find_program()
    if program is None:
        raise GeneratorError(
            f"{folder}: reading a configuration needs OpenTofu or Terraform, but neither `tofu` "
            "nor `terraform` is on the PATH; install one, or pass a file with the output of "
            "`tofu providers schema -json`"
        )
    name = Path(program).stem
    command = " ".join([name, *_ARGUMENTS])
    try:
        finished = run_process([program, *_ARGUMENTS], folder, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise GeneratorError(
            f"{folder}: `{command}` timed out after {timeout:g} seconds; "
            "run the command yourself and pass a file with its output"
        ) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise GeneratorError(f"{folder}: cannot run {program}: {reason}") from None
    if finished.code != 0:
        reason, in_file = _first_error(finished.errors)
        reason = reason or f"exit code {finished.code}"
        advice = "correct the configuration" if in_file else f"run `{name} init` there first"
        raise GeneratorError(f"{folder}: `{command}` failed: {reason}; {advice}")
    return finished.output


def _first_error(printed: bytes) -> tuple[str, bool]:
    """The first error among diagnostics, and whether it is in a file of the configuration."""
    for diagnostic in diagnostics_in_text(printed):
        if diagnostic.is_error:
            in_file = diagnostic.file is not None
            place = f" on {diagnostic.file} line {diagnostic.line}" if in_file else ""
            place += f", in {diagnostic.context}" if diagnostic.context else ""
            return f"Error: {diagnostic.summary}{place}"[:_MAX_LENGTH], in_file
    lines = [line.strip() for line in undressed(printed).splitlines() if line.strip()]
    return (lines[0][:_MAX_LENGTH] if lines else ""), False
