"""Nested blocks: how many, and what stands for none; null and empty attributes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.wire.layouts import (
    A_THING,
    ABSENT,
    BOOLS,
    BOOLS_BY_NAME,
    BOOLS_IN_SET,
    DYNAMIC_GROUP,
    EMPTY_OBJECT,
    GROUP,
    INNER,
    PAIR,
    TEXT,
    Thing,
    holder,
    leaf,
    strict,
    things,
)
from tofutypes.errors import DecodeError, EncodeError
from tofutypes.sets import TofuSet
from tofutypes.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    STRING,
    ListType,
    MapType,
    SetType,
)
from tofutypes.unknown import UNKNOWN
from tofutypes.wire import json, msgpack
from tofutypes.wire.layout import (
    Layout,
    ObjectLayout,
)


@pytest.mark.parametrize(
    ("least", "most", "count", "message"),
    [
        (0, 0, 3, None),
        (1, 2, 1, None),
        (1, 2, 2, None),
        (1, 2, 0, "expected at least 1 block, got 0"),
        (1, 2, 3, "expected at most 2 blocks, got 3"),
        (1, 0, 0, "expected at least 1 block, got 0"),
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
        (INNER, '{"other":null}', "other: unknown attribute or nested block"),
        (INNER, '{"must":null,"other":null}', "other: unknown attribute or nested block"),
        (INNER, '{"must":[]}', "must: expected a string, got a list"),
        (
            GROUP,
            '{"inner":{"no":null},"many":[],"must":null}',
            "inner.no: unknown attribute or nested block",
        ),
        (
            GROUP,
            '{"inner":{"must":"a"},"many":[],"must":null}',
            "many: expected at least 1 block",
        ),
        (GROUP, '{"inner":null,"many":[],"must":"a"}', "many: expected at least 1 block"),
    ],
)
def test_a_group_in_which_something_is_set_is_checked(
    layout: ObjectLayout, text: str, message: str
) -> None:
    with pytest.raises(DecodeError) as caught:
        json.decode(text, layout)
    assert message in str(caught.value)


def test_a_group_that_is_partly_unknown_is_checked() -> None:
    with pytest.raises(DecodeError, match="must: expected a value, got null"):
        msgpack.decode(b"\x82\xa3any\xd4\0\0\xa4must\xc0", DYNAMIC_GROUP)


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
    with pytest.raises(DecodeError, match=r"^f: expected a value, got null$"):
        json.decode('{"f":null}', holder(strict(layout)))


@pytest.mark.parametrize(
    "layout",
    [BOOLS, BOOLS_BY_NAME, BOOLS_IN_SET, PAIR, EMPTY_OBJECT, INNER, things(), things(1)],
    ids=range(8),
)
def test_nothing_is_empty_that_is_of_another_kind(layout: Layout) -> None:
    with pytest.raises(DecodeError, match=r"^f: expected an? .*, got a string$"):
        json.decode('{"f":""}', holder(layout))
    with pytest.raises(EncodeError, match=r"^f: expected an? .*, got a string$"):
        json.encode(Thing(f=""), holder(layout))
