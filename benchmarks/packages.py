"""Generating whole packages, importing one resource of them, and type-checking them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.codecs import NIMBUS, ROOT

SHARED = ROOT.parent / "shared" / "schemas"

_IMPORT = """
import sys, time
sys.path.insert(0, {folder!r})
import tofutypes
start = time.perf_counter()
import {module}
print((time.perf_counter() - start) * 1000)
"""


def report() -> Iterator[str]:
    """The lines of a table."""
    yield f"{'schema':<20}{'modules':>9}{'generate':>11}{'memory':>9}{'largest':>10}{'mypy':>8}"
    for source in [NIMBUS, *sorted(SHARED.glob("*.gz"))]:
        with tempfile.TemporaryDirectory() as folder:
            yield _measured(source, Path(folder))


def _measured(source: Path, folder: Path) -> str:
    package = folder / "infra"
    generate = ["-m", "tofutypes_codegen", "generate", str(source), "--output", str(package)]
    seconds, memory = _python([*generate, "--quiet"])
    modules = sorted(package.rglob("*.py"), key=lambda path: path.stat().st_size)
    largest = next(path for path in reversed(modules) if path.parent.name == "resources")
    module = ".".join(largest.relative_to(folder).with_suffix("").parts)
    checking, _ = _python(["-m", "mypy", "--strict", "--cache-dir", "cache", "infra"], folder)
    name = "nimbus" if source == NIMBUS else source.name.partition(".")[0]
    return (
        f"{name:<20}{len(modules):>9}{seconds:>9.1f} s{memory:>6.0f} MB"
        f"{_import_time(folder, module):>7.0f} ms{checking:>6.1f} s"
    )


def _python(arguments: list[str], folder: Path = ROOT) -> tuple[float, float]:
    """The seconds and the megabytes that Python takes with these arguments."""
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, *arguments], cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status:
        raise SystemExit(f"python {' '.join(arguments)} failed")
    return time.perf_counter() - start, usage.ru_maxrss / 1024


def _import_time(folder: Path, module: str) -> float:
    """The milliseconds to import a module when the library is imported already, at best."""
    code = _IMPORT.format(folder=str(folder), module=module)
    python = [sys.executable, "-c", code]
    runs = [subprocess.run(python, capture_output=True, check=True) for _ in range(4)]
    return min(float(run.stdout) for run in runs)
