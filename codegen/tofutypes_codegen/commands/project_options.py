"""What commands for the providers of Python projects share."""

from __future__ import annotations

import argparse
from importlib.util import find_spec

from tofutypes_codegen.errors import GeneratorError


def add_project(parser: argparse.ArgumentParser) -> None:
    """Add `--project`."""
    parser.add_argument(
        "--project",
        metavar="DIR",
        default=".",
        help="the folder with pyproject.toml (the current folder)",
    )


def need_extra(command: str, module: str, extra: str) -> None:
    """Refuse to run without an extra of `tofutypes`.

    Args:
        command: The command that needs the extra.
        module: A module that the extra installs.
        extra: The name of the extra.

    Raises:
        GeneratorError: If the extra is not installed.
    """
    if find_spec(module) is None:
        raise GeneratorError(f"`tofutypes {command}` needs more: pip install 'tofutypes[{extra}]'")
