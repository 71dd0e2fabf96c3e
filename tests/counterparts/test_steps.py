"""Getting counterparts: what is missing, fails or takes long costs one line and nothing else."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests import counterparts
from tests.counterparts import __main__ as command
from tests.counterparts import steps
from tests.counterparts.steps import STEPS, Step, Workshop

LATE = 0.0


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder for the counterparts of a test."""
    monkeypatch.setattr(steps, "FOLDER", tmp_path)
    monkeypatch.setattr(counterparts, "PROGRAMS", tmp_path / "bin")


def program(workshop: Workshop) -> str:
    path = counterparts.PROGRAMS / workshop.name
    path.parent.mkdir()
    path.touch()
    return "v1.0.0"


def outcome(step: Step, seconds: float = 60, *, again: bool = False) -> str:
    return command.outcome("no-such-program", step, time.monotonic() + seconds, again=again)


def test_what_is_there_is_not_got_again() -> None:
    assert outcome(Step(program)) == "v1.0.0 (0 s)"
    assert outcome(Step(program)) == "v1.0.0 (already there)"
    with pytest.raises(FileExistsError):
        program(Workshop("no-such-program", LATE))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("no-such-program",), "not available: no-such-program is not installed"),
        (("sh", "-c", "echo first >&2; echo last >&2; exit 1"), "not available: last"),
        (("sh", "-c", "exit 1"), "not available: sh failed"),
    ],
)
def test_failures_are_told_in_a_line(arguments: tuple[str, ...], expected: str) -> None:
    assert outcome(Step(lambda workshop: workshop.run(*arguments))) == expected


def test_a_step_that_takes_long_is_ended() -> None:
    step = Step(lambda workshop: workshop.run("sh", "-c", "sleep 60 & wait"), seconds=0.1)
    assert outcome(step) == "not available: sh took too long"


def test_no_step_begins_when_the_time_is_over() -> None:
    assert outcome(Step(program), seconds=0) == "not available: no time left"
    assert not counterparts.PROGRAMS.exists()


def test_all_steps_fit_into_the_time_of_ci() -> None:
    assert command.TOTAL_SECONDS < 60 * 60
    assert [*STEPS][-2:] == ["tofu", "terraform-experimental"]
