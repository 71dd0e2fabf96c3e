"""State as it was stored: JSON, and the flat form of before Terraform 0.12."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.provider.server.boxes import Box, Slot
from tofutypes import DecodeError, parse_type
from tofutypes.provider import StoredState
from tofutypes.provider.server.flatmap import expand
from tofutypes.provider.service.requests import RawState

UNKNOWN_MARK = "74D93920-ED26-11E3-AC10-0800200C9A66"


@pytest.mark.parametrize(
    ("type", "flat", "expanded"),
    [
        ("string", {"a": "x"}, "x"),
        ("string", {}, None),
        ("string", {"a": UNKNOWN_MARK}, None),
        ("number", {"a": "1.5"}, "1.5"),
        (["list", "string"], {"a.#": "2", "a.0": "x", "a.1": "y"}, ["x", "y"]),
        (["list", "string"], {"a.#": "0"}, []),
        (["list", "string"], {}, None),
        (["list", "string"], {"a.#": UNKNOWN_MARK}, None),
        (["set", "string"], {"a.#": "2", "a.123": "x", "a.456": "y"}, ["x", "y"]),
        (
            ["map", "string"],
            {"a.%": "2", "a.k": "x", "a.dotted.key": "y"},
            {"k": "x", "dotted.key": "y"},
        ),
        (["map", "string"], {}, None),
        (["object", {"b": "bool", "c": "string"}], {"a.b": "true"}, {"b": "true", "c": None}),
        (
            ["list", ["object", {"b": "string", "c": ["list", "string"]}]],
            {"a.#": "1", "a.0.b": "x", "a.0.c.#": "1", "a.0.c.0": "y"},
            [{"b": "x", "c": ["y"]}],
        ),
        (
            ["set", ["object", {"b": "string"}]],
            {"a.#": "2", "a.77.b": "x", "a.88.b": "y"},
            [{"b": "x"}, {"b": "y"}],
        ),
        (["tuple", ["string", "bool"]], {"a.#": "2", "a.0": "x", "a.1": "true"}, ["x", "true"]),
    ],
    ids=str,
)
def test_the_flat_form(type: object, flat: dict[str, str], expanded: object) -> None:
    assert expand(flat, parse_type(["object", {"a": type}])) == {"a": expanded}


@pytest.mark.parametrize(
    ("type", "flat", "message"),
    [
        (["list", "string"], {"a.#": "many"}, "a.#: expected the number of elements"),
        (["list", "string"], {"a.#": "999999999999"}, "a.#: expected the number of elements"),
        ("dynamic", {"a": "x"}, "a: the flat form of state has no dynamically typed values"),
    ],
)
def test_what_is_no_flat_form(type: object, flat: dict[str, str], message: str) -> None:
    with pytest.raises(DecodeError) as caught:
        expand(flat, parse_type(["object", {"a": type}]))
    assert str(caught.value) == message


def test_reading_the_flat_form() -> None:
    flat = {"name": "a", "serial": "7", "slot.#": "1", "slot.0.size": "1.5", "bag.#": "0"}
    assert StoredState(RawState(flatmap=flat), 0).read(Box) == Box(
        name="a", serial=7, slot=[Slot(size=Decimal("1.5"))]
    )


def test_reading_json() -> None:
    stored = StoredState(RawState(json=b'{"name": "a", "serial": "0.1", "gone": {"b": 1}}'), 1)
    assert stored.read(Box) == Box(name="a", serial=Decimal("0.1"))
    assert list(map(str, stored.dropped)) == ["gone"]
    assert stored.values() == {"name": "a", "serial": "0.1", "gone": {"b": 1}}


@pytest.mark.parametrize("raw", [RawState(json=b"["), RawState(json=b"[]"), RawState()], ids=str)
def test_values_of_what_is_no_object(raw: RawState) -> None:
    with pytest.raises(DecodeError):
        StoredState(raw).values()
