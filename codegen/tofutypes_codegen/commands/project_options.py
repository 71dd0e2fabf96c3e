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


def need_provider_extra(command: str) -> None:
    """Refuse to run without the extra `tofutypes[provider]`.

    Raises:
        GeneratorError: If the extra is not installed.
    """
    if find_spec("grpc") is None:
        raise GeneratorError(f"`tofutypes {command}` needs more: pip install 'tofutypes[provider]'")
