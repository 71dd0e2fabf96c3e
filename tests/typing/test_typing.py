"""Type checkers without a plugin accept what is right and report what is wrong, line by line.

`passes.py`, `fails.py` and the golden package `nimbus` are checked by mypy --strict and by pyright
in strict and in basic mode, each in one run. What they say is golden text:
`python -m tests.typing` writes it anew.
"""

from __future__ import annotations

import pytest

from tests.typing.checkers import CHECKERS, FAILS, GOLDEN_TEXTS, HERE, flagged, marks


@pytest.mark.parametrize("checker", CHECKERS)
def test_exactly_the_marked_lines_are_flagged(checker: str) -> None:
    errors = flagged(checker)
    marked = {(FAILS, line) for line, checkers in marks().items() if checker in checkers}
    assert len(marked) > 50
    extra = {f"{path}:{line}": errors[path, line] for path, line in errors.keys() - marked}
    assert extra == {}
    lines = FAILS.read_text(encoding="utf-8").splitlines()
    missed = [f"{path}:{line}: {lines[line - 1].strip()}" for path, line in marked - errors.keys()]
    assert missed == []


@pytest.mark.parametrize("name", GOLDEN_TEXTS)
def test_golden_texts(name: str) -> None:
    assert GOLDEN_TEXTS[name]() == (HERE / name).read_text(encoding="utf-8")
