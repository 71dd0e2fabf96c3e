"""Dynamically typed values: their concrete types, and nested blocks that are one."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest

from tofutypes.dynamic import Dynamic
from tofutypes.errors import InvalidValueError, TofuTypesError
from tofutypes.sets import TofuSet
from tofutypes.type_parsing import parse_type
from tofutypes.types import DYNAMIC, STRING, ListType, MapType, ObjectType, Type
from tofutypes.unknown import UNKNOWN, Unknown
from tofutypes.wire import decode_msgpack, encode_json, encode_msgpack
from tofutypes.wire import json as json_format
from tofutypes.wire import msgpack as msgpack_format
from tofutypes.wire.concrete_types import check_one_type, concrete, in_place_of
from tofutypes.wire.layout import (
    BlockCount,
    CollectionLayout,
    DynamicBlocksLayout,
    layout_of_type,
)

TEXT = Dynamic("x", STRING)


@pytest.mark.parametrize(
    ("type_", "value", "plain", "concrete_type"),
    [
        ('"dynamic"', None, None, '"dynamic"'),
        ('"dynamic"', UNKNOWN, UNKNOWN, '"dynamic"'),
        ('"dynamic"', TEXT, "x", '"string"'),
        ('"dynamic"', "x", "x", '"string"'),
        ('"dynamic"', [TEXT, 1], ("x", 1), '["tuple",["string","number"]]'),
        ('["list","string"]', ["x"], ["x"], '["list","string"]'),
        ('["list","dynamic"]', [TEXT, None, UNKNOWN], ["x", None, UNKNOWN], '["list","string"]'),
        ('["list","dynamic"]', [None], [None], '["list","dynamic"]'),
        ('["list","dynamic"]', [], [], '["list","dynamic"]'),
        ('["set","dynamic"]', TofuSet([TEXT]), TofuSet(["x"]), '["set","string"]'),
        ('["map","dynamic"]', {"a": TEXT, "b": None}, {"a": "x", "b": None}, '["map","string"]'),
        (
            '["tuple",["dynamic","dynamic"]]',
            (TEXT, None),
            ("x", None),
            '["tuple",["string","dynamic"]]',
        ),
        ('["object",{"a":"dynamic"}]', {"a": TEXT}, {"a": "x"}, '["object",{"a":"string"}]'),
        ('["object",{"a":"dynamic"}]', None, None, '["object",{"a":"dynamic"}]'),
        (
            '["list",["object",{"a":"dynamic"}]]',
            [{"a": None}, {"a": TEXT}, None],
            [{"a": None}, {"a": "x"}, None],
            '["list",["object",{"a":"string"}]]',
        ),
        (
            '["list",["tuple",["dynamic","dynamic"]]]',
            [(TEXT, None), (None, TEXT)],
            [("x", None), (None, "x")],
            '["list",["tuple",["string","string"]]]',
        ),
        (
            '["list",["list","dynamic"]]',
            [[], [TEXT]],
            [[], ["x"]],
            '["list",["list","string"]]',
        ),
    ],
)
def test_concrete(type_: str, value: object, plain: object, concrete_type: str) -> None:
    read, its_type = concrete(value, layout_of_type(parse_type(type_)))
    assert read == plain
    assert its_type.to_json() == concrete_type


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        ('["list","dynamic"]', [TEXT, Dynamic(1)]),
        ('["list","dynamic"]', [TEXT, Dynamic([None], ListType(DYNAMIC))]),
        ('["map","dynamic"]', {"a": TEXT, "b": Dynamic(True)}),
        ('["set","dynamic"]', [Dynamic(["x"]), Dynamic(["x"], ListType(STRING))]),
        ('["list",["tuple",["dynamic"]]]', [(TEXT,), (Dynamic(1),)]),
        ('["list",["object",{"a":"dynamic"}]]', [{"a": TEXT}, {"a": Dynamic(1)}]),
        ('["list","dynamic"]', [Dynamic(()), Dynamic(("x",))]),
        ('["list","dynamic"]', [Dynamic({"a": 1}), Dynamic({"b": 1})]),
    ],
)
def test_elements_must_have_one_type(type_: str, value: Any) -> None:
    layout = layout_of_type(parse_type(type_))
    assert isinstance(layout, CollectionLayout)
    elements = value.values() if isinstance(value, dict) else value
    with pytest.raises(InvalidValueError, match=r"of one type in a \w+, got several types"):
        check_one_type(elements, layout)
    # They are refused wherever they are written, for no reader would take them.
    for written, as_type in ((value, layout.type), (Dynamic(value, layout.type), DYNAMIC)):
        with pytest.raises(TofuTypesError, match="of one type in a"):
            encode_msgpack(written, as_type)


BLOCK = ObjectType({"any": DYNAMIC, "name": STRING})
TAGGED = ObjectType({"any": DYNAMIC, "tags": ListType(STRING)})


def blocks(type_: Any) -> DynamicBlocksLayout:
    inner = CollectionLayout(
        type=type_, element=layout_of_type(type_.element), blocks=BlockCount(most=2), nullable=False
    )
    return DynamicBlocksLayout(type=DYNAMIC, blocks=inner)


LIST, MAP = blocks(ListType(BLOCK)), blocks(MapType(BLOCK))
LIST_TAGGED = blocks(ListType(TAGGED))


@pytest.mark.parametrize(
    ("layout", "value", "text"),
    [
        (LIST, [], '{"value":[],"type":["tuple",[]]}'),
        (MAP, {}, '{"value":{},"type":["object",{}]}'),
        (
            LIST,
            [{"any": TEXT, "name": "a"}, {"any": Dynamic(1), "name": None}],
            '{"value":[{"any":"x","name":"a"},{"any":1,"name":null}],"type":["tuple",['
            '["object",{"any":"string","name":"string"}],'
            '["object",{"any":"number","name":"string"}]]]}',
        ),
        (
            MAP,
            {"k": {"any": None, "name": "a"}},
            '{"value":{"k":{"any":null,"name":"a"}},"type":["object",{"k":'
            '["object",{"any":"dynamic","name":"string"}]}]}',
        ),
    ],
)
def test_blocks_with_a_dynamic_attribute_are_one_value(
    layout: DynamicBlocksLayout, value: object, text: str
) -> None:
    assert json_format.encode(value, layout) == text
    assert json_format.decode(text, layout) == value
    assert msgpack_format.decode(msgpack_format.encode(value, layout), layout) == value


def test_blocks_that_are_absent_or_unknown() -> None:
    assert msgpack_format.decode(b"\xc0", LIST) == []
    assert msgpack_format.decode(b"\xd4\0\0", MAP) == UNKNOWN
    assert msgpack_format.encode(UNKNOWN, LIST) == b"\xd4\0\0"
    assert msgpack_format.encode(Unknown(not_null=True), MAP) == b"\xd4\0\0"


@pytest.mark.parametrize(
    ("layout", "text", "message"),
    [
        (LIST, '{"value":{},"type":["object",{}]}', "expected the type list of object"),
        (LIST, '{"value":["a"],"type":["tuple",["string"]]}', "[0]: expected the type object"),
        (MAP, '{"value":[],"type":["tuple",[]]}', "expected the type map of object, got tuple"),
        (
            LIST,
            '{"value":[{"any":1}],"type":["tuple",[["object",{"any":"number"}]]]}',
            "[0].name: missing attribute or nested block",
        ),
        (
            MAP,
            '{"value":{"k":{"name":"a","x":1}},"type":["object",{"k":["object",{"name":"string","x":"number"}]}]}',
            '["k"].any: missing attribute or nested block',
        ),
        (
            LIST_TAGGED,
            '{"value":[{"any":1,"tags":["a"]}],"type":["tuple",[["object",{"any":"number","tags":["set","string"]}]]]}',
            "[0].tags: expected the type list of string, got set of string",
        ),
        (
            LIST,
            '{"value":[null,null,null],"type":["tuple",["dynamic","dynamic","dynamic"]]}',
            "expected at most 2 blocks, got 3",
        ),
    ],
)
def test_other_blocks_are_refused(layout: DynamicBlocksLayout, text: str, message: str) -> None:
    with pytest.raises(TofuTypesError) as caught:
        json_format.decode(text, layout)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("type_", "actual", "value", "placed"),
    [
        (DYNAMIC, STRING, "x", TEXT),
        (ListType(DYNAMIC), ListType(STRING), ["x"], [TEXT]),
        (parse_type('["tuple",["dynamic"]]'), parse_type('["tuple",["string"]]'), ("x",), (TEXT,)),
        (MapType(DYNAMIC), MapType(STRING), {"k": None}, {"k": Dynamic(None, STRING)}),
        (BLOCK, ObjectType({"any": STRING, "name": STRING}), None, None),
    ],
)
def test_in_place_of(type_: Type, actual: Type, value: object, placed: object) -> None:
    assert in_place_of(value, actual, layout_of_type(type_)) == placed


def test_another_type_has_no_place() -> None:
    for type_, actual, value in [
        (ListType(DYNAMIC), '["tuple",["string"]]', ("x",)),
        (MapType(DYNAMIC), '["object",{"k":"string"}]', {"k": "x"}),
        (parse_type('["tuple",["dynamic"]]'), '["tuple",[]]', ()),
        (STRING, '"number"', 1),
    ]:
        with pytest.raises(InvalidValueError, match=r"^expected "):
            in_place_of(value, parse_type(actual), layout_of_type(type_))


def test_the_type_of_a_value_has_no_optional_attributes() -> None:
    given, its_type = '["list",["object",{"a":"bool"},["a"]]]', '["list",["object",{"a":"bool"}]]'
    filler = "".join(f',"b{number}":"bool"' for number in range(100))
    for more in ("", filler):  # a long type goes another way
        for value in ("[]", "null"):
            text = given.replace('"bool"', '"bool"' + more, 1)
            read = json_format.decode(f'{{"type":{text},"value":{value}}}', layout_of_type(DYNAMIC))
            assert (
                read.type.to_json()
                == parse_type(its_type.replace('"bool"', '"bool"' + more)).to_json()
            )
        packed = msgpack.packb([text.encode(), None])
        read = msgpack_format.decode(packed, layout_of_type(DYNAMIC))
        assert (
            read.type.to_json() == parse_type(its_type.replace('"bool"', '"bool"' + more)).to_json()
        )


def test_dynamic_values_nest_no_deeper_than_types() -> None:
    value: object = TEXT
    for _ in range(100):
        value = Dynamic([value], ListType(DYNAMIC))
    data = encode_msgpack(value, DYNAMIC)
    assert encode_msgpack(decode_msgpack(data, DYNAMIC), DYNAMIC) == data
    assert encode_json(value, DYNAMIC).startswith("{")
    with pytest.raises(TofuTypesError, match="nested too deeply"):
        encode_msgpack(Dynamic([value], ListType(DYNAMIC)), DYNAMIC)
