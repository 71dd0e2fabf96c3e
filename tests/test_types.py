"""Type constraints."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest
from hypothesis import given

from tests.strategies import type_constraints
from tofutypes.errors import TypeConstraintError
from tofutypes.limits import Limits
from tofutypes.type_parsing import parse_type
from tofutypes.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    STRING,
    ListType,
    MapType,
    ObjectType,
    PrimitiveType,
    SetType,
    TupleType,
    Type,
    without_optional,
)

MAX_TYPE_DEPTH = Limits().depth


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ('"string"', STRING),
        ('"number"', NUMBER),
        ('"bool"', BOOL),
        ('"dynamic"', DYNAMIC),
        ('["list","string"]', ListType(STRING)),
        ('["set",["map","bool"]]', SetType(MapType(BOOL))),
        ('["tuple",[]]', TupleType()),
        ('["tuple",["string","number"]]', TupleType((STRING, NUMBER))),
        ('["object",{}]', ObjectType({})),
        ('["object",{"a":"string","b":"bool"}]', ObjectType({"b": BOOL, "a": STRING})),
        ('["object",{"a":"string"},["a"]]', ObjectType({"a": STRING}, ["a"])),
        ('["object",{"é":"bool"}]', ObjectType({"e\u0301": BOOL})),
        ('["object",{"\\u003c":"bool"}]', ObjectType({"<": BOOL})),
    ],
)
def test_types_are_read_and_written(text: str, type_: Type) -> None:
    assert parse_type(text) == type_
    assert parse_type(text.encode()) == type_
    assert parse_type(json.loads(text)) == type_
    assert type_.to_json() == text
    assert type_.to_object() == json.loads(text)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("string", '"string"'),
        (' [ "set" , "bool" ] ', '["set","bool"]'),
        ('["object",{"b":"bool","a":"bool"}]', '["object",{"a":"bool","b":"bool"}]'),
        ('["object",{"a":"bool","b":"bool"},["b","a"]]', None),
        ('["object",{"a":"bool"},[]]', '["object",{"a":"bool"}]'),
        ('["object",{"a":"string","a":"bool"}]', '["object",{"a":"bool"}]'),
        ('["object",{"e\\u0301":"bool"},["\\u00e9"]]', '["object",{"é":"bool"},["é"]]'),
    ],
)
def test_other_spellings_are_read(text: str, canonical: str | None) -> None:
    canonical = canonical or '["object",{"a":"bool","b":"bool"},["a","b"]]'
    assert parse_type(text).to_json() == canonical


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("any", "invalid JSON"),
        ('"any"', 'unknown type "any"; expected "string", "number", "bool" or "dynamic"'),
        ('"String"', 'unknown type "String"; did you mean "string"?'),
        ("", "invalid JSON"),
        ('"string" 1', "invalid JSON"),
        (b"\xff", "invalid JSON"),
        (b'"\x00s\x00"\x00', "invalid JSON"),  # UTF-16
        (
            "1",
            'expected a name such as "string" or an array such as ["list", "string"], got a number',
        ),
        ("null", "got null"),
        ("{}", "got a map or an object"),
        ("[]", "got an empty array"),
        ('["list"]', 'expected an array of 2 elements for "list", got 1'),
        ('["list","string",1]', 'expected an array of 2 elements for "list", got 3'),
        (
            '["string"]',
            'unknown kind of type "string"; expected "list", "set", "map", "tuple" or "object"',
        ),
        ("[1,2]", 'expected "list", "set", "map", "tuple" or "object", got a number'),
        ('["tuple","string"]', "at [1]: expected an array of element types, got a string"),
        ('["tuple",["string","no"]]', 'at [1][1]: unknown type "no"; expected'),
        ('["object",["a"]]', "at [1]: expected an object of attribute types, got a list"),
        ('["object",{"a":"no"}]', 'at [1].a: unknown type "no"; expected'),
        ('["map",["list","no"]]', 'at [1][1]: unknown type "no"; expected'),
        ('["object",{},"a"]', "at [2]: expected an array of attribute names, got a string"),
        ('["object",{},[1]]', "at [2][0]: expected a string as attribute name, got a number"),
        ('["object",{},["a"]]', 'at [2]: unknown optional attribute "a"'),
        (["object", {1: "string"}], "at [1]: expected a string as attribute name, got a number"),
        ('["object",{"\\ud800":"string"}]', "unpaired surrogate"),
        ('"' + "x" * 100 + '"', f'unknown type "{"x" * 59}…"; expected'),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_type_is_refused(source: Any, message: str) -> None:
    with pytest.raises(TypeConstraintError) as caught:
        parse_type(source)
    assert message in str(caught.value)


@pytest.mark.parametrize("wrap", ['["list",%s]', '["tuple",[%s]]', '["object",{"a":%s}]'])
def test_types_nest_so_deep_and_no_deeper(wrap: str) -> None:
    def nested(levels: int) -> str:
        text = '"string"'
        for _ in range(levels):
            text = wrap % text
        return text

    assert parse_type(nested(MAX_TYPE_DEPTH)).depth == MAX_TYPE_DEPTH
    with pytest.raises(TypeConstraintError, match="type is nested too deeply"):
        parse_type(nested(MAX_TYPE_DEPTH + 1))


def test_no_type_is_deeper_however_it_is_made() -> None:
    type_: Type = STRING
    for _ in range(MAX_TYPE_DEPTH):
        type_ = ListType(type_)
    for make in (
        SetType,
        lambda inner: TupleType((inner,)),
        lambda inner: ObjectType({"a": inner}),
    ):
        with pytest.raises(TypeConstraintError, match="type is nested too deeply"):
            make(type_)


@given(type_constraints())
def test_the_text_of_a_type_is_the_type(type_: Type) -> None:
    again = parse_type(type_.to_json())
    assert again == type_
    assert hash(again) == hash(type_)
    assert again.to_json() == type_.to_json()
    assert pickle.loads(pickle.dumps(type_)) == type_
    assert copy.deepcopy(type_) == type_


@given(type_constraints(), type_constraints())
def test_types_are_equal_if_their_texts_are(one: Type, other: Type) -> None:
    assert (one == other) == (one.to_json() == other.to_json())


def test_there_are_four_primitive_types() -> None:
    assert PrimitiveType("string") is STRING
    assert pickle.loads(pickle.dumps(DYNAMIC)) is DYNAMIC
    assert copy.deepcopy(NUMBER) is NUMBER
    with pytest.raises(TypeConstraintError, match='unknown type "any"'):
        PrimitiveType("any")


def test_a_type_equals_no_other_thing() -> None:
    assert STRING != "string"
    assert ListType(STRING) != SetType(STRING)
    assert ObjectType({"a": STRING}) != ObjectType({"a": STRING}, ["a"])


@pytest.mark.parametrize(
    ("text", "name", "depth", "dynamic"),
    [
        ('"string"', "string", 0, False),
        ('"dynamic"', "dynamic", 0, True),
        ('["list",["set","number"]]', "list of set of number", 2, False),
        ('["map","dynamic"]', "map of dynamic", 1, True),
        ('["tuple",["string",["list","dynamic"]]]', "tuple", 2, True),
        ('["object",{"a":["tuple",[]]}]', "object", 1, False),
    ],
)
def test_what_a_type_tells(text: str, name: str, depth: int, dynamic: bool) -> None:
    type_ = parse_type(text)
    assert (str(type_), type_.depth, type_.has_dynamic) == (name, depth, dynamic)
    assert repr(type_) == f"parse_type({text!r})"


def test_values_have_no_optional_attributes() -> None:
    text = '["list",["tuple",[["object",{"a":["object",{"b":"bool"},["b"]]},["a"]]]]]'
    plain = '["list",["tuple",[["object",{"a":["object",{"b":"bool"}]}]]]]'
    assert without_optional(parse_type(text)).to_json() == plain
