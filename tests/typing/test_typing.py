"""Type checkers with no plugin let pass what is right, and flag what is wrong, line by line.

The two files beside this one and the golden package `nimbus` are checked by mypy --strict and by
pyright in strict mode, each in one run.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PASSES = HERE / "passes.py"
FAILS = HERE / "fails.py"
GOLDEN = HERE.parent / "golden" / "nimbus"

Flagged: TypeAlias = dict[tuple[Path, int], str]


def mypy() -> Flagged:
    """What mypy flags, by file and line."""
    command = [sys.executable, "-m", "mypy", "--strict", "--output=json"]
    command += map(str, [PASSES, FAILS, GOLDEN])
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 1, result.stdout + result.stderr
    found = [json.loads(line) for line in result.stdout.splitlines()]
    return {(ROOT / each["file"], each["line"]): each["message"] for each in found}


def pyright() -> Flagged:
    """What pyright flags, by file and line."""
    command = [sys.executable, "-m", "pyright", "--project", str(HERE), "--outputjson"]
    command += ["--pythonpath", sys.executable]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 1, result.stdout + result.stderr
    report = json.loads(result.stdout)
    golden = len(list(GOLDEN.rglob("*.py")))
    assert report["summary"]["filesAnalyzed"] >= golden + 2
    return {
        (Path(each["file"]), each["range"]["start"]["line"] + 1): each["message"]
        for each in report["generalDiagnostics"]
    }


@pytest.mark.parametrize("check", [mypy, pyright])
def test_exactly_the_marked_lines_are_flagged(check: Callable[[], Flagged]) -> None:
    flagged = check()
    lines = FAILS.read_text(encoding="utf-8").splitlines()
    marked = {(FAILS, n) for n, line in enumerate(lines, 1) if line.endswith("# error")}
    assert len(marked) > 50
    extra = {f"{path}:{line}": flagged[path, line] for path, line in flagged.keys() - marked}
    assert extra == {}
    missed = [f"{path}:{line}: {lines[line - 1].strip()}" for path, line in marked - flagged.keys()]
    assert missed == []
