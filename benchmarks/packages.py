"""Generating, importing and type-checking whole packages, each in a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.payloads import NIMBUS, ROOT, SHARED
from benchmarks.table import Table

TABLE = Table(
    "schema",
    {
        "modules": "{:.0f}",
        "size": "{:.2f} MB",
        "generate": "{:.1f} s",
        "memory": "{:.0f} MB",
        "one": "{:.0f} ms",
        "largest": "{:.0f} ms",
        "all": "{:.1f} s",
        "all memory": "{:.0f} MB",
        "mypy one": "{:.1f} s",
        "mypy all": "{:.1f} s",
        "pyright one": "{:.1f} s",
        "its memory": "{:.0f} MB",
        "its files": "{:.0f}",
    },
)

_IMPORT_ONE = """
import sys, time
import tofutypes.models
start = time.perf_counter()
import {module}
print((time.perf_counter() - start) * 1000)
others = {{name for name in sys.modules if ".resources." in name}} - {{"{module}"}}
assert not others, others
"""
IMPORT_ALL = """
import sys
from importlib import import_module
from pathlib import Path
for path in sorted(Path("infra").rglob("resources/*.py")):
    import_module(".".join(path.with_suffix("").parts))
"""
_PYRIGHT = ("-m", "pyright", "--pythonpath", sys.executable)
_USE_ONE = "from {module} import *\n"


def report() -> Iterator[str]:
    """The lines of the table."""
    yield "one, largest: importing one resource when tofutypes is; all: a process that imports all"
    yield "mypy: --strict, without a cache, a file that imports one resource, and the package"
    yield TABLE.head()
    real = SHARED / "schemas"
    for source in [NIMBUS, *sorted(real.glob("*.gz"))]:
        with tempfile.TemporaryDirectory() as folder:
            yield _measured(source, Path(folder))


def _measured(source: Path, folder: Path) -> str:
    seconds, memory = min(generated(source, folder) for _ in range(3))
    modules = sorted((folder / "infra").rglob("*.py"), key=lambda path: path.stat().st_size)
    resources = [
        ".".join(path.relative_to(folder).with_suffix("").parts)
        for path in modules
        if path.parent.name == "resources" and path.stem != "__init__"
    ]
    (folder / "use.py").write_text(_USE_ONE.format(module=resources[len(resources) // 2]))
    every, most = imported(folder)
    mypy = ["-m", "mypy", "--strict", "--cache-dir", os.devnull]
    return TABLE.row(
        "nimbus" if source == NIMBUS else source.name.partition(".")[0],
        len(modules),
        sum(path.stat().st_size for path in modules) / 1e6,
        seconds,
        memory,
        _import_time(folder, resources[len(resources) // 2]),
        _import_time(folder, resources[-1]),
        every,
        most,
        min(run_python([*mypy, "use.py"], folder)[0] for _ in range(3)),
        run_python([*mypy, "infra"], folder)[0],
        *min(run_python([*_PYRIGHT, "use.py"], folder) for _ in range(3)),
        _files_of_pyright(folder),
    )


def generated(source: Path, folder: Path) -> tuple[float, float]:
    """The seconds and megabytes that it takes to generate the package `infra` in a folder."""
    generate = ["-m", "tofutypes_codegen", "generate", str(source), "--quiet", "--output"]
    return run_python([*generate, str(folder / "infra")])


def imported(folder: Path) -> tuple[float, float]:
    """The seconds and megabytes that it takes to import all resources of the package, at best."""
    run_python(["-c", IMPORT_ALL], folder)  # writes the .pyc files
    return min(run_python(["-c", IMPORT_ALL], folder) for _ in range(3))


def _files_of_pyright(folder: Path) -> int:
    """How many files pyright reads to check a file that uses one resource, all libraries' too."""
    python = [sys.executable, *_PYRIGHT, "--stats", "use.py"]
    run = subprocess.run(
        python, cwd=folder, capture_output=True, check=True, text=True, env=environment()
    )
    [files] = re.findall(r"Total files parsed and bound: (\d+)", run.stdout)
    return int(files)


def environment() -> dict[str, str]:
    """This one, with the modules of the checkout."""
    paths = [str(ROOT), str(ROOT / "codegen")]
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths)}


def run_python(arguments: list[str], folder: Path = ROOT) -> tuple[float, float]:
    """The seconds and the megabytes that Python takes with these arguments."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *arguments], cwd=folder, stdout=subprocess.DEVNULL, env=environment()
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status:
        raise SystemExit(f"python {' '.join(arguments)} failed")
    return time.perf_counter() - start, usage.ru_maxrss / 1024


def _import_time(folder: Path, module: str) -> float:
    """The milliseconds to import a module when the library is imported already, at best."""
    python = [sys.executable, "-c", _IMPORT_ONE.format(module=module)]
    runs = [
        subprocess.run(python, cwd=folder, capture_output=True, check=True, env=environment())
        for _ in range(7)
    ]
    return min(float(run.stdout) for run in runs)
