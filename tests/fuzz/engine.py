"""Runs a target over changed inputs for some time, and tells what became of them.

With atheris where it is installed, which looks for inputs that reach new code; else by chance.
"""

from __future__ import annotations

import hashlib
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, Final

LONGEST: Final = 20
"""The seconds that one input may take."""

KEPT: Final = 10
"""How many failures are kept and told."""

Report = Callable[["Result"], None]


@dataclass
class Result:
    """What a run over one target has seen.

    Attributes:
        outcomes: how many inputs ended as a value, and in which error.
        failures: where the inputs were written that did neither.
        largest: the bytes of the largest input.
        slowest: the seconds of the slowest one.
        memory: how much the process grew, in bytes, from after the seeds to its peak.
    """

    target: str
    engine: str
    seconds: float = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    largest: int = 0
    slowest: float = 0
    memory: int = 0

    @property
    def executions(self) -> int:
        return sum(self.outcomes.values())

    def as_json(self) -> dict[str, Any]:
        return {**vars(self), "executions": self.executions}


class Runner:
    """Gives inputs to a target, one after the other."""

    def __init__(self, target: str, engine: str, failures: Path) -> None:
        from tests.fuzz.targets import TARGETS, seeds

        self.check = TARGETS[target]
        self.folder = failures
        self.seeds = seeds(target)
        self.result = Result(target, engine)
        for seed in self.seeds:
            self.run(seed)
        self.result.slowest = 0  # the first ones compile
        self.memory = _peak_memory()
        self.start = time.monotonic()

    def run(self, data: bytes) -> None:
        """Run one input, and count what becomes of it."""
        from tests.fuzz.mutation import outcome_of

        start = time.perf_counter()
        try:
            outcome = outcome_of(self.check, data)
        except Exception as error:  # noqa: BLE001  # anything may come: that is the question
            outcome = f"FAILED: {type(error).__name__}"
            self._keep(data, error)
        took = time.perf_counter() - start
        result = self.result
        result.outcomes[outcome] += 1
        result.largest = max(result.largest, len(data))
        result.slowest = max(result.slowest, took)

    def _keep(self, data: bytes, error: Exception) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        digest = hashlib.sha256(data).hexdigest()[:12]
        file = self.folder / f"{self.result.target}-{digest}"
        if len(self.result.failures) < KEPT:
            file.write_bytes(data)
            self.result.failures.append(str(file))
            print(f"{file}:", *traceback.format_exception(error)[-4:], file=sys.stderr)

    def finish(self) -> Result:
        self.result.seconds = time.monotonic() - self.start
        self.result.memory = _peak_memory() - self.memory
        return self.result


def _peak_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def run_by_chance(target: str, seconds: float, seed: int, failures: Path, runs: int = 0) -> Result:
    """Run inputs changed by chance, for so many seconds or until so many inputs have run."""
    from tests.fuzz.mutation import Mutator

    runner = Runner(target, "chance", failures)
    mutator = Mutator(target, runner.seeds, Random(seed))
    before = signal.signal(signal.SIGALRM, _too_long)
    end = time.monotonic() + seconds
    try:
        while time.monotonic() < end and not (runs and runner.result.executions >= runs):
            data = mutator.next_input()
            signal.alarm(LONGEST)
            runner.run(data)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    return runner.finish()


def _too_long(*_: object) -> None:
    raise TimeoutError(f"one input took more than {LONGEST} seconds")


def run_guided(target: str, seconds: float, seed: int, failures: Path, report: Report) -> None:
    """Run inputs that atheris makes, then report and end the process: atheris does not return."""
    atheris: Any = import_module("atheris")

    with atheris.instrument_imports(include=["tofutypes"]):
        import tofutypes  # noqa: F401

    from tests.fuzz.mutation import Mutator

    runner = Runner(target, "atheris", failures)
    mutator = Mutator(target, runner.seeds, Random(seed))

    corpus = Path(tempfile.mkdtemp(prefix="fuzz-"))
    for number, each in enumerate(runner.seeds):
        (corpus / str(number)).write_bytes(each)

    def run_one(data: bytes) -> None:
        runner.run(data)
        if time.monotonic() > runner.start + seconds:
            report(runner.finish())
            sys.stdout.flush()
            shutil.rmtree(corpus, ignore_errors=True)
            os._exit(0)

    def change(data: bytes, most: int, chance: int) -> bytes:
        if chance % 2:
            changed: bytes = atheris.Mutate(data, most)
            return changed
        mutator.random.seed(chance)
        return mutator.changed(data)[:most]

    failures.mkdir(parents=True, exist_ok=True)
    options = [f"-seed={seed}", f"-timeout={LONGEST}", "-max_len=65536", "-verbosity=0"]
    options += ["-rss_limit_mb=2048", f"-artifact_prefix={failures}/{target}-", str(corpus)]
    atheris.Setup([sys.argv[0], *options], run_one, custom_mutator=change)
    atheris.Fuzz()
