"""Layouts: what they say beyond a type, seen from the readers and writers made of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import pytest

from tofutypes.errors import DecodeError, EncodeError, InvalidValueError
from tofutypes.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    STRING,
    ListType,
    MapType,
    ObjectType,
    SetType,
    TupleType,
    parse_type,
)
from tofutypes.unknown import UNKNOWN
from tofutypes.values import Dynamic, TofuSet
from tofutypes.wire import json, msgpack
from tofutypes.wire.layout import (
    BlockCount,
    CollectionLayout,
    DynamicBlocksLayout,
    FieldLayout,
    Layout,
    ModelHooks,
    ObjectLayout,
    PrimitiveLayout,
    TupleLayout,
    layout_of_type,
)
from tofutypes.wire.python import PYTHON
from tofutypes.wire.reading import reader


class Thing:
    """Stands for a model: attributes by Python name, nothing else."""

    def __init__(self, **attributes: object) -> None:
        self.__dict__.update(attributes)

    def __tofu_attributes__(self) -> Mapping[str, object]:
        names = {field.python_name: field.name for field in THING.fields}
        return {names[name]: value for name, value in self.__dict__.items()}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Thing) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]


class Special(Thing):
    """A class of a user's own."""


def make(given: Mapping[str, object]) -> Thing:
    """What a model does with a mapping that a user gives."""
    python_names = {field.name: field.python_name for field in THING.fields}
    return Thing(**{python_names[name]: value for name, value in given.items()})


def leaf(type_: Any, *, nullable: bool = True) -> PrimitiveLayout:
    return PrimitiveLayout(type=type_, nullable=nullable)


# The Python name of `from` is the own name of another attribute.
FIELDS = {
    "from": ("from_", leaf(STRING, nullable=False)),
    "from_": ("from__", leaf(STRING)),
    "list": ("list_", CollectionLayout(type=ListType(BOOL), element=leaf(BOOL))),
    "size": ("size", leaf(NUMBER)),
}
THING = ObjectLayout(
    type=ObjectType({name: layout.type for name, (_, layout) in FIELDS.items()}),
    fields=tuple(FieldLayout(name, python, layout) for name, (python, layout) in FIELDS.items()),
    model=ModelHooks(Thing, make),
)
TEXT = '{"from":"a","from_":"b","list":[true],"size":1}'
A_THING = Thing(from_="a", from__="b", list_=[True], size=1)


def things(least: int = 0, most: int = 0, kind: Any = ListType) -> CollectionLayout:
    """Nested blocks of things."""
    return CollectionLayout(
        type=kind(THING.type), element=THING, blocks=BlockCount(least, most), nullable=False
    )


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
            "from: a value is required here, got null",
        ),
        ("{}", "from: a value is required here, got null"),
        ('{"from":"a","from_":[],"list":[],"size":1}', "from_: a string is required, got a list"),
        ('{"from":"a","from_":"b","list":[1],"size":1}', "list[0]: a bool is required, got a num"),
        ('{"from":"a","from_":"b","list":[],"size":[]}', "size: a number is required, got a list"),
        ('{"from":"a","from__":"b"}', "from__: there is no attribute or nested block of this name"),
        ("[]", "an object is required, got a list"),
        ('"a"', "an object is required, got a string"),
    ],
)
def test_errors_name_attributes_as_the_wire_does(text: str, message: str) -> None:
    with pytest.raises(DecodeError) as caught:
        json.decode(text, THING)
    assert message in str(caught.value)


def test_msgpack_must_have_all_attributes() -> None:
    with pytest.raises(DecodeError, match="from_: the attribute or nested block is missing"):
        msgpack.decode(b"\x81\xa4from\xa1a", THING)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (Thing(from_="a", from__=1, list_=[], size=1), "from_: a string is required, got a number"),
        (Thing(from_="a", from__="b", list_=[1], size=1), "list[0]: a bool is required"),
        (Thing(from_="a", from__="b", list_=[], size="1"), "size: a number is required, got a st"),
        ([], "an object is required, got a list"),
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
    with pytest.raises(InvalidValueError, match="string keys are required"):
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
    with pytest.raises(InvalidValueError, match="b: the attribute or nested block is missing"):
        read({"a": True})


def test_an_instance_of_another_class_is_none_of_this() -> None:
    class Other:
        def __tofu_attributes__(self) -> Mapping[str, object]:
            return {}

    with pytest.raises(InvalidValueError, match="a Thing is required, got an Other"):
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
    with pytest.raises(DecodeError, match="a value is required here, got null"):
        json.decode(nulls, layout)


def test_null_that_refinements_decide_is_null() -> None:
    known_null = bytes.fromhex("c7 03 0c 81 01 c3")
    assert msgpack.decode(known_null, leaf(STRING)) is None
    with pytest.raises(DecodeError, match="a value is required here, got null"):
        msgpack.decode(known_null, leaf(STRING, nullable=False))


@pytest.mark.parametrize(
    ("least", "most", "count", "message"),
    [
        (0, 0, 3, None),
        (1, 2, 1, None),
        (1, 2, 2, None),
        (1, 2, 0, "at least 1 block is required, got 0"),
        (1, 2, 3, "at most 2 blocks are required, got 3"),
        (1, 0, 0, "at least 1 block is required, got 0"),
    ],
)
@pytest.mark.parametrize("kind", [ListType, SetType])
def test_so_many_blocks(kind: Any, least: int, most: int, count: int, message: str | None) -> None:
    layout = things(least, most, kind)
    text = "[" + ",".join([TEXT] * count) + "]"
    if message is None:
        assert list(json.decode(text, layout))[:1] == [A_THING][:count]
        return
    with pytest.raises(DecodeError) as caught:
        json.decode(text, layout)
    assert str(caught.value) == message


def test_blocks_are_not_counted_while_one_is_not_known() -> None:
    layout = things(least=2)
    data = msgpack.encode([Thing(from_="a", from__=UNKNOWN, list_=None, size=None)], layout)
    assert len(msgpack.decode(data, layout)) == 1
    assert msgpack.decode(b"\xd4\0\0", layout) == UNKNOWN


def test_no_blocks_are_no_null() -> None:
    for kind, empty in ((ListType, []), (SetType, TofuSet()), (MapType, {})):
        layout = things(kind=kind)
        assert msgpack.decode(b"\xc0", layout) == empty
        assert json.encode(None, layout) == ("{}" if kind is MapType else "[]")


def group(fields: tuple[FieldLayout, ...]) -> ObjectLayout:
    type_ = ObjectType({field.name: field.layout.type for field in fields})
    absent: dict[str, object] = {
        field.python_name: [] if isinstance(field.layout, CollectionLayout) else None
        for field in fields
    }
    return ObjectLayout(
        type=type_, fields=fields, model=ModelHooks(Thing, make), empty=lambda: Thing(**absent)
    )


REQUIRED = FieldLayout("must", "must", leaf(STRING, nullable=False))
INNER = group((REQUIRED,))
GROUP = group(
    (
        FieldLayout("inner", "inner", INNER),
        FieldLayout("many", "many", things(least=1)),
        REQUIRED,
    )
)
ANY = ObjectType({"any": DYNAMIC})
ANY_BLOCKS = CollectionLayout(type=ListType(ANY), element=layout_of_type(ANY), blocks=BlockCount(1))
DYNAMIC_GROUP = group(
    (FieldLayout("any", "any", DynamicBlocksLayout(type=DYNAMIC, blocks=ANY_BLOCKS)), REQUIRED)
)


@pytest.mark.parametrize(
    ("layout", "text"),
    [
        (INNER, '{"must":null}'),
        (GROUP, '{"inner":{"must":null},"many":[],"must":null}'),
        (GROUP, '{"must":null,"many":null,"inner":null}'),
        (DYNAMIC_GROUP, '{"any":null,"must":null}'),
        (DYNAMIC_GROUP, '{"any":{"type":["tuple",[]],"value":[]},"must":null}'),
    ],
)
def test_a_group_in_which_nothing_is_set_is_absent(layout: ObjectLayout, text: str) -> None:
    assert layout.empty is not None
    assert json.decode(text, layout) == json.decode("null", layout) == layout.empty()


@pytest.mark.parametrize(
    ("layout", "text", "message"),
    [
        (INNER, '{"other":null}', "other: there is no attribute or nested block of this name"),
        (INNER, '{"must":null,"other":null}', "other: there is no attribute or nested block"),
        (INNER, '{"must":[]}', "must: a string is required, got a list"),
        (GROUP, '{"inner":{"no":null},"many":[],"must":null}', "inner.no: there is no attribute"),
        (
            GROUP,
            '{"inner":{"must":"a"},"many":[],"must":null}',
            "many: at least 1 block is required",
        ),
        (GROUP, '{"inner":null,"many":[],"must":"a"}', "many: at least 1 block is required"),
    ],
)
def test_a_group_in_which_something_is_set_is_checked(
    layout: ObjectLayout, text: str, message: str
) -> None:
    with pytest.raises(DecodeError) as caught:
        json.decode(text, layout)
    assert message in str(caught.value)


def test_a_group_that_is_partly_unknown_is_checked() -> None:
    with pytest.raises(DecodeError, match="must: a value is required here, got null"):
        msgpack.decode(b"\x82\xa3any\xd4\0\0\xa4must\xc0", DYNAMIC_GROUP)


EMPTY_OBJECT = ObjectLayout(type=ObjectType({}), fields=(), model=ModelHooks(Thing, make))
PAIR = TupleLayout(type=TupleType((BOOL,)), elements=(leaf(BOOL),))
BOOLS = CollectionLayout(type=ListType(BOOL), element=leaf(BOOL))
BOOLS_BY_NAME = CollectionLayout(type=MapType(BOOL), element=leaf(BOOL))
BOOLS_IN_SET = CollectionLayout(type=SetType(BOOL), element=leaf(BOOL))
ABSENT = Thing(must=None)


def strict(layout: Layout) -> Layout:
    return dataclasses.replace(layout, nullable=False, compiled={})


def holder(layout: Layout) -> ObjectLayout:
    """A model with one attribute."""
    fields = (FieldLayout("f", "f", layout),)
    return ObjectLayout(
        type=ObjectType({"f": layout.type}), fields=fields, model=ModelHooks(Thing, make)
    )


@pytest.mark.parametrize(
    ("layout", "text", "value"),
    [
        (leaf(STRING), "null", None),
        (leaf(STRING), '""', ""),
        (leaf(BOOL), "false", False),
        (leaf(NUMBER), "0", 0),
        (leaf(DYNAMIC), "null", None),
        (BOOLS, "null", None),
        (BOOLS, "[]", []),
        (BOOLS_BY_NAME, "null", None),
        (BOOLS_BY_NAME, "{}", {}),
        (BOOLS_IN_SET, "null", None),
        (BOOLS_IN_SET, "[]", TofuSet()),
        (PAIR, "null", None),
        (EMPTY_OBJECT, "null", None),
        (EMPTY_OBJECT, "{}", Thing()),
        (things(), "[]", []),
        (things(kind=SetType), "[]", TofuSet()),
        (things(kind=MapType), "{}", {}),
        (INNER, '{"must":null}', ABSENT),
    ],
)
def test_null_and_empty_attributes(layout: Layout, text: str, value: object) -> None:
    text = f'{{"f":{text}}}'
    read = json.decode(text, holder(layout))
    assert read == Thing(f=value)
    assert type(read.f) is type(value)
    if layout is not INNER:  # whose required attribute may be null as long as nobody looks
        assert json.encode(read, holder(layout)) == text


@pytest.mark.parametrize(
    ("layout", "value", "text"),
    [
        (things(), [], "[]"),
        (things(kind=SetType), TofuSet(), "[]"),
        (things(kind=MapType), {}, "{}"),
        (INNER, ABSENT, '{"must":null}'),
    ],
)
def test_blocks_that_are_null(layout: Layout, value: object, text: str) -> None:
    assert json.decode('{"f":null}', holder(layout)) == Thing(f=value)
    assert json.encode(Thing(f=None), holder(layout)) == f'{{"f":{text}}}'


@pytest.mark.parametrize(
    "layout",
    [leaf(STRING), leaf(DYNAMIC), BOOLS, BOOLS_BY_NAME, BOOLS_IN_SET, PAIR, EMPTY_OBJECT],
    ids=lambda layout: str(layout.type),
)
def test_required_attributes_that_are_null(layout: Layout) -> None:
    with pytest.raises(DecodeError, match=r"^f: a value is required here, got null$"):
        json.decode('{"f":null}', holder(strict(layout)))


@pytest.mark.parametrize(
    "layout",
    [BOOLS, BOOLS_BY_NAME, BOOLS_IN_SET, PAIR, EMPTY_OBJECT, INNER, things(), things(1)],
    ids=range(8),
)
def test_nothing_is_empty_that_is_of_another_kind(layout: Layout) -> None:
    with pytest.raises(DecodeError, match=r"^f: an? .* is required, got a string$"):
        json.decode('{"f":""}', holder(layout))
    with pytest.raises(EncodeError, match=r"^f: an? .* is required, got a string$"):
        json.encode(Thing(f=""), holder(layout))


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
