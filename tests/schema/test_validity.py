from pathlib import Path

import pytest

from tofutypes.errors import InvalidSchemaError
from tofutypes.schema import (
    Attribute,
    Block,
    NestedAttributeType,
    NestedBlock,
    NestingMode,
    ProviderSchema,
    Schema,
    check_schema,
    ensure_valid,
    read_schemas,
)
from tofutypes.type_parsing import parse_type
from tofutypes.types import DYNAMIC, STRING, ListType

SINGLE, GROUP, LIST, SET, MAP = NestingMode

NAME = Attribute(STRING, required=True)
ANY = Attribute(DYNAMIC, optional=True)
SECRET = Attribute(STRING, optional=True, write_only=True)


def attribute_in(nesting: NestingMode, attribute: Attribute) -> Attribute:
    return Attribute(nested_type=NestedAttributeType({"x": attribute}, nesting), optional=True)


def block_in(nesting: NestingMode, block: Block, least: int = 0, most: int = 0) -> Block:
    return Block(block_types={"b": NestedBlock(block, nesting, min_items=least, max_items=most)})


ATTRIBUTES: dict[str, tuple[Attribute, list[str]]] = {
    "required": (NAME, []),
    "optional and computed": (Attribute(STRING, optional=True, computed=True), []),
    "nothing": (Attribute(STRING), ["a: an attribute must be required, optional or computed"]),
    "required and optional": (
        Attribute(STRING, required=True, optional=True),
        ["a: an attribute cannot be both required and optional"],
    ),
    "required and computed": (
        Attribute(STRING, required=True, computed=True),
        ["a: an attribute cannot be both required and computed"],
    ),
    "all three": (
        Attribute(STRING, required=True, optional=True, computed=True),
        [
            "a: an attribute cannot be both required and optional",
            "a: an attribute cannot be both required and computed",
        ],
    ),
    "no type": (Attribute(optional=True), ["a: an attribute must have a type or a nested type"]),
    "two types": (
        Attribute(STRING, NestedAttributeType({"x": NAME}), optional=True),
        ["a: an attribute cannot have both a type and a nested type"],
    ),
    # No rule of the reference, and providers do it.
    "computed and write-only": (Attribute(STRING, computed=True, write_only=True), []),
    "required and write-only": (Attribute(STRING, required=True, write_only=True), []),
    "set of dynamic": (Attribute(parse_type('["set","dynamic"]'), optional=True), []),
    "nested single": (attribute_in(SINGLE, ANY), []),
    "nested list": (attribute_in(LIST, ANY), []),
    "nested map": (attribute_in(MAP, SECRET), []),
    "nested set": (attribute_in(SET, NAME), []),
    "nested group": (
        attribute_in(GROUP, NAME),
        ["a: the nesting mode of a nested type must be single, list, set or map, not group"],
    ),
    "nested set, dynamic": (
        attribute_in(SET, ANY),
        ["a: a set cannot hold an attribute of type dynamic"],
    ),
    "nested set, dynamic deep inside": (
        attribute_in(SET, attribute_in(LIST, Attribute(ListType(DYNAMIC), optional=True))),
        ["a: a set cannot hold an attribute of type dynamic"],
    ),
    "nested set, write-only": (
        attribute_in(SET, attribute_in(SINGLE, SECRET)),
        ["a: a set cannot hold a write-only attribute"],
    ),
    "write-only nested set": (
        Attribute(
            nested_type=NestedAttributeType({"x": NAME}, SET), optional=True, write_only=True
        ),
        [],
    ),
    "nested, inside": (
        attribute_in(LIST, Attribute(STRING)),
        ["a.x: an attribute must be required, optional or computed"],
    ),
    "nested limits": (
        Attribute(nested_type=NestedAttributeType(min_items=3, max_items=-1), optional=True),
        [],
    ),
}

LIMITS = [
    # nesting, min_items, max_items, the fault
    (SINGLE, 0, 0, ""),
    (SINGLE, 1, 1, ""),
    (SINGLE, 0, 1, "min_items and max_items of a single block must be equal"),
    (SINGLE, 2, 2, "min_items and max_items of a single block must be 0 or 1"),
    (SINGLE, -1, -1, "min_items and max_items must not be negative"),
    (GROUP, 0, 0, ""),
    (GROUP, 1, 1, "min_items and max_items of a group must be 0"),
    (MAP, 0, 0, ""),
    (MAP, 0, 2, "min_items and max_items of a map must be 0"),
    (LIST, 0, 0, ""),
    (LIST, 3, 0, ""),
    (LIST, 0, 3, ""),
    (LIST, 3, 3, ""),
    (LIST, 4, 3, "min_items must not be greater than max_items"),
    (LIST, -1, 3, "min_items and max_items must not be negative"),
    (SET, 3, 0, ""),
    (SET, 4, 3, "min_items must not be greater than max_items"),
    (SET, -1, 0, "min_items and max_items must not be negative"),
]

BLOCKS: dict[str, tuple[Block, list[str]]] = {
    "empty": (Block(), []),
    "inside": (
        block_in(LIST, block_in(SINGLE, Block({"a": Attribute(STRING)}))),
        ["b.b.a: an attribute must be required, optional or computed"],
    ),
    "set": (block_in(SET, Block({"a": NAME})), []),
    "list, dynamic and write-only": (block_in(LIST, Block({"a": ANY, "s": SECRET})), []),
    "set, dynamic": (
        block_in(SET, Block({"a": ANY})),
        ["b: a set cannot hold an attribute of type dynamic"],
    ),
    "set, dynamic in a list": (
        block_in(SET, block_in(LIST, Block({"a": ANY}))),
        ["b: a set cannot hold an attribute of type dynamic"],
    ),
    "set, dynamic in a nested type": (
        block_in(SET, Block({"a": attribute_in(MAP, ANY)})),
        ["b: a set cannot hold an attribute of type dynamic"],
    ),
    "set, write-only": (
        block_in(SET, block_in(GROUP, Block({"a": SECRET}))),
        ["b: a set cannot hold a write-only attribute"],
    ),
    "one name": (
        Block({"b": NAME}, {"b": NestedBlock(Block(), LIST)}),
        ["b: an attribute and a nested block cannot have the same name"],
    ),
    "name of a block": (
        Block({}, {"Größe": NestedBlock(Block(), LIST)}),
        ["Größe: a block name must consist of lowercase letters, digits and underscores"],
    ),
    "dash in the name of a block": (
        Block({}, {"rule-set": NestedBlock(Block(), LIST)}),
        ["rule-set: a block name must consist of lowercase letters, digits and underscores"],
    ),
    "negative max_items": (
        block_in(LIST, Block(), 0, -1),
        [
            "b: min_items and max_items must not be negative",
            "b: min_items must not be greater than max_items",
        ],
    ),
    "names of attributes": (Block({"Größe": NAME, "": NAME, "x-y z": NAME, "2": NAME}), []),
}


def faults(schema: Schema | Block) -> list[str]:
    return [str(problem) for problem in check_schema(schema)]


@pytest.mark.parametrize(("attribute", "expected"), ATTRIBUTES.values(), ids=ATTRIBUTES)
def test_attributes(attribute: Attribute, expected: list[str]) -> None:
    assert faults(Block({"a": attribute})) == expected


@pytest.mark.parametrize(("nesting", "least", "most", "fault"), LIMITS)
def test_limits(nesting: NestingMode, least: int, most: int, fault: str) -> None:
    assert faults(block_in(nesting, Block(), least, most)) == ([f"b: {fault}"] if fault else [])


@pytest.mark.parametrize(("block", "expected"), BLOCKS.values(), ids=BLOCKS)
def test_blocks(block: Block, expected: list[str]) -> None:
    assert faults(block) == expected


def test_the_version() -> None:
    assert faults(Schema(Block(), version=3)) == []
    assert faults(Schema(Block(), version=-1)) == ["the version must not be negative"]


def test_an_error_tells_all_problems() -> None:
    schema = Schema(
        Block({"a": Attribute()}, block_in(MAP, Block({"c": Attribute(STRING)}), 1).block_types),
        version=-1,
    )
    with pytest.raises(InvalidSchemaError) as caught:
        ensure_valid(schema)
    assert list(caught.value.problems) == check_schema(schema)
    assert str(caught.value) == "\n".join(
        [
            "the schema breaks 5 rules:",
            "  the version must not be negative",
            "  a: an attribute must be required, optional or computed",
            "  a: an attribute must have a type or a nested type",
            "  b: min_items and max_items of a map must be 0",
            "  b.c: an attribute must be required, optional or computed",
        ]
    )


def test_nothing_is_raised_for_a_valid_schema() -> None:
    ensure_valid(Schema(Block({"a": NAME})))


def faults_of(provider: ProviderSchema) -> dict[str, list[str]]:
    schemas = [
        ("provider", provider.provider or Schema(Block())),
        *provider.resources.items(),
        *provider.data_sources.items(),
        *provider.ephemeral_resources.items(),
    ]
    assert len(schemas) > 2
    return {name: found for name, schema in schemas if (found := faults(schema))}


def test_nimbus_is_valid(nimbus: ProviderSchema) -> None:
    assert faults_of(nimbus) == {}


@pytest.mark.parametrize(
    "file", ["aws.json.gz", "builtin-null-lxd.json", "cloudflare.json.gz", "google.json.gz"]
)
def test_real_providers_are_valid(file: str, shared: Path) -> None:
    for provider in read_schemas(shared / "schemas" / file).values():
        assert faults_of(provider) == {}
