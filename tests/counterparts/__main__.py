"""Get the counterparts: `python -m tests.counterparts`, or some of them, by their names.

Each is optional: one that cannot be had costs a line of output and nothing else.
"""

from __future__ import annotations

import argparse
import time

from tests.counterparts.steps import STEPS, Step, UnavailableError, Workshop

TOTAL_SECONDS = 45 * 60
"""The limit for all steps together: CI has 90 minutes."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.counterparts", description=__doc__)
    parser.add_argument("name", nargs="*", help=f"{', '.join(STEPS)}; by default all")
    parser.add_argument("--again", action="store_true", help="build what is already there, too")
    arguments = parser.parse_args()
    names: list[str] = arguments.name or [*STEPS]
    if unknown := set(names) - STEPS.keys():
        parser.error(f"unknown counterpart: {', '.join(sorted(unknown))}")
    end = time.monotonic() + TOTAL_SECONDS
    for name in names:
        print(f"{name}: {outcome(name, STEPS[name], end, again=arguments.again)}", flush=True)


def outcome(name: str, step: Step, end: float, *, again: bool) -> str:
    """Take a step, and say in one line what came of it.

    Args:
        name: the name of the counterpart.
        step: how it is got.
        end: when there is no time for more, as `time.monotonic` counts.
        again: whether it is got even if it is there.
    """
    start = time.monotonic()
    limit = min(step.seconds, end - start)
    workshop = Workshop(name, start + limit)
    if not again and (version := workshop.version()) is not None:
        return f"{version} (already there)"
    if limit <= 0:
        return "not available: no time left"
    try:
        version = step.get(workshop)
    except (UnavailableError, OSError, ValueError) as error:
        return f"not available: {error}"
    workshop.note(version)
    return f"{version} ({time.monotonic() - start:.0f} s)"


if __name__ == "__main__":
    main()
