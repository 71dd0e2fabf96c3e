"""Write the generated payloads: `python -m tests.conformance.generate`.

Random payloads with the judgement of go-cty, in the file `vectors/generated.jsonl`, so that the
large suite runs where go-cty is not at hand. Left out are payloads whose judgement is free: that
crash go-cty, that are odd, or whose sets may be written in another order. `make counterparts`
builds the judge.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Final

from tests.conformance.cases import GENERATED
from tests.conformance.go_cty import Judged, differences, judged_payloads
from tests.conformance.routes import ByType, fault_of
from tests.counterparts import find

LONGEST_LINE: Final = 1200
MOST_BYTES: Final = 900_000


def line_of(judged: Judged) -> str | None:
    """The line of a payload; None if its judgement is free, or the line is long."""
    if judged.question.odd or "panic" in judged.answer:
        return None
    case = judged.case
    if fault_of(ByType(), case):
        if faults := differences(judged):
            raise SystemExit(f"{faults[0]}\n  {judged}")
        return None
    entry = {
        "id": judged.name,
        "note": "generated",
        "must": case.must,
        "format": case.format,
        "type": case.type.to_object(),
        "data_hex": case.data.hex(),
        "value": case.value,
        "msgpack": case.msgpack.hex() if case.msgpack is not None else None,
        "json": case.json,
    }
    line = json.dumps({key: value for key, value in entry.items() if value is not None})
    return line if len(line.encode()) <= LONGEST_LINE else None


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.generate")
    parser.add_argument("--seed", type=int, default=0, help="another one makes other payloads")
    parser.add_argument("--count", type=int, default=4000, help="how many payloads are judged")
    arguments = parser.parse_args()
    program = find("go-cty")
    if program is None:
        print("go-cty is not there: `make counterparts` builds it")
        return 1
    lines: list[str] = []
    size = 0
    for judged in judged_payloads(program, arguments.seed, arguments.count):
        line = line_of(judged)
        if line is not None and size + len(line.encode()) < MOST_BYTES:
            lines.append(line)
            size += len(line.encode()) + 1
    GENERATED.write_text("\n".join(lines) + "\n")
    print(f"{len(lines):,} payloads, {size:,} bytes: {GENERATED.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
