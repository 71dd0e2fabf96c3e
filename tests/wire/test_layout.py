"""Layouts: what they say beyond a type, seen from the readers and writers made of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import pytest

from tests.wire.layouts import (
    A_THING,
    TEXT,
    THING,
    Special,
    Thing,
    leaf,
    make,
)
from tofutypes.dynamic import Dynamic
from tofutypes.errors import DecodeError, EncodeError, InvalidValueError
from tofutypes.type_parsing import parse_type
from tofutypes.types import BOOL, DYNAMIC, STRING, ListType, MapType, ObjectType
from tofutypes.unknown import UNKNOWN
from tofutypes.wire import json, msgpack
from tofutypes.wire.layout import (
    CollectionLayout,
    Layout,
    ModelHooks,
    ObjectLayout,
    layout_of_type,
)
from tofutypes.wire.python_values import PYTHON
from tofutypes.wire.reading import reader


def test_objects_become_instances() -> None:
    assert json.decode(TEXT, THING) == A_THING
    assert json.encode(A_THING, THING) == TEXT
    data = msgpack.encode(A_THING, THING)
    assert msgpack.decode(data, THING) == A_THING
    assert data == msgpack.encode(json.decode(TEXT, THING), THING)


def test_attributes_may_come_in_any_order() -> None:
    text = '{"size":1,"list":[true],"from_":"b","from":"a"}'
    assert json.decode(text, THING) == A_THING


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"from":null,"from_":"b","list":[],"size":1}',
            "from: expected a value, got null",
        ),
        ("{}", "from: expected a value, got null"),
        ('{"from":"a","from_":[],"list":[],"size":1}', "from_: expected a string, got a list"),
        ('{"from":"a","from_":"b","list":[1],"size":1}', "list[0]: expected a bool, got a num"),
        ('{"from":"a","from_":"b","list":[],"size":[]}', "size: expected a number, got a list"),
        ('{"from":"a","from__":"b"}', "from__: unknown attribute or nested block"),
        ("[]", "expected an object, got a list"),
        ('"a"', "expected an object, got a string"),
    ],
)
def test_errors_name_attributes_as_the_wire_does(text: str, message: str) -> None:
    with pytest.raises(DecodeError) as caught:
        json.decode(text, THING)
    assert message in str(caught.value)


def test_msgpack_must_have_all_attributes() -> None:
    with pytest.raises(DecodeError, match="from_: missing attribute or nested block"):
        msgpack.decode(b"\x81\xa4from\xa1a", THING)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (Thing(from_="a", from__=1, list_=[], size=1), "from_: expected a string, got a number"),
        (Thing(from_="a", from__="b", list_=[1], size=1), "list[0]: expected a bool"),
        (Thing(from_="a", from__="b", list_=[], size="1"), "size: expected a number, got a st"),
        ([], "expected an object, got a list"),
    ],
)
def test_what_is_written_is_checked(value: object, message: str) -> None:
    # Lists and dicts can be changed behind the back of the model that holds them.
    for encode in (json.encode, msgpack.encode):
        with pytest.raises(EncodeError) as caught:
            encode(value, THING)
        assert message in str(caught.value)


def test_mappings_and_subclasses_are_written_too() -> None:
    special = Special(**vars(A_THING))
    mapping = A_THING.__tofu_attributes__()
    assert json.encode(special, THING) == json.encode(mapping, THING) == TEXT


def test_instances_are_taken_from_users() -> None:
    read = reader(THING, PYTHON)
    assert read(A_THING) is A_THING
    assert read(A_THING.__tofu_attributes__()) == A_THING
    assert read(UNKNOWN) == UNKNOWN
    assert read(None) is None
    with pytest.raises(InvalidValueError, match="expected a string as key"):
        read({1: 2})


def test_what_users_give_stays_theirs() -> None:
    cases: list[tuple[str, object]] = [
        ('["list","string"]', ["a"]),
        ('["list","number"]', [1, 2]),
        ('["map","string"]', {"a": "b"}),
        ('["object",{"a":"string"}]', {"a": "b"}),
    ]
    for type_, given in cases:
        read = reader(layout_of_type(parse_type(type_)), PYTHON)(given)
        assert read is not given
        assert read == given


def test_users_may_leave_optional_attributes_out() -> None:
    read = reader(layout_of_type(parse_type('["object",{"a":"bool","b":"bool"},["a"]]')), PYTHON)
    assert read({"b": True}) == {"a": None, "b": True}
    with pytest.raises(InvalidValueError, match="b: missing attribute or nested block"):
        read({"a": True})


def test_an_instance_of_another_class_is_none_of_this() -> None:
    class Other:
        def __tofu_attributes__(self) -> Mapping[str, object]:
            return {}

    with pytest.raises(InvalidValueError, match="expected a Thing, got an Other"):
        reader(THING, PYTHON)(Other())


def test_instances_may_be_constructed() -> None:
    seen: list[dict[str, object]] = []

    def construct(attributes: dict[str, object]) -> Thing:
        seen.append(attributes)
        return Special(**attributes)

    layout = ObjectLayout(
        type=THING.type, fields=THING.fields, model=ModelHooks(Thing, make, construct)
    )
    assert type(json.decode(TEXT, layout)) is Special
    assert seen == [vars(A_THING)]


@pytest.mark.parametrize(
    ("layout", "nulls"),
    [
        (leaf(STRING, nullable=False), "null"),
        (CollectionLayout(type=ListType(BOOL), element=leaf(BOOL), nullable=False), "null"),
        (CollectionLayout(type=MapType(BOOL), element=leaf(BOOL), nullable=False), "null"),
        (CollectionLayout(type=ListType(BOOL), element=leaf(BOOL, nullable=False)), "[null]"),
        (ObjectLayout(type=ObjectType({}), fields=(), nullable=False), "null"),
        (dataclasses.replace(THING, nullable=False, compiled={}), "null"),
    ],
    ids=["string", "list", "map", "element", "object", "model"],
)  # fmt: skip
def test_null_where_null_may_not_stand(layout: Layout, nulls: str) -> None:
    with pytest.raises(DecodeError, match="expected a value, got null"):
        json.decode(nulls, layout)


def test_null_that_refinements_decide_is_null() -> None:
    known_null = bytes.fromhex("c7 03 0c 81 01 c3")
    assert msgpack.decode(known_null, leaf(STRING)) is None
    with pytest.raises(DecodeError, match="expected a value, got null"):
        msgpack.decode(known_null, leaf(STRING, nullable=False))


def test_models_inside_dynamic_values_are_objects() -> None:
    value = Dynamic({"thing": A_THING}, ObjectType({"thing": THING.type}))
    text = '{"value":{"thing":' + TEXT + '},"type":["object",{"thing":'
    assert json.encode(value, layout_of_type(DYNAMIC)).startswith(text)


def test_layouts_of_types_are_kept() -> None:
    short, long = '["list","string"]', ["object", {f"a{number}": "bool" for number in range(200)}]
    assert layout_of_type(parse_type(short)) is layout_of_type(parse_type(short))
    type_ = parse_type(long)
    assert layout_of_type(type_) is layout_of_type(type_)
    # The type may come from outside, and be large: its layout goes when it goes.
    assert layout_of_type(type_) is not layout_of_type(parse_type(long))
