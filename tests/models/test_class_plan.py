"""The classes that schemas need: which, named how, in which order."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.golden.nimbus_package import provider
from tofutypes.errors import InvalidSchemaError
from tofutypes.models.class_plan import Base, ClassPlan, Root, plan_models
from tofutypes.schema import (
    Attribute,
    Block,
    IdentityAttribute,
    IdentitySchema,
    NestedAttributeType,
    NestedBlock,
    NestingMode,
    Schema,
)
from tofutypes.type_parsing import parse_type
from tofutypes.types import STRING, ObjectType

SINGLE, GROUP, LIST, SET, MAP = NestingMode
TEXT = Attribute(STRING, optional=True)


def block(*names: str, **blocks: Block) -> Block:
    """A block of attributes and of nested blocks."""
    return Block(
        dict.fromkeys(names, TEXT), {name: NestedBlock(each, LIST) for name, each in blocks.items()}
    )


def plan(shape: Block, name: str = "Server", **options: Any) -> ClassPlan:
    return plan_models([Root(name, Base.RESOURCE, Schema(shape), "cloud_server")], **options)


def names(planned: ClassPlan) -> list[str]:
    return [each.name for each in planned.classes.values()]


def aliases(planned: ClassPlan) -> dict[str, tuple[str, ...]]:
    return {each.name: each.aliases for each in planned.classes.values() if each.aliases}


A, B, C = block("a"), block("b"), block("c")

# A block, the names of its classes, and their aliases.
NAMED: dict[str, tuple[Block, list[str], dict[str, tuple[str, ...]]]] = {
    "nothing inside": (A, ["Server"], {}),
    "blocks inside": (block(disk=A, port=B), ["Disk", "Port", "Server"], {}),
    "what is used comes first": (
        block(zone=block(disk=A)),
        ["Disk", "Zone", "Server"],
        {},
    ),
    "same shape, same class": (
        block(disk=A, volume=A, backup=A),
        ["Backup", "Server"],
        {"Backup": ("Disk", "Volume")},
    ),
    "the name of the first depth": (
        block(volume=A, zone=block(disk=A)),
        ["Volume", "Zone", "Server"],
        {"Volume": ("Disk",)},
    ),
    "other shapes of one name": (
        block(first=block(rule=A), second=block(rule=B)),
        ["Rule", "First", "SecondRule", "Second", "Server"],
        {},
    ),
    "an alias above comes before a class below": (
        block(disk=A, volume=A, other=block(volume=B)),
        ["Disk", "OtherVolume", "Other", "Server"],
        {"Disk": ("Volume",)},
    ),
    "numbers when no parent helps": (
        block(rule=block("x", rule=block("y", rule=A))),
        ["RuleRuleRule", "RuleRule", "Rule", "Server"],
        {},
    ),
    "the name of the root": (block(server=A), ["ServerServer", "Server"], {}),
    "the name of a field": (block("Disk", disk=A), ["ServerDisk", "Server"], {}),
    "the name of a field elsewhere": (
        block(disk=A, zone=block("Disk")),
        ["ServerDisk", "Zone", "Server"],
        {},
    ),
    "a name of the library": (block(attr=A, number=B), ["Attr_", "Number_", "Server"], {}),
    "names that are one of the library together": (
        block(block=A, nested=block(block=B)),
        ["Block", "ServerNestedBlock", "Nested", "Server"],
        {},
    ),
    "a name that falls together": (block(a_b=A, a__b=B), ["AB", "ServerAB", "Server"], {}),
}


@pytest.mark.parametrize("what", NAMED)
def test_names(what: str) -> None:
    shape, expected, expected_aliases = NAMED[what]
    planned = plan(shape)
    assert names(planned) == expected
    assert aliases(planned) == expected_aliases


def test_names_to_avoid() -> None:
    assert names(plan(block(disk=A), avoid=["Disk"])) == ["ServerDisk", "Server"]
    assert names(plan(block(disk=A), avoid=["Disk", "ServerDisk"])) == ["Disk2", "Server"]
    assert names(plan(block(disk=A), avoid=["Disk", "ServerDisk", "Disk2"])) == ["Disk3", "Server"]


def test_kinds_of_classes() -> None:
    nested = Attribute(nested_type=NestedAttributeType({"a": TEXT}, MAP), optional=True)
    point = parse_type('["object",{"x":"number"}]')
    points = Attribute(
        parse_type('["map",["tuple",["string",["object",{"x":"number"}]]]]'), optional=True
    )
    shape = Block({"login": nested, "points": points}, {"disk": NestedBlock(A, SET)})
    identity = IdentitySchema({"id": IdentityAttribute(STRING, required_for_import=True)})
    planned = plan_models(
        [
            Root("Server", Base.RESOURCE, Schema(shape), "cloud_server"),
            Root("ServerIdentity", Base.RESOURCE_IDENTITY, identity, "cloud_server"),
        ],
        types=[("place", point), ("other", ObjectType({}))],
    )
    assert {each.name: (each.base, each.type_name) for each in planned.classes.values()} == {
        "Server": (Base.RESOURCE, "cloud_server"),
        "ServerIdentity": (Base.RESOURCE_IDENTITY, "cloud_server"),
        "Login": (Base.NESTED_OBJECT, None),
        "Place": (Base.OBJECT, None),
        "Disk": (Base.NESTED_BLOCK, None),
        "Other": (Base.OBJECT, None),
    }
    assert aliases(planned) == {"Place": ("Points",)}
    assert planned.class_of(A).name == "Disk"
    assert nested.nested_type is not None
    assert planned.class_of(nested.nested_type).name == "Login"


def test_nested_types_share_a_class_whatever_holds_them() -> None:
    def nested(nesting: NestingMode, most: int) -> Attribute:
        inner = NestedAttributeType({"a": TEXT}, nesting, max_items=most)
        return Attribute(nested_type=inner, optional=True)

    planned = plan(
        Block({"one": nested(SINGLE, 0), "many": nested(LIST, 5), "map": nested(MAP, 0)})
    )
    assert names(planned) == ["Many", "Server"]
    assert aliases(planned) == {"Many": ("Map", "One")}


def test_fields() -> None:
    [server] = plan(block("name", "from", "from_", "2fa")).classes.values()
    assert [(each.name, each.python_name) for each in server.fields] == [
        ("2fa", "field_2fa"),
        ("from", "from__"),
        ("from_", "from_"),
        ("name", "name"),
    ]


def test_plans_do_not_depend_on_the_order() -> None:
    for name, schema in provider().resources.items():
        planned = plan_models([Root("Root", Base.RESOURCE, schema, name)])
        for seed in range(3):
            shuffled = Schema(_shuffled(schema.block, Random(seed)), schema.version)
            again = plan_models([Root("Root", Base.RESOURCE, shuffled, name)])
            assert list(again.classes.values()) == list(planned.classes.values())


def _shuffled(shape: Block, random: Random) -> Block:
    def mix(mapping: Any) -> dict[str, Any]:
        return {name: mapping[name] for name in random.sample(list(mapping), len(mapping))}

    blocks = {
        name: NestedBlock(
            _shuffled(each.block, random),
            each.nesting,
            min_items=each.min_items,
            max_items=each.max_items,
        )
        for name, each in mix(shape.block_types).items()
    }
    return Block(
        mix(shape.attributes),
        blocks,
        description=shape.description,
        description_kind=shape.description_kind,
        deprecated=shape.deprecated,
        deprecation_message=shape.deprecation_message,
    )


def test_what_breaks_the_rules_is_refused() -> None:
    with pytest.raises(InvalidSchemaError, match=r"a: an attribute must be required, optional or"):
        plan(Block({"a": Attribute(STRING)}))


def test_deep_nesting() -> None:
    shape = A
    for _ in range(60):
        shape = block("x", inner=shape)
    planned = plan(shape)
    assert len(planned.classes) == 61
    assert len(set(names(planned))) == 61
