"""Judged type constraints: the shared ones, where they are at hand."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tofutypes.errors import TypeConstraintError
from tofutypes.type_parsing import parse_type

# By text, with the reason.
DEVIATIONS = {
    r'["object",{"e\u0301":"string"}]': (
        "the judgement escapes é, the reference itself writes it plainly: values.jsonl, 1756"
    )
}


def test_shared_types(shared: Path, record_property: Callable[[str, object], None]) -> None:
    faults: list[str] = []
    lines = (shared / "conformance" / "types.jsonl").read_text().splitlines()
    counts = Counter(json.loads(line)["must"] for line in lines)
    record_property("conformance", ", ".join(f"{n} {kind}" for kind, n in sorted(counts.items())))
    for line in lines:
        entry = json.loads(line)
        text, canonical = entry["text"], entry.get("canonical")
        try:
            written = parse_type(text).to_json()
        except TypeConstraintError as error:
            faults += [f"{text}: {error}"] if entry["must"] != "refuse" else []
            continue
        if text in DEVIATIONS:
            assert written != canonical
            assert json.loads(written) == json.loads(canonical)
        elif written != canonical:
            faults.append(f"{text}: accepted as {written}")
    if faults:
        pytest.fail("\n".join(faults), pytrace=False)
