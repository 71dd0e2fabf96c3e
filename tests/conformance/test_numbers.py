"""Numbers that are equal, smaller or one element of a set: judged by go-cty."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tofutypes.comparison import comparison_key
from tofutypes.numbers import Number, exact_value
from tofutypes.types import NUMBER, ListType, SetType
from tofutypes.wire import decode_msgpack, encode_msgpack

SHARED = Path(__file__).parents[3] / "shared" / "conformance" / "numbers.jsonl"
OWN = Path(__file__).parent / "vectors" / "numbers.jsonl"

# go-cty rounds numbers to 512 bits; here every digit is kept. More digits than these may differ.
MOST_DIGITS = 150


def cases(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()] if file.is_file() else []


def number(payload: str) -> Number:
    value = decode_msgpack(bytes.fromhex(payload), NUMBER)
    assert isinstance(value, int | Decimal)
    return value


def is_exact(payload: bytes) -> bool:
    """Whether go-cty keeps all digits of the numbers in a payload."""
    numbers = decode_msgpack(payload, ListType(NUMBER))
    assert isinstance(numbers, list)
    return all(
        len(str(part)) <= MOST_DIGITS if isinstance(part, int) else is_short(part)
        for part in numbers
    )


def is_short(value: object) -> bool:
    return isinstance(value, Decimal) and len(value.as_tuple().digits) <= MOST_DIGITS


def check(case: dict[str, Any]) -> None:
    if case["op"] == "equal":
        one, other = number(case["a"]), number(case["b"])
        assert (one == other) is case["equal"]
        assert (comparison_key([one]) == comparison_key([other])) is case["equal"]
        assert (exact_value(one) < exact_value(other)) is case["less"]
        if case["equal"]:
            assert hash(one) == hash(other)
        payload = bytes.fromhex("92" + case["a"] + case["b"])
    else:
        payload = bytes.fromhex(case["data"])
    written = encode_msgpack(decode_msgpack(payload, SetType(NUMBER)), SetType(NUMBER))
    if is_exact(payload):
        assert written.hex() == case["set"]
    else:  # as many elements, at least
        assert written[:1].hex() == case["set"][:2]


@pytest.mark.parametrize("case", cases(OWN), ids=lambda case: case["note"])
def test_numbers(case: dict[str, Any]) -> None:
    check(case)


@pytest.mark.skipif(not SHARED.is_file(), reason=f"{SHARED.name} is not at hand")
def test_judged_numbers() -> None:
    judged = cases(SHARED)
    assert len(judged) > 600
    for case in judged:
        check(case)
