"""The order of sets whose elements are no primitives.

Source of the tables: what Terraform 1.15.5 made of `[for each in toset(...): each]`.
"""

from __future__ import annotations

from decimal import Decimal
from random import Random
from typing import Any

import pytest

from tofutypes import (
    UNKNOWN,
    Attr,
    Dynamic,
    NestedBlock,
    Number,
    Resource,
    SetBlock,
    Unknown,
    decode_msgpack,
    encode_json,
    encode_msgpack,
    parse_type,
)
from tofutypes.types import STRING
from tofutypes.wire.set_order import in_set_order

D = Decimal
LARGE = 15 * 10**299

ORDERED: dict[str, tuple[Any, list[Any]]] = {
    "strings": (
        ["list", "string"],
        [[each] for each in ("", "<a>", "?", "A", '"', "\\", "\n", "\u00a0", "\u200b", "\x01")]
        + [[each] for each in ("\x7f", "a", "b", "zz", "~", "é", "日", "😀")],
    ),
    "numbers": (
        ["tuple", ["number"]],
        [
            (each,)
            for each in (D("-0.5"), D("-1.5e-300"), -(10**20), -33, -5, D("0.5"), 0, 123456789012)
        ]
        + [(each,) for each in (LARGE, D("1234567.5"), 10**11, 10**20, D("1e-7"), 50, 5)]
        + [(D("99999.123456789012"),)],
    ),
    "bools": (["list", "bool"], [[False], [True]]),
    "maps": (["map", "string"], [{"a": "x", "b": "y"}, {"a": "x"}, {"b": "a"}]),
    "sets": (["set", "string"], [["a", "b"], ["a"]]),
    "objects": (
        ["object", {"a": "number", "b": "string"}],
        [
            {"a": 1, "b": "a"},
            {"a": 1, "b": "x"},
            {"a": 2, "b": "x"},
            {"a": 50, "b": "x"},
            {"a": 5, "b": "x"},
            {"a": UNKNOWN, "b": "x"},
            {"a": None, "b": "x"},
        ],
    ),
    "unknown and null": (["list", "string"], [["z"], [UNKNOWN], [], [None], UNKNOWN, None]),
}


@pytest.mark.parametrize(("type", "elements"), ORDERED.values(), ids=list(ORDERED))
def test_order(type: Any, elements: list[Any]) -> None:
    parsed = parse_type(["set", type])
    data = encode_msgpack(elements, parsed)
    shuffled = elements.copy()
    Random(0).shuffle(shuffled)
    assert in_set_order(shuffled, parse_type(type)) == elements
    assert encode_msgpack(shuffled, parsed) == data
    listed = parse_type(["list", type])
    assert data == encode_msgpack(elements, listed)
    if not any(isinstance(each, Unknown) or "Unknown" in repr(each) for each in elements):
        assert encode_json(shuffled, parsed) == encode_json(elements, listed)


class Rule(NestedBlock):
    ports: Attr[list[Number] | None] = Attr(optional=True, default=None)
    to: Attr[str | None] = Attr(optional=True, default=None)


class Group(Resource):
    rule: SetBlock[Rule] = SetBlock(default=())


def test_models() -> None:
    rules = [Rule(ports=[5], to="a"), Rule(ports=[5], to="b"), Rule(to="a"), Rule(to=UNKNOWN)]
    first = Group(rule=rules)
    assert first.to_msgpack() == Group(rule=rules[::-1]).to_msgpack()
    assert in_set_order(rules[::-1], Rule.__tofu_layout__().type) == rules


def test_elements_of_equal_text_are_told_apart() -> None:
    type_ = parse_type(["set", ["list", "number"]])
    near = [[D("0.12345678901")], [D("0.12345678902")], [D("0.12345678901")], [UNKNOWN], [UNKNOWN]]
    read: Any = decode_msgpack(encode_msgpack(near, type_), type_)
    assert len(read) == 4


@pytest.mark.parametrize(
    ("type", "elements"),
    [
        (["list", "number"], [[D("0.12345678901")], [D("0.12345678902")]]),
        ("dynamic", [None, Dynamic(None, STRING)]),
    ],
)
def test_known_elements_of_equal_text_have_one_order(type: Any, elements: list[Any]) -> None:
    type_ = parse_type(["set", type])
    for encode in (encode_msgpack, encode_json):
        assert encode(elements, type_) == encode(elements[::-1], type_)


def test_unknown_elements_of_equal_text_stay_in_the_order_given() -> None:
    type_ = parse_type(["set", ["list", "number"]])
    elements = [[Unknown(not_null=True)], [UNKNOWN]]
    for given in (elements, elements[::-1]):
        listed = encode_msgpack(given, parse_type(["list", ["list", "number"]]))
        assert encode_msgpack(given, type_) == listed


def test_dynamically_typed_elements() -> None:
    type_ = parse_type(["set", ["list", "dynamic"]])
    elements = [[Dynamic("b")], [Dynamic("a")]]
    data = encode_msgpack(elements, type_)
    assert data == encode_msgpack(elements[::-1], type_)
    assert encode_json(elements, type_) == encode_json(elements[::-1], type_)
