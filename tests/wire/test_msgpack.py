"""MessagePack: what is special to it. The rules for values are in the conformance vectors."""

from __future__ import annotations

from array import array
from collections import OrderedDict, UserDict, UserList
from decimal import Decimal
from enum import StrEnum
from typing import Any

import pytest

from tofutypes.dynamic import Dynamic
from tofutypes.errors import DecodeError, EncodeError
from tofutypes.numbers import Float64
from tofutypes.sets import TofuSet
from tofutypes.type_parsing import parse_type
from tofutypes.types import NUMBER, STRING, Type
from tofutypes.unknown import UNKNOWN, Unknown
from tofutypes.wire import decode_msgpack, encode_msgpack

PERSON = parse_type('["object",{"age":"number","name":"string"}]')


class Colour(StrEnum):
    RED = "red"


class Text(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "something else"


class Bytes(bytes):
    pass


def test_any_buffer_is_read() -> None:
    for data in (b"\xa1a", bytearray(b"\xa1a"), memoryview(b"\xa1a"), Bytes(b"\xa1a")):
        assert decode_msgpack(data, STRING) == "a"


@pytest.mark.parametrize(
    ("type_", "value", "kind"),
    [
        ('"number"', "03", int),
        ('"number"', "cb 40 08 00 00 00 00 00 00", int),
        ('"number"', "a1 33", int),
        ('"number"', "a3 30 2e 31", Decimal),
        ('"number"', "cb 3f b9 99 99 99 99 99 9a", Float64),
        ('["list","string"]', "90", list),
        ('["set","string"]', "90", TofuSet),
        ('["map","string"]', "80", dict),
        ('["object",{}]', "80", dict),
        ('["tuple",[]]', "90", tuple),
        ('"dynamic"', "92 c4 08 22737472696e6722 a1 78", Dynamic),
        ('"dynamic"', "d4 00 00", Unknown),
    ],
)
def test_what_values_are_in_python(type_: str, value: str, kind: type) -> None:
    assert type(decode_msgpack(bytes.fromhex(value), parse_type(type_))) is kind


@pytest.mark.parametrize(
    ("type_", "value", "data"),
    [
        ('"string"', Colour.RED, "a3 72 65 64"),
        ('"string"', Text("x"), "a1 78"),
        ('"string"', "e\u0301", "a2 c3 a9"),
        ('"number"', 3.0, "03"),
        ('"number"', Decimal("3.00"), "03"),
        ('"number"', 0.1, "a3 30 2e 31"),
        ('"number"', Decimal("0.15"), "a4 30 2e 31 35"),
        ('"number"', Decimal("-2.25"), "cb c0 02 00 00 00 00 00 00"),
        ('"number"', float("inf"), "cb 7f f0 00 00 00 00 00 00"),
        ('["list","number"]', (1, 2.0), "92 01 02"),
        ('["list","number"]', range(2), "92 00 01"),
        ('["list","string"]', UserList(["a"]), "91 a1 61"),
        ('["set","string"]', {"a"}, "91 a1 61"),
        ('["set","string"]', ["b", "a", "b"], "92 a1 61 a1 62"),
        ('["set","number"]', [Decimal("1.0"), 1, 1.0], "91 01"),
        ('["set","string"]', ["z", "e\u0301"], "92 a1 7a a2 c3 a9"),
        ('["set",["list","string"]]', [["b"], ["a"], ["b"]], "92 91 a1 61 91 a1 62"),
        ('["tuple",["string","number"]]', ["a", 1], "92 a1 61 01"),
        ('["map","bool"]', UserDict({"b": True, "a": False}), "82 a1 61 c2 a1 62 c3"),
        ('["map","bool"]', OrderedDict(b=True, a=None), "82 a1 61 c0 a1 62 c3"),
        ('["object",{"a":"bool","b":"bool"}]', {"b": True, "a": None}, "82 a1 61 c0 a1 62 c3"),
        ('["object",{"a":"bool","b":"bool"},["a"]]', {"b": True}, "82 a1 61 c0 a1 62 c3"),
        ('"dynamic"', "x", "92 c4 08 22737472696e6722 a1 78"),
        ('"dynamic"', Dynamic(None, STRING), "92 c4 08 22737472696e6722 c0"),
        ('"dynamic"', [1], "92 c4 14 5b227475706c65222c5b226e756d626572225d5d 91 01"),
        ('"dynamic"', Dynamic({1}), "92 c4 10 5b22736574222c226e756d626572225d 91 01"),
    ],
)
def test_what_users_write(type_: str, value: object, data: str) -> None:
    assert encode_msgpack(value, parse_type(type_)) == bytes.fromhex(data)


@pytest.mark.parametrize(
    ("type_", "value", "message"),
    [
        ('"string"', 1, "expected a string, got a number"),
        ('"string"', b"x", "expected a string, got bytes"),
        ('"string"', "\ud800", "invalid Unicode: unpaired surrogate"),
        ('"number"', "1", "expected a number, got a string"),
        ('"number"', True, "expected a number, got a bool"),
        ('"number"', float("nan"), "expected a number, got NaN"),
        ('"number"', 10**4000, "number is too long: the limit is 4000 digits"),
        ('"bool"', 1, "expected a bool, got a number"),
        ('["list","string"]', "abc", "expected a list of string, got a string"),
        ('["list","string"]', {"a": 1}, "expected a list of string, got a map or an object"),
        ('["list","string"]', ["a", 1], "[1]: expected a string, got a number"),
        ('["set","number"]', [1, "a"], "[1]: expected a number, got a string"),
        ('["set",["list","bool"]]', [[], [1]], "[1][0]: expected a bool, got a number"),
        ('["map","string"]', [], "expected a map of string, got a list"),
        ('["map","string"]', {1: "a"}, "expected a string as key, got a number"),
        ('["map","string"]', {"k": 1}, '["k"]: expected a string, got a number'),
        ('["map","string"]', {"\ud800": "x"}, "unpaired surrogate"),
        ('["tuple",["bool"]]', [], "expected a tuple of 1 element, got 0"),
        ('["tuple",["bool"]]', [3], "[0]: expected a bool, got a number"),
        ('["object",{"a":"bool"}]', {}, "a: missing attribute or nested block"),
        ('["object",{"a":"bool"}]', {"a": 0}, "a: expected a bool, got a number"),
        ('["object",{"a":"bool"}]', {"a": None, "b": 1}, "b: unknown attribute or nested block"),
        ('["object",{"a":"bool"}]', {"a": None, 1: 1}, "expected a string as key"),
        ('["object",{"a":"bool"}]', [], "expected an object, got a list"),
        ('["object",{"a":["list","string"]}]', {"a": [None, 1]}, "a[1]: expected a string"),
        ('"string"', Unknown(lower=1), "number bounds cannot refine an unknown string"),
        ('"number"', Unknown(prefix="a"), "a string prefix cannot refine an unknown number"),
        ('"bool"', Unknown(max_length=1), "a length cannot refine an unknown bool"),
        (
            '"dynamic"',
            object(),
            "expected a string, a number, a bool, a collection or null, got an object",
        ),
        ('"dynamic"', Dynamic("x", NUMBER), "expected a number, got a string"),
        ('["list","dynamic"]', ["x", 1], "expected elements of one type in a list"),
        ('["set","dynamic"]', ["x", 1], "expected elements of one type in a set"),
        ('["map","dynamic"]', {"a": "x", "b": 1}, "expected elements of one type in a map"),
    ],
)
def test_what_is_no_value_of_the_type(type_: str, value: object, message: str) -> None:
    with pytest.raises(EncodeError) as caught:
        encode_msgpack(value, parse_type(type_))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("type_", "data", "message"),
    [
        ('"string"', None, "expected bytes, got"),
        ('"string"', "a", "expected bytes, got"),
        ('"string"', memoryview(array("d", [1.0])), "expected bytes, got"),
        ('"string"', b"", "truncated or malformed MessagePack"),
        ('["map","bool"]', b"\x81\x01\xc3", "expected a string as key, got another kind of key"),
        ('"string"', b"\xa2a", "truncated or malformed MessagePack"),
        ('"string"', b"\xa1ab", "trailing data after the value"),
        ('"string"', b"\xa1\xff", "invalid UTF-8 in a string"),
        ('"string"', b"\xc4\x01\xff", "invalid UTF-8 in a string"),
        ('["map","bool"]', b"\x81\xc4\x01\xff\xc3", "invalid UTF-8 in a key"),
        ('"string"', b"\x91" * 2000, "MessagePack is nested too deeply (the limit is 100 levels)"),
        ('["list","string"]', b"\x92\xa1a\x01", "[1]: expected a string, got a number"),
        ('["map",["list","bool"]]', b"\x81\xa1k\x91\x01", '["k"][0]: expected a bool'),
        ('["object",{"a":["set","number"]}]', b"\x81\xa1a\x91\xc3", "a[0]: expected a number"),
        ('["tuple",["bool","bool"]]', b"\x92\xc3\x01", "[1]: expected a bool, got a number"),
        (
            '["object",{"a":"dynamic"}]',
            b"\x81\xa1a\x92\x01\x01",
            "a[0]: expected a type constraint, got a number",
        ),
        ('"dynamic"', b"\x92\xc4\x02{}\x01", "[0]: invalid type constraint"),
        ('"string"', b"\xc7\x03\x0c\x81\x90\xc3", "malformed refinements of an unknown value"),
        (
            '"string"',
            b"\xc8\x04\x01\x0c\x81" + bytes(1024),
            "refinements are too large: the limit is 1024 bytes",
        ),
    ],
)
def test_errors_of_reading_tell_where(type_: str, data: Any, message: str) -> None:
    with pytest.raises(DecodeError) as caught:
        decode_msgpack(data, parse_type(type_))
    assert message in str(caught.value)


def test_binary_is_taken_for_a_string() -> None:
    assert decode_msgpack(b"\xc4\x03abc", STRING) == "abc"
    assert decode_msgpack(b"\x81\xc4\x01k\xc3", parse_type('["map","bool"]')) == {"k": True}


def test_what_is_read_is_not_shared_with_what_is_written() -> None:
    type_ = parse_type('["list","string"]')
    value = ["a"]
    encode_msgpack(value, type_)
    assert value == ["a"]
    given = {"age": 3, "name": "x"}
    encode_msgpack(given, PERSON)
    assert given == {"age": 3, "name": "x"}


def test_unknown_values_decided_by_their_type_are_written_as_decided() -> None:
    both = {"not_null": True, "min_length": 2, "max_length": 2}
    for type_, unknown, data in [
        (NUMBER, Unknown(not_null=True, lower=5, upper=5), b"\x05"),
        (parse_type('["list","bool"]'), Unknown(**both), b"\x92\xd4\0\0\xd4\0\0"),  # type: ignore[arg-type]
        (parse_type('["set","bool"]'), Unknown(not_null=True, max_length=0), b"\x90"),
        (parse_type('["map","bool"]'), Unknown(not_null=True, max_length=0), b"\x80"),
        (parse_type('"dynamic"'), Unknown(prefix="a"), b"\xd4\0\0"),
    ]:
        assert encode_msgpack(unknown, type_) == data


def test_elements_that_are_unknown_inside_are_never_one() -> None:
    type_ = parse_type('["set",["list","string"]]')
    data = encode_msgpack([[UNKNOWN], [UNKNOWN], ["a"], ["a"]], type_)
    read = decode_msgpack(data, type_)
    assert isinstance(read, TofuSet)
    assert len(read) == 3


def test_types_of_any_size_are_compiled_once() -> None:
    large: Type = parse_type(["object", {f"a{number}": "string" for number in range(2000)}])
    value = {f"a{number}": "x" for number in range(2000)}
    backwards = dict(reversed(list(value.items())))
    assert decode_msgpack(encode_msgpack(backwards, large), large) == value
