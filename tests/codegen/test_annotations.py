"""Types as annotations: what reading gives and what writing takes."""

from __future__ import annotations

import pytest

from tofutypes.models.class_plan import Base, Root, plan_models
from tofutypes.schema import Attribute, Block, NestedAttributeType, NestingMode, Schema
from tofutypes.type_parsing import parse_type
from tofutypes.types import STRING, ObjectType
from tofutypes_codegen.annotations import Annotations

POINT = '["object",{"x":"number"}]'

TYPES: list[tuple[str, str, str, set[str]]] = [
    ('"string"', "str", "str", set()),
    ('"bool"', "bool", "bool", set()),
    ('"number"', "Number", "AnyNumber", {"Number", "AnyNumber"}),
    ('"dynamic"', "Dynamic", "AnyDynamic", {"Dynamic", "AnyDynamic"}),
    ('["list","string"]', "list[Nullable[str]]", "AnyList[str]", {"Nullable", "AnyList"}),
    (
        '["set","bool"]',
        "TofuSet[Nullable[bool]]",
        "AnySet[bool]",
        {"Nullable", "TofuSet", "AnySet"},
    ),
    ('["map","string"]', "dict[str, Nullable[str]]", "AnyMap[str]", {"Nullable", "AnyMap"}),
    (
        '["list",["map","number"]]',
        "list[Nullable[dict[str, Nullable[Number]]]]",
        "AnyList[AnyMap[AnyNumber]]",
        {"Nullable", "Number", "AnyList", "AnyMap", "AnyNumber"},
    ),
    ('["tuple",[]]', "tuple[()]", "tuple[()]", set()),
    (
        '["tuple",["string","number"]]',
        "tuple[Nullable[str], Nullable[Number]]",
        "tuple[Nullable[str], Nullable[AnyNumber]]",
        {"Nullable", "Number", "AnyNumber"},
    ),
    (POINT, "Point", "Point", set()),
    (f'["list",{POINT}]', "list[Nullable[Point]]", "AnyList[Point]", {"Nullable", "AnyList"}),
]


@pytest.mark.parametrize(("text", "read", "write", "used"), TYPES, ids=[each[0] for each in TYPES])
def test_types(text: str, read: str, write: str, used: set[str]) -> None:
    type_ = parse_type(text)
    annotations = Annotations(plan_models(types=[("point", type_)]))
    assert annotations.read(type_) == read
    assert annotations.write(type_) == write
    assert annotations.used == used


NESTED: list[tuple[NestingMode, str, str]] = [
    (NestingMode.SINGLE, "Login", "Login"),
    (NestingMode.LIST, "list[Nullable[Login]]", "AnyList[Login]"),
    (NestingMode.SET, "TofuSet[Nullable[Login]]", "AnySet[Login]"),
    (NestingMode.MAP, "dict[str, Nullable[Login]]", "AnyMap[Login]"),
]


@pytest.mark.parametrize(("mode", "read", "write"), NESTED)
def test_nested_types(mode: NestingMode, read: str, write: str) -> None:
    nested = NestedAttributeType({"user": Attribute(STRING, required=True)}, mode)
    schema = Schema(Block({"login": Attribute(nested_type=nested, optional=True)}))
    annotations = Annotations(plan_models([Root("A", Base.RESOURCE, schema)]))
    assert annotations.read_nested(nested) == read
    assert annotations.write_nested(nested) == write
    assert annotations.class_of(nested) == "Login"


def test_objects_that_differ_only_in_what_is_optional() -> None:
    plain, optional = ObjectType({"x": STRING}), ObjectType({"x": STRING}, frozenset({"x"}))
    annotations = Annotations(plan_models(types=[("a", plain), ("b", optional)]))
    assert (annotations.read(plain), annotations.read(optional)) == ("A", "B")
