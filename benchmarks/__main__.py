"""Measure: `python -m benchmarks`, or one part of it, `python -m benchmarks codecs`."""

from __future__ import annotations

import sys

from benchmarks import codecs, packages

PARTS = {"codecs": codecs.report, "packages": packages.report}


def main() -> None:
    """Print the tables."""
    for name in sys.argv[1:] or PARTS:
        for line in PARTS[name]():
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
        sys.stdout.write("\n")


main()
