"""What tests of the command line have in common."""

import os
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]

Run = Callable[..., tuple[int, list[str], list[str]]]
"""Runs the command line: exit code, lines on standard output, lines on standard error."""


def files(folder: Path) -> set[str]:
    """Every file below a folder."""
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}


ALL = {
    "infra/__init__.py",
    "infra/py.typed",
    "infra/cloud/__init__.py",
    "infra/cloud/resources/cloud_disk.py",
    "infra/cloud/resources/cloud_server.py",
    "infra/cloud/data_sources/cloud_image.py",
}
GENERATE = ("generate", "schema.json", "--output", "infra")


def environment() -> dict[str, str]:
    """The environment of another process that imports the tests and the generator."""
    paths = [str(ROOT), str(ROOT / "codegen"), os.environ.get("PYTHONPATH", "")]
    # Without a buffer, nothing is left to be written at the end.
    return os.environ | {
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "PYTHONUNBUFFERED": "",
    }
