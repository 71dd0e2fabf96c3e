"""Generating whole packages, importing one resource of them, and type-checking them."""

from __future__ import annotations

import resource
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
    generate = [sys.executable, "-m", "tofutypes_codegen", "generate", str(source)]
    seconds, memory = _run([*generate, "--output", str(folder / "infra"), "--quiet"])
    modules = sorted((folder / "infra").rglob("*.py"), key=lambda path: path.stat().st_size)
    largest = ".".join(modules[-1].relative_to(folder).with_suffix("").parts)
    checking, _ = _run(["mypy", "--strict", "--cache-dir", str(folder / "cache"), "infra"], folder)
    return (
        f"{source.name.partition('.')[0]:<20}{len(modules):>9}{seconds:>9.1f} s{memory:>6.0f} MB"
        f"{_import_time(folder, largest):>7.0f} ms{checking:>6.1f} s"
    )


def _run(command: list[str], folder: Path | None = None) -> tuple[float, float]:
    """The seconds and the megabytes that a command takes."""
    executable = Path(sys.executable).with_name(command[0])
    start = time.perf_counter()
    process = subprocess.Popen(
        [str(executable) if executable.exists() else command[0], *command[1:]],
        cwd=folder,
        stdout=subprocess.DEVNULL,
    )
    usage = _wait(process.pid)
    return time.perf_counter() - start, usage.ru_maxrss / 1024


def _wait(pid: int) -> resource.struct_rusage:
    import os

    _, status, usage = os.wait4(pid, 0)
    if status:
        raise SystemExit(f"a measured command failed: {status}")
    return usage


def _import_time(folder: Path, module: str) -> float:
    """The milliseconds to import a module when the library is imported already, at best."""
    code = _IMPORT.format(folder=str(folder), module=module)
    python = [sys.executable, "-c", code]
    runs = [subprocess.run(python, capture_output=True, check=True) for _ in range(4)]
    return min(float(run.stdout) for run in runs)
