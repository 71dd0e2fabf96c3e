import json
from pathlib import Path

import pytest

from tofutypes.errors import SchemaError
from tofutypes.schema import (
    Attribute,
    Block,
    IdentityAttribute,
    IdentitySchema,
    NestedAttributeType,
    NestedBlock,
    NestingMode,
    ProviderSchema,
    Schema,
    element_type,
    implied_type,
    read_schemas,
)
from tofutypes.type_parsing import parse_type
from tofutypes.types import BOOL, DYNAMIC, NUMBER, STRING

SINGLE, GROUP, LIST, SET, MAP = NestingMode

NAME = Attribute(STRING, required=True)
ANY = Attribute(DYNAMIC, optional=True)


def nested(block: Block, nesting: NestingMode) -> Block:
    return Block(block_types={"b": NestedBlock(block, nesting)})


def nested_type(attributes: dict[str, Attribute], nesting: NestingMode) -> Block:
    attribute = Attribute(nested_type=NestedAttributeType(attributes, nesting), optional=True)
    return Block({"a": attribute})


OF_BLOCKS: dict[str, tuple[Block, str]] = {
    "empty": (Block(), '["object",{}]'),
    "attributes": (
        Block({"on": Attribute(BOOL, computed=True), "name": NAME}),
        '["object",{"name":"string","on":"bool"}]',
    ),
    "single": (nested(Block({"n": NAME}), SINGLE), '["object",{"b":["object",{"n":"string"}]}]'),
    "group": (nested(Block({"n": NAME}), GROUP), '["object",{"b":["object",{"n":"string"}]}]'),
    "list": (
        nested(Block({"n": NAME}), LIST),
        '["object",{"b":["list",["object",{"n":"string"}]]}]',
    ),
    "set": (nested(Block({"n": NAME}), SET), '["object",{"b":["set",["object",{"n":"string"}]]}]'),
    "map": (nested(Block({"n": NAME}), MAP), '["object",{"b":["map",["object",{"n":"string"}]]}]'),
    "an attribute wins over a block of its name": (
        Block({"b": NAME}, nested(Block(), LIST).block_types),
        '["object",{"b":"string"}]',
    ),
    "optional attributes": (
        Block({"a": Attribute(parse_type('["set",["object",{"x":"string"},["x"]]]'))}),
        '["object",{"a":["set",["object",{"x":"string"}]]}]',
    ),
}

DYNAMIC_INSIDE: dict[str, tuple[Block, str]] = {
    "attribute": (Block({"a": ANY}), '["object",{"a":"dynamic"}]'),
    "single": (nested(Block({"a": ANY}), SINGLE), '["object",{"b":["object",{"a":"dynamic"}]}]'),
    "group": (nested(Block({"a": ANY}), GROUP), '["object",{"b":["object",{"a":"dynamic"}]}]'),
    "list": (nested(Block({"a": ANY}), LIST), '["object",{"b":"dynamic"}]'),
    "map": (nested(Block({"a": ANY}), MAP), '["object",{"b":"dynamic"}]'),
    "list in list": (
        nested(nested(Block({"a": ANY}), LIST), LIST),
        '["object",{"b":"dynamic"}]',
    ),
    "list in single": (
        nested(nested(Block({"a": ANY}), LIST), SINGLE),
        '["object",{"b":["object",{"b":"dynamic"}]}]',
    ),
    "single in map": (
        nested(nested(Block({"a": ANY}), SINGLE), MAP),
        '["object",{"b":"dynamic"}]',
    ),
    "deep in a type": (
        nested(Block({"a": Attribute(parse_type('["map",["tuple",["dynamic"]]]'))}), LIST),
        '["object",{"b":"dynamic"}]',
    ),
    "deep in a nested type": (
        nested(nested_type({"x": ANY}, MAP), LIST),
        '["object",{"b":"dynamic"}]',
    ),
    # Only nested blocks become dynamic, nested types never do.
    "nested type": (
        nested_type({"x": ANY}, LIST),
        '["object",{"a":["list",["object",{"x":"dynamic"}]]}]',
    ),
}

OF_NESTED_TYPES: dict[str, tuple[Block, str]] = {
    "single": (nested_type({"x": NAME}, SINGLE), '["object",{"a":["object",{"x":"string"}]}]'),
    "list": (
        nested_type({"x": NAME}, LIST),
        '["object",{"a":["list",["object",{"x":"string"}]]}]',
    ),
    "set": (nested_type({"x": NAME}, SET), '["object",{"a":["set",["object",{"x":"string"}]]}]'),
    "map": (nested_type({"x": NAME}, MAP), '["object",{"a":["map",["object",{"x":"string"}]]}]'),
    "two deep": (
        nested_type(dict(nested_type({"x": ANY}, LIST).attributes), MAP),
        '["object",{"a":["map",["object",{"a":["list",["object",{"x":"dynamic"}]]}]]}]',
    ),
}


@pytest.mark.parametrize(("block", "type_"), OF_BLOCKS.values(), ids=OF_BLOCKS)
def test_blocks(block: Block, type_: str) -> None:
    assert implied_type(block).to_json() == type_
    assert implied_type(Schema(block)).to_json() == type_


@pytest.mark.parametrize(("block", "type_"), DYNAMIC_INSIDE.values(), ids=DYNAMIC_INSIDE)
def test_dynamic_inside(block: Block, type_: str) -> None:
    assert implied_type(block).to_json() == type_


@pytest.mark.parametrize(("block", "type_"), OF_NESTED_TYPES.values(), ids=OF_NESTED_TYPES)
def test_nested_types(block: Block, type_: str) -> None:
    assert implied_type(block).to_json() == type_


def test_every_part_has_a_type() -> None:
    block = Block({"n": Attribute(NUMBER, computed=True)})
    of_list = NestedAttributeType(block.attributes, LIST)
    assert implied_type(NestedBlock(block, MAP)).to_json() == '["map",["object",{"n":"number"}]]'
    assert implied_type(of_list).to_json() == '["list",["object",{"n":"number"}]]'
    assert implied_type(Attribute(nested_type=of_list)) == implied_type(of_list)
    assert implied_type(Attribute(STRING)) == STRING
    assert element_type(of_list).to_json() == '["object",{"n":"number"}]'
    identity = IdentitySchema({"id": IdentityAttribute(STRING, required_for_import=True)})
    assert implied_type(identity).to_json() == '["object",{"id":"string"}]'


def test_an_attribute_without_a_type_has_none() -> None:
    with pytest.raises(SchemaError, match="an attribute has no type"):
        implied_type(Block({"a": Attribute(optional=True)}))


def test_nimbus(nimbus: ProviderSchema) -> None:
    assert implied_type(nimbus.resources["nimbus_function"]).to_json() == (
        '["object",{"binding":"dynamic","environment":["map","string"],"handler":"string",'
        '"id":"string","last_result":"dynamic","limits":["tuple",["number","number","bool"]],'
        '"name":"string","source":["object",{"bucket":"string","key":"string","sha256":"string"}],'
        '"trigger":"dynamic"}]'
    )


def test_types_of_real_resources(shared: Path) -> None:
    """The types beside the benchmark's payloads come from real runs."""
    payloads = json.loads((shared / "benchmarks" / "payloads.json").read_bytes())
    (aws,) = read_schemas(shared / "schemas" / "aws.json.gz").values()
    names = payloads.keys() & aws.resources.keys()
    assert len(names) > 5
    for name in sorted(names):
        assert implied_type(aws.resources[name]) == parse_type(payloads[name][0]), name
