"""Fuzz the library: `python -m tests.fuzz --seconds 60`, or `make fuzz`."""

from __future__ import annotations

import argparse
import json
import logging
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.fuzz.engine import Result, run_by_chance, run_guided

TARGETS = (
    *("types", "msgpack", "json", "schemas", "models", "plans", "states"),
    *("plugin", "host", "relay"),
)
"""Those of `tests.fuzz.targets`, which may be imported only once atheris listens."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="for all targets together")
    parser.add_argument("--seed", type=int, default=1, help="of chance")
    parser.add_argument("--target", action="append", choices=TARGETS, help="all, if left out")
    parser.add_argument("--engine", choices=["atheris", "chance"], help="atheris, if installed")
    parser.add_argument("--failures", type=Path, default=Path(".fuzz_cache"), metavar="DIR")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    engine = options.engine or ("atheris" if find_spec("atheris") else "chance")
    targets = options.target or TARGETS
    if options.alone:
        run_alone(options, engine, targets[0])
        return 0
    print(
        f"{'target':<9}{'engine':<9}{'inputs':>9}{'/s':>8}{'slowest':>9}{'grew':>9}{'largest':>10}"
    )
    results = [run_apart(options, engine, target, len(targets)) for target in targets]
    return 1 if any(result is None or result["failures"] for result in results) else 0


def run_alone(options: argparse.Namespace, engine: str, target: str) -> None:
    """One target, in this process."""
    logging.getLogger("tofutypes.seasonings").setLevel(logging.CRITICAL)  # thousands of warnings
    if engine == "atheris":
        run_guided(target, options.seconds, options.seed, options.failures, _report)
    else:
        _report(run_by_chance(target, options.seconds, options.seed, options.failures))


def _report(result: Result) -> None:
    print(json.dumps(result.as_json()))


def run_apart(
    options: argparse.Namespace, engine: str, target: str, targets: int
) -> dict[str, Any] | None:
    """One target in a process of its own, so that its memory is its own; prints what it saw."""
    command = [sys.executable, "-m", "tests.fuzz", "--alone", "--target", target]
    command += ["--seconds", str(options.seconds / targets), "--seed", str(options.seed)]
    command += ["--engine", engine, "--failures", str(options.failures)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    result: dict[str, Any] = {} if done.returncode or not lines else json.loads(lines[-1])
    if not result or result["failures"]:
        print(done.stderr, file=sys.stderr)
    if not result:
        print(f"{target:<9}{engine:<9} ended with exit code {done.returncode}")
        return None
    rate = result["executions"] / max(result["seconds"], 1e-9)
    print(
        f"{target:<9}{engine:<9}{result['executions']:>9,}{rate:>8,.0f}{result['slowest']:>8.2f}s"
        f"{result['memory'] / 1e6:>7.1f}MB{result['largest'] / 1e3:>8.1f}kB"
    )
    for outcome, count in sorted(result["outcomes"].items(), key=lambda each: -each[1]):
        print(f"    {outcome:<24}{count:>9,}")
    for failure in result["failures"]:
        print(f"    see {failure}")
    return result


if __name__ == "__main__":
    raise SystemExit(main())
