"""Compare with go-cty: `python -m tests.conformance --seed 1 --count 10000`.

Random type constraints, and payloads of types in every spelling, right and wrong, are judged by
go-cty and by us. Prints what differs, and fails then. `make counterparts` builds the judge.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from itertools import islice

from tests.conformance.go_cty import differences, judged_payloads, type_differences
from tests.counterparts import find


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="another one makes other payloads")
    parser.add_argument("--count", type=int, default=10_000, help="how many payloads")
    arguments = parser.parse_args()
    program = find("go-cty")
    if program is None:
        print("go-cty is not there: `make counterparts` builds it")
        return 1
    counts: Counter[str] = Counter()
    faults = [*type_differences(program, arguments.seed, arguments.count // 10)]
    for judged in judged_payloads(program, arguments.seed, arguments.count):
        counts[next(kind for kind in ("value", "error", "panic") if kind in judged.answer)] += 1
        faults += [f"{fault}\n  {judged}" for fault in differences(judged)]
    print(*islice(faults, 50), sep="\n")
    print(
        f"go-cty accepted {counts['value']:,}, refused {counts['error']:,} and crashed on "
        f"{counts['panic']:,} of {arguments.count:,} payloads (seed {arguments.seed}); "
        f"{len(faults)} differences"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
