"""Types as annotations: what reading gives and what writing takes."""

from __future__ import annotations

import pytest

from tofutypes.models.class_plan import Base, PlannedField, Root, plan_models
from tofutypes.schema import Attribute, Block, NestedAttributeType, NestingMode, Schema
from tofutypes.type_parsing import parse_type
from tofutypes.types import STRING, ObjectType
from tofutypes_codegen.annotations import Annotation, Annotations

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


FIELDS: list[tuple[str, str, list[str]]] = [
    ('"string"', "Attr", ["str"]),
    ('"bool"', "Attr", ["bool"]),
    ('"number"', "NumberAttr", []),
    ('"dynamic"', "DynamicAttr", []),
    ('["list","string"]', "ListAttr", ["str"]),
    ('["set","bool"]', "SetAttr", ["bool"]),
    ('["map","string"]', "MapAttr", ["str"]),
    (f'["list",{POINT}]', "ListAttr", ["Name"]),
    (POINT, "Attr", ["Name"]),
    ('["list","number"]', "Attr", ["list[Nullable[Number]]", "AnyList[AnyNumber]"]),
]


@pytest.mark.parametrize(("text", "name", "types"), FIELDS, ids=[row[0] for row in FIELDS])
@pytest.mark.parametrize("required", [True, False])
def test_fields(text: str, name: str, types: list[str], required: bool) -> None:
    attribute = Attribute(parse_type(text), required=required, optional=not required)
    annotations, field = planned({"name": attribute})
    if not required:
        is_pair = name == "Attr"
        types = [f"{type_} | None" for type_ in types] if is_pair else [*types, "None"]
    assert annotations.of_field(field) == Annotation(name, types)
    assert name in annotations.used


NESTED: list[tuple[NestingMode, str, list[str]]] = [
    (NestingMode.SINGLE, "Attr", ["Name | None"]),
    (NestingMode.LIST, "ListAttr", ["Name", "None"]),
    (NestingMode.SET, "SetAttr", ["Name", "None"]),
    (NestingMode.MAP, "MapAttr", ["Name", "None"]),
]


@pytest.mark.parametrize(("mode", "name", "types"), NESTED)
def test_nested_types(mode: NestingMode, name: str, types: list[str]) -> None:
    nested = NestedAttributeType({"user": Attribute(STRING, required=True)}, mode)
    annotations, field = planned({"name": Attribute(nested_type=nested, optional=True)})
    assert annotations.of_field(field) == Annotation(name, types)
    assert annotations.class_of(nested) == "Name"


def test_deprecated_attributes() -> None:
    attribute = Attribute(parse_type('["list","string"]'), optional=True, deprecated=True)
    annotations, field = planned({"name": attribute})
    types = ["list[Nullable[str]] | None", "AnyList[str] | None"]
    assert annotations.of_field(field) == Annotation("DeprecatedAttr", types)


def planned(attributes: dict[str, Attribute]) -> tuple[Annotations, PlannedField]:
    """The annotations of a plan for these attributes, and the first field."""
    plan = plan_models([Root("Thing", Base.RESOURCE, Schema(Block(attributes)))])
    *_, thing = plan.classes.values()
    return Annotations(plan), thing.fields[0]


def test_objects_that_differ_only_in_what_is_optional() -> None:
    plain, optional = ObjectType({"x": STRING}), ObjectType({"x": STRING}, frozenset({"x"}))
    annotations = Annotations(plan_models(types=[("a", plain), ("b", optional)]))
    assert (annotations.read(plain), annotations.read(optional)) == ("A", "B")
