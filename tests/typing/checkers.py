"""mypy and pyright as processes, and the golden texts of what they say."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
PASSES: Final = HERE / "passes.py"
FAILS: Final = HERE / "fails.py"
REVEALS: Final = HERE / "reveals.py"
GOLDEN: Final = HERE.parent / "golden" / "nimbus"

Flagged: TypeAlias = Mapping[tuple[Path, int], str]
"""The messages of errors, by file and line."""

CHECKERS: Final = ("mypy", "pyright", "basic")
"""mypy --strict, pyright in strict mode, pyright in basic mode."""

_MARK: Final = re.compile(r"  # error(?:: (?P<checkers>[\w, ]+))?$")
_REVEALED: Final = re.compile(r'(?:Revealed type is|Type of ".*" is) "(?P<type>.*)"$', re.DOTALL)


@cache
def report(checker: str) -> list[tuple[Path, int, str, str]]:
    """What a checker says: file, line, severity, message."""
    return list(_mypy() if checker == "mypy" else _pyright(checker))


def flagged(checker: str) -> Flagged:
    """The errors that a checker reports, the first of each line."""
    errors: dict[tuple[Path, int], str] = {}
    for path, line, severity, message in report(checker):
        if severity == "error":
            errors.setdefault((path, line), message)
    return errors


def _mypy() -> Iterator[tuple[Path, int, str, str]]:
    command = [sys.executable, "-m", "mypy", "--strict", "--output=json"]
    command += ["--enable-error-code=deprecated"]
    command += map(str, [PASSES, FAILS, REVEALS, GOLDEN])
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 1, result.stdout + result.stderr
    for line in result.stdout.splitlines():
        entry = json.loads(line)
        yield ROOT / entry["file"], entry["line"], entry["severity"], entry["message"]


def _pyright(mode: str) -> Iterator[tuple[Path, int, str, str]]:
    project = HERE if mode == "pyright" else HERE / "basic"
    command = [sys.executable, "-m", "pyright", "--project", str(project), "--outputjson"]
    command += ["--pythonpath", sys.executable]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 1, result.stdout + result.stderr
    output: Any = json.loads(result.stdout)
    assert output["summary"]["filesAnalyzed"] >= len(list(GOLDEN.rglob("*.py"))) + 3
    for entry in output["generalDiagnostics"]:
        line = entry["range"]["start"]["line"] + 1
        yield Path(entry["file"]), line, entry["severity"], entry["message"]


def marks() -> dict[int, tuple[str, ...]]:
    """The marked lines of `fails.py`, and the checkers that must flag each."""
    lines: dict[int, tuple[str, ...]] = {}
    for number, line in enumerate(FAILS.read_text(encoding="utf-8").splitlines(), 1):
        if match := _MARK.search(line):
            named = match["checkers"]
            lines[number] = tuple(named.split(", ")) if named else CHECKERS
    return lines


def messages() -> str:
    """The marked lines, each with the first line of what each checker says."""
    source = FAILS.read_text(encoding="utf-8").splitlines()
    return _listing(
        (
            _MARK.sub("", source[number - 1]).strip(),
            {checker: flagged(checker).get((FAILS, number)) for checker in checkers},
        )
        for number, checkers in marks().items()
    )


def revealed_types() -> str:
    """The lines of `reveals.py` with the types that mypy and pyright reveal."""
    source = REVEALS.read_text(encoding="utf-8").splitlines()
    types: dict[int, dict[str, str | None]] = {}
    for checker in ("mypy", "pyright"):
        for path, line, _, message in report(checker):
            if path == REVEALS and (match := _REVEALED.search(message)):
                types.setdefault(line, {})[checker] = match["type"]
    return _listing(
        (source[line - 1].strip().removeprefix("reveal_type(")[:-1], types[line])
        for line in sorted(types)
    )


def _listing(entries: Iterable[tuple[str, Mapping[str, str | None]]]) -> str:
    text = ""
    for line, told in entries:
        text += f"{line}\n"
        for checker, message in told.items():
            first = (message or "").splitlines()[:1]
            text += f"    {checker}: {''.join(first)}\n"
    return text


GOLDEN_TEXTS: Final = {"messages.txt": messages, "reveals.txt": revealed_types}
"""The golden files of this folder, and what makes their texts."""
