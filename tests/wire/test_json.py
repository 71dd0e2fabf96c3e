"""JSON: what is special to it. The rules for values are in the conformance vectors."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tofutypes.dynamic import Dynamic
from tofutypes.errors import DecodeError, EncodeError
from tofutypes.numbers import Float64, number_from_float64
from tofutypes.type_parsing import parse_type
from tofutypes.types import NUMBER, STRING
from tofutypes.unknown import UNKNOWN, Unknown
from tofutypes.wire import decode_json, encode_json


def test_text_and_bytes_are_read() -> None:
    for text in ('"é"', '"é"'.encode(), bytearray('"é"'.encode())):
        assert decode_json(text, STRING) == "é"


@pytest.mark.parametrize(
    "digits",
    [
        "0.1",
        "-12.5",
        "18446744073709551616",
        "123456789012345678901234567890.123456789",
        "0.30000000000000004",
        "1" + "0" * 400,
    ],
)
def test_numbers_are_exact_to_the_last_digit(digits: str) -> None:
    read = decode_json(digits, NUMBER)
    assert read == Decimal(digits)
    assert encode_json(read, NUMBER) == digits


def test_a_float64_of_msgpack_has_few_digits() -> None:
    tenth = number_from_float64(0.1)
    assert type(tenth) is Float64
    assert encode_json(tenth, NUMBER) == "0.1"
    assert decode_json("0.1", NUMBER) == tenth


@pytest.mark.parametrize(
    ("type_", "text", "value"),
    [
        ('"string"', "1.50", "1.50"),
        ('"string"', "12", "12"),
        ('"string"', "true", "true"),
        ('"number"', '"0.1"', Decimal("0.1")),
        ('"bool"', '"true"', True),
        ('"bool"', '"false"', False),
        ('["list","string"]', '["a",1]', ["a", "1"]),
        ('["map","number"]', '{"a":"1"}', {"a": 1}),
        ('["object",{"a":"string","b":"bool"}]', "{}", {"a": None, "b": None}),
        (
            '["list",["object",{"a":"string","b":"bool"}]]',
            '[{"b":"true"}]',
            [{"a": None, "b": True}],
        ),
    ],
)
def test_state_of_an_older_version_is_read(type_: str, text: str, value: object) -> None:
    assert decode_json(text, parse_type(type_)) == value


@pytest.mark.parametrize(
    ("type_", "text", "message"),
    [
        ('"string"', "", "invalid JSON (line 1, column 1)"),
        ('"string"', '\n "a', "invalid JSON (line 2, column 2)"),
        ('"string"', '"a" "b"', "invalid JSON (line 1, column 5)"),
        ('"string"', b'"\xff"', "invalid UTF-8 in JSON"),
        ('"string"', '"a"'.encode("utf-16"), "invalid UTF-8 in JSON"),
        ('"string"', '"a"'.encode("utf-16-le"), "invalid JSON"),
        ('"string"', "\ufeff1", "invalid JSON"),
        ('"string"', r'"\ud800"', "invalid Unicode: unpaired surrogate"),
        ('["map","string"]', r'{"\ud800":"x"}', "unpaired surrogate"),
        ('"string"', "[" * 100_000, "JSON is nested too deeply (the limit is 100 levels)"),
        ('"string"', None, "expected JSON text, got null"),
        ('"number"', "NaN", "expected a number, got NaN"),
        ('"number"', "-Infinity", "expected a number, got -Infinity"),
        ('"number"', "1e999999999", "the exponent is out of range: the limit is 1000"),
        ('"number"', "9" * 5000, "number is too long: the limit is 4000 digits"),
        ('"number"', '"abc"', "expected a number, got other text"),
        ('"bool"', '"yes"', "expected a bool, got a string"),
        ('"bool"', "1", "expected a bool, got a number"),
        ('["list","string"]', '["a",[]]', "[1]: expected a string, got a list"),
        ('["object",{"a":"bool"}]', '{"a":null,"z":1}', "z: unknown attribute or nested block"),
        ('["tuple",["bool"]]', "[]", "expected a tuple of 1 element, got 0"),
        ('"dynamic"', "1", 'expected an object with the keys "type" and "value"'),
        ('"dynamic"', '{"type":"secret","value":1}', "type: invalid type constraint"),
        ('"dynamic"', '{"type":1,"value":1}', "type: invalid type constraint"),
        (
            '"dynamic"',
            r'{"type":"[\"list\",\"bool\"]","value":[]}',
            "type: invalid type constraint",
        ),
        ('["list","dynamic"]', '[{"type":"string","value":[]}]', "[0]: expected a string"),
    ],
)
def test_errors_of_reading_tell_where(type_: str, text: Any, message: str) -> None:
    with pytest.raises(DecodeError) as caught:
        decode_json(text, parse_type(type_))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("type_", "value", "message"),
    [
        ('"string"', UNKNOWN, "JSON cannot represent unknown values"),
        ('["list","string"]', ["a", UNKNOWN], "[1]: JSON cannot represent unknown values"),
        ('["set","string"]', ["a", UNKNOWN], "[1]: JSON cannot represent unknown values"),
        ('"dynamic"', UNKNOWN, "JSON cannot represent unknown values"),
        ('"dynamic"', Dynamic(UNKNOWN, STRING), "JSON cannot represent unknown values"),
        ('"number"', Decimal("Infinity"), "JSON cannot represent infinity"),
        ('"number"', float("-inf"), "JSON cannot represent infinity"),
        ('"number"', float("nan"), "expected a number, got NaN"),
        ('"string"', "\ud800", "invalid Unicode: unpaired surrogate"),
        ('["object",{"a":"bool"}]', {"a": 1}, "a: expected a bool, got a number"),
    ],
)
def test_what_json_cannot_hold(type_: str, value: object, message: str) -> None:
    with pytest.raises(EncodeError) as caught:
        encode_json(value, parse_type(type_))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("type_", "value", "text"),
    [
        ('"string"', 'say "x"\\', r'"say \"x\"\\"'),
        ('"string"', "\x00\x1f\x7f\n\t", '"\\u0000\\u001f\x7f\\n\\t"'),
        ('"string"', "<&>\u2028\u2029", r'"\u003c\u0026\u003e\u2028\u2029"'),
        ('"number"', 0.1, "0.1"),
        ('"number"', 1e22, "10000000000000000000000"),
        ('"number"', Unknown(not_null=True, lower=5, upper=5), "5"),
        ('["set","string"]', {"b", "a"}, '["a","b"]'),
        ('["set",["set","number"]]', [[2, 1], [1, 2]], "[[1,2]]"),
        ('["map","bool"]', {"b": True, "<": None}, r'{"\u003c":null,"b":true}'),
        (
            '"dynamic"',
            {"a": [1]},
            '{"value":{"a":[1]},"type":["object",{"a":["tuple",["number"]]}]}',
        ),
    ],
)
def test_what_is_written(type_: str, value: object, text: str) -> None:
    assert encode_json(value, parse_type(type_)) == text
