"""From annotations to types, and annotations that stand for none."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, Optional

import pytest

from tests.models.samples import Disk, Point
from tofutypes import (
    UNKNOWN,
    AnyList,
    AnyMap,
    AnyNumber,
    Attr,
    DecodeError,
    Dynamic,
    GroupBlock,
    ListBlock,
    MapBlock,
    NestedBlock,
    Nullable,
    Number,
    Object,
    Resource,
    SchemaError,
    SetBlock,
    SingleBlock,
    TofuSet,
    Unknown,
    ValidationError,
    encode_msgpack,
)
from tofutypes.models.field_layouts import layout_of
from tofutypes.models.fields import collection_of
from tofutypes.schema import NestingMode
from tofutypes.wire.layout import DynamicBlocksLayout

TYPES: dict[Any, str] = {
    str: '"string"',
    bool: '"bool"',
    int: '"number"',
    Decimal: '"number"',
    Number: '"number"',
    AnyNumber: '"number"',
    Dynamic: '"dynamic"',
    str | None: '"string"',
    str | Unknown | None: '"string"',
    Optional[str]: '"string"',  # noqa: UP045  # users write it
    Annotated[str, "note"]: '"string"',
    Annotated[str | None, "note"] | Unknown: '"string"',
    list[str]: '["list","string"]',
    Sequence[str]: '["list","string"]',
    list[Nullable[Number]]: '["list","number"]',
    TofuSet[str]: '["set","string"]',
    dict[str, bool]: '["map","bool"]',
    Mapping[str, bool]: '["map","bool"]',
    dict[str, list[Nullable[Dynamic]]]: '["map",["list","dynamic"]]',
    tuple[()]: '["tuple",[]]',
    tuple[str, Nullable[int]]: '["tuple",["string","number"]]',
    Point: '["object",{"x":"number","y":"number"},["y"]]',
    list[Nullable[Point]]: '["list",["object",{"x":"number","y":"number"},["y"]]]',
}


@pytest.mark.parametrize("annotation", TYPES, ids=str)
def test_annotations(annotation: Any) -> None:
    for given, nullable in ((annotation, False), (annotation | None, True)):
        layout = layout_of(given)
        assert layout.type.to_json() == TYPES[annotation]
        assert layout.nullable == (nullable or layout_of(annotation).nullable)


NULLABLE: list[Any] = [str | None, Optional[str], Annotated[str | None, "note"] | Unknown]  # noqa: UP045
NOT_NULLABLE: list[Any] = [str, str | Unknown, list[Nullable[str]], Point]


def test_null_is_allowed_where_it_is_annotated() -> None:
    assert all(layout_of(annotation).nullable for annotation in NULLABLE)
    assert not any(layout_of(annotation).nullable for annotation in NOT_NULLABLE)


BAD: dict[str, Any] = {
    "bytes": bytes,
    "complex": complex,
    "object": object,
    "Any": Any,
    "None": None,
    "Unknown": Unknown,
    "list": list,
    "dict": dict,
    "dict[int, str]": dict[int, str],
    "list[bytes]": list[bytes],
    "set[str]": set[str],
    "frozenset[str]": frozenset[str],
    "str | int": str | int,
    "tuple[str, ...]": tuple[str, ...],
    "type[str]": type[str],
    "Disk | str": Disk | str,
    "Attr of a block": list[Disk] | str,
}


def test_floats_are_not_exact() -> None:
    for annotation in (float, float | None, int | float):
        with pytest.raises(
            SchemaError, match=r"^expected Number or int, got float, which is not exact$"
        ):
            layout_of(annotation)


class Whole(Resource, type_name="whole"):
    one: Attr[int] = Attr(required=True)
    maybe: Attr[int | None] = Attr(optional=True, default=None)
    many: Attr[list[Nullable[int]] | None, AnyList[int] | None] = Attr(optional=True, default=None)
    named: Attr[dict[str, Nullable[int]] | None, AnyMap[int] | None] = Attr(
        optional=True, default=None
    )


@pytest.mark.parametrize("fraction", [1.5, Decimal("0.1"), Decimal("inf")])
def test_whole_numbers(fraction: Any) -> None:
    type_ = Whole.__tofu_layout__().type
    given = {"one": fraction, "maybe": fraction, "many": [1, fraction], "named": {"k": fraction}}
    whole = Whole(one=3, maybe=UNKNOWN, many=[1, UNKNOWN], named={"k": 2})
    assert Whole.from_msgpack(whole.to_msgpack()) == whole
    assert Whole.model_validate({"one": Decimal("-0")}).one == 0
    with pytest.raises(ValidationError) as raised:
        Whole.model_validate(given)
    places = ["one", "maybe", "many[1]", 'named["k"]']
    assert str(raised.value).splitlines()[1:] == [
        f"{place}: expected a whole number, got a fraction" for place in places
    ]
    with pytest.raises(DecodeError, match=r"^many\[1\]: expected a whole number, got a fraction$"):
        Whole.from_msgpack(encode_msgpack(given | {"one": 1}, type_))
    with pytest.raises(
        ValidationError, match=r"^many\[0\]: expected a whole number, got a fraction$"
    ):
        whole.many = [fraction]


BAD_BLOCKS: dict[str, Any] = {
    "list of str": ListBlock[str],
    "single str": SingleBlock[str],
    "group of str": GroupBlock[str],
    "map of lists": MapBlock[list[Disk]],
    "set of nulls": SetBlock[Disk | None],
    "list of nulls": ListBlock[Disk | None],
}
DECLARE: dict[str, Any] = {
    "list": ListBlock,
    "single": SingleBlock,
    "group": GroupBlock,
    "map": MapBlock,
    "set": SetBlock,
}


def class_with(annotation: Any, field: Any = ...) -> type[Resource]:
    values = {"__annotations__": {"size": annotation}, "__module__": __name__}
    if field is not ...:
        values["size"] = field
    made: type[Resource] = types.new_class(
        "Bad", (Resource,), exec_body=lambda ns: ns.update(values)
    )
    return made


@pytest.mark.parametrize("name", BAD)
def test_annotations_that_stand_for_no_type(name: str) -> None:
    refused_everywhere(class_with(BAD[name]), " is not a type of the type system; use str, bool, ")


@pytest.mark.parametrize("name", BAD_BLOCKS)
def test_annotations_that_are_no_blocks(name: str) -> None:
    mode = name.partition(" ")[0]
    model = class_with(BAD_BLOCKS[name], DECLARE[mode]())
    refused_everywhere(model, f" does not fit a nested block of nesting mode {mode}")


@pytest.mark.parametrize(
    "annotation", [Disk, Disk | None, ListBlock[Disk], SetBlock[Disk], MapBlock[Disk]], ids=str
)
def test_blocks_without_a_right_side(annotation: Any) -> None:
    refused_everywhere(class_with(annotation), "a nested block is declared on both sides")


def refused_everywhere(model: type[Resource], message: str) -> None:
    uses: list[Callable[[], object]] = [
        lambda: model.model_validate({"size": 1}),
        lambda: model.from_msgpack(b"\x80"),
        model.model_json_schema,
    ]
    for use in uses:
        with pytest.raises(SchemaError) as raised:
            use()
        text = str(raised.value)
        assert text.startswith("Bad.size: ")
        assert message in text
        assert "\n" not in text


class Endless(NestedBlock):
    inner: ListBlock[Endless] = ListBlock(default=())


class Left(Object):
    right: Attr[Right | None]


class Right(Object):
    left: Attr[Left | None]


class Early(Resource):
    late: ListBlock[Late] = ListBlock(default=())


class Late(NestedBlock):
    name: Attr[str]


def test_a_class_may_name_a_later_one() -> None:
    wire = b"\x81\xa4late\x91\x81\xa4name\xa1a"
    assert Early.from_msgpack(wire) == Early(late=[Late(name="a")])


@pytest.mark.parametrize("model", [Endless, Left, Right])
def test_a_class_cannot_hold_itself(model: type[Any]) -> None:
    for use in (model.__tofu_layout__, lambda: model.model_validate({}), model.model_json_schema):
        with pytest.raises(
            SchemaError, match=r"^[\w.]+: .* contains itself; recursive models are not supported$"
        ):
            use()


class Holder(NestedBlock):
    value: Attr[Dynamic]


class Blocks(Resource):
    one: SingleBlock[Disk] = SingleBlock()
    maybe: SingleBlock[Disk | None] = SingleBlock()
    group: GroupBlock[Disk] = GroupBlock()
    several: ListBlock[Disk] = ListBlock(min_items=1, max_items=3)
    distinct: SetBlock[Disk] = SetBlock()
    labelled: MapBlock[Disk] = MapBlock()
    dynamic_list: ListBlock[Holder] = ListBlock()
    dynamic_map: MapBlock[Holder] = MapBlock()
    dynamic_one: SingleBlock[Holder] = SingleBlock()


def test_blocks() -> None:
    layout = Blocks.__tofu_layout__()
    disk = '["object",{"name":"string","size":"number"}]'
    assert {field.name: field.layout.type.to_json() for field in layout.fields} == {
        "one": disk,
        "maybe": disk,
        "group": disk,
        "several": f'["list",{disk}]',
        "distinct": f'["set",{disk}]',
        "labelled": f'["map",{disk}]',
        "dynamic_list": '"dynamic"',
        "dynamic_map": '"dynamic"',
        "dynamic_one": '["object",{"value":"dynamic"}]',
    }
    nullable = {field.name for field in layout.fields if field.layout.nullable}
    assert nullable == {"maybe"}
    dynamic = {f.name for f in layout.fields if isinstance(f.layout, DynamicBlocksLayout)}
    assert dynamic == {"dynamic_list", "dynamic_map"}
    assert [field.name for field in layout.fields] == sorted(Blocks.model_fields)


@pytest.mark.parametrize("mode", NestingMode)
def test_what_holds_blocks_and_objects(mode: NestingMode) -> None:
    expected: dict[NestingMode, Any] = {
        NestingMode.LIST: list[Disk],
        NestingMode.SET: TofuSet[Disk],
        NestingMode.MAP: dict[str, Disk],
    }
    assert collection_of(mode, Disk) == expected.get(mode, Disk)


def test_layouts_of_plain_annotations_are_shared() -> None:
    assert layout_of(list[str]) is layout_of(list[str])
    assert layout_of(list[Point]) is not layout_of(list[Point])
