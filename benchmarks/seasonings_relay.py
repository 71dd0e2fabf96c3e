"""500 objects of a real provider with `tofutypes plugin run` around OpenTofu, and without.

    python -m benchmarks seasonings-relay

In turns: no relay, a plugin whose hook is about another type, and a plugin whose hook does nothing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.table import Table
from tests.counterparts import find

OBJECTS = 500
ROUNDS = 3
NULL = "registry.opentofu.org/hashicorp/null/2.1.2"
CONFIGURATION = f'resource "null_resource" "many" {{\n  count = {OBJECTS}\n}}\n'
PLUGIN = """
from tofutypes.seasonings import Plugin

plugin = Plugin("measured")

@plugin.post_plan({pattern!r})
def empty(change):
    pass

plugin.run()
"""
PATTERNS = {"other hook": "other_*", "empty hook": "null_*"}
COMMANDS = {"apply": ("apply", "-auto-approve"), "plan": ("plan", "-detailed-exitcode")}
TABLE = Table(
    "seconds",
    {"apply": "{:.2f}", "plan": "{:.2f}", "× apply": "{:.2f}", "× plan": "{:.2f}"},
)


def report() -> Iterator[str]:
    """The lines of the table."""
    tofu, null = find("tofu"), find("terraform-provider-null")
    if tofu is None or null is None:
        yield f"{OBJECTS} null_resource: needs tofu and the null provider (`make counterparts`)"
        return
    yield f"{OBJECTS} null_resource through tofu: apply, then plan; the median of {ROUNDS}"
    yield TABLE.head()
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent)
        wrappers: dict[str, Sequence[str]] = {"alone": [], **dict(_wrappers(folder))}
        times: dict[str, list[list[float]]] = {name: [] for name in wrappers}
        initial = _initialized(folder / "initial", tofu, null)
        for number in range(ROUNDS + 1):
            for name, wrapper in wrappers.items():
                seconds = _measured(initial, folder / "run", [*wrapper, str(tofu)])
                if number:  # the first run writes byte code
                    times[name].append(seconds)
    alone: list[float] = []
    for name, rounds in times.items():
        columns = [median(column) for column in zip(*rounds, strict=True)]
        alone = alone or columns
        ratios = [ours / theirs for ours, theirs in zip(columns, alone, strict=True)]
        yield TABLE.row(name, *columns, *ratios)


def _wrappers(folder: Path) -> Iterator[tuple[str, Sequence[str]]]:
    for name, pattern in PATTERNS.items():
        file = folder / f"{pattern[:-2]}.py"
        file.write_text(PLUGIN.format(pattern=pattern))
        run = [sys.executable, "-m", "tofutypes_codegen", "plugin", "run"]
        yield name, [*run, "--plugin", f"{sys.executable} {file}", "--"]


def _initialized(folder: Path, tofu: Path, null: Path) -> Path:
    """A working directory with the provider."""
    machine = {"x86_64": "amd64", "aarch64": "arm64"}.get(os.uname().machine, os.uname().machine)
    installed = folder / "mirror" / NULL / f"{os.uname().sysname.lower()}_{machine}"
    installed.mkdir(parents=True)
    (installed / "terraform-provider-null_v2.1.2").symlink_to(null)
    (folder / "main.tf").write_text(CONFIGURATION)
    _run(folder, [str(tofu), "init", "-plugin-dir=mirror"])
    return folder


def _measured(initial: Path, folder: Path, program: Sequence[str]) -> list[float]:
    """Seconds of each command, in a new working directory."""
    shutil.copytree(initial, folder, symlinks=True)
    seconds: list[float] = []
    for words in COMMANDS.values():
        began = perf_counter()
        _run(folder, [*program, *words])
        seconds.append(perf_counter() - began)
    shutil.rmtree(folder)
    return seconds


def _run(folder: Path, command: Sequence[str]) -> None:
    own = {"TF_CLI_CONFIG_FILE": os.devnull, "CHECKPOINT_DISABLE": "1"}
    ran = subprocess.run(
        command, cwd=folder, env=os.environ | own, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
