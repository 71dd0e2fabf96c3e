"""What is told while it takes long."""

import io
import sys
from collections.abc import Callable

import pytest

from tofutypes_codegen import progress
from tofutypes_codegen.progress import Silence, Terminal, choose_progress


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def no_rich(name: str) -> None:
    assert name == "rich"


@pytest.mark.parametrize(
    ("quiet", "stderr", "kind"),
    [
        (False, Screen, Terminal),
        (True, Screen, Silence),
        (False, io.StringIO, Silence),
        (False, lambda: None, Silence),
    ],
)
def test_bars_are_for_people(
    monkeypatch: pytest.MonkeyPatch, quiet: bool, stderr: Callable[[], object], kind: type
) -> None:
    monkeypatch.setattr(sys, "stderr", stderr())
    assert type(choose_progress(quiet=quiet)) is kind


def test_without_rich(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Screen())
    monkeypatch.setattr(progress, "find_spec", no_rich)
    assert type(choose_progress(quiet=False)) is Silence


def test_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    terminal.note("nobody hears this")
    with terminal.step("generating infra", 2) as advance:
        advance()
        terminal.note("waiting for [another] run")
        advance()
    assert "generating infra" in screen.getvalue()
    assert "waiting for [another] run" in screen.getvalue()
    assert "nobody" not in screen.getvalue()
