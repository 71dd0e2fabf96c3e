"""The fuzz targets hold for their seeds, and for some changed inputs in every run of the tests."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.engine import Runner, run_by_chance
from tests.fuzz.targets import ROOT, TARGETS, seeds
from tofutypes import TofuTypesError

RUNS = 1500


@pytest.mark.parametrize("target", TARGETS)
def test_changed_inputs(target: str, tmp_path: Path) -> None:
    result = run_by_chance(target, 20, 7, tmp_path, RUNS)
    assert not result.failures
    # Else nothing but the refusal of bad input would be tested, or nothing but good input.
    assert 0.02 < result.outcomes["value"] / result.executions < 0.98
    assert result.slowest < 5


@pytest.mark.parametrize("target", TARGETS)
def test_a_fault_is_kept_and_told(target: str, tmp_path: Path) -> None:
    runner = Runner(target, "chance", tmp_path)
    assert not runner.result.failures
    runner.check = json.loads
    runner.run(b"[")
    [file] = runner.result.failures
    assert Path(file).read_bytes() == b"["
    assert runner.result.outcomes["FAILED: JSONDecodeError"] == 1


def test_the_same_chance_makes_the_same_inputs(tmp_path: Path) -> None:
    one, two = (run_by_chance("types", 20, 3, tmp_path, 400).outcomes for _ in range(2))
    assert one == two


def test_seeds_are_values() -> None:
    for target, check in TARGETS.items():
        passed = 0
        for seed in seeds(target):
            try:
                check(seed)
                passed += 1
            except TofuTypesError:
                pass
        assert passed, target


def test_the_command(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.fuzz", "--seconds", "1", "--engine", "chance"]
    command += ["--target", "types", "--target", "json", "--failures", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines() if line[:1].strip()] == [
        "target",
        "types",
        "json",
    ]
