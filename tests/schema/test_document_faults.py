"""What is not a schema document, and what is said about it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tofutypes.errors import SchemaError
from tofutypes.schema import (
    Attribute,
    Block,
    NestedBlock,
    read_part,
    read_schemas,
    write_part,
    write_schemas,
)

HINT = "write it with `tofu providers schema -json`"

NOTHING_ELSE: dict[str, object] = {"format_version": "1.0"}


def document(provider: object) -> dict[str, object]:
    return NOTHING_ELSE | {"provider_schemas": {"example.org/a/b": provider}}


def of_block(block: object) -> dict[str, object]:
    return document({"resource_schemas": {"b_c": {"block": block}}})


def of_attribute(attribute: object) -> dict[str, object]:
    return of_block({"attributes": {"x y": attribute}})


PROVIDER = 'provider_schemas["example.org/a/b"]'
BLOCK = f"{PROVIDER}.resource_schemas.b_c.block"
ATTRIBUTE = f'{BLOCK}.attributes["x y"]'
PRIMITIVES = 'expected "string", "number", "bool" or "dynamic"'
MODES = '"single", "group", "list", "set" or "map"'

FAULTS: dict[str, tuple[object, str]] = {
    "list": (b"[]", "expected a JSON object, got a list"),
    "plan": (
        {"format_version": "1.2", "planned_values": {}},
        'not a schema document: missing key "provider_schemas"',
    ),
    "one schema": (
        {"version": 0, "block": {}},
        'not a schema document: missing key "provider_schemas"',
    ),
    "version": (
        {"format_version": 1.0},
        'format_version: expected a version such as "1.0", got a number',
    ),
    "no version": (
        {"format_version": "one"},
        'format_version: expected a version such as "1.0", got "one"',
    ),
    "providers": (
        NOTHING_ELSE | {"provider_schemas": [{}]},
        "provider_schemas: expected a JSON object, got a list",
    ),
    "provider": (document(1), f"{PROVIDER}: expected a JSON object, got a number"),
    "schema": (
        document({"provider": ""}),
        f"{PROVIDER}.provider: expected a JSON object, got a string",
    ),
    "block": (of_block(False), f"{BLOCK}: expected a JSON object, got a bool"),
    "attribute like a type": (
        of_block({"attributes": {"a": {"type": "string"}, "x y": "string"}}),
        f"{ATTRIBUTE}: expected a JSON object, got a string",
    ),
    "text": (
        of_attribute({"description": 1}),
        f"{ATTRIBUTE}.description: expected a string, got a number",
    ),
    "surrogate": (
        of_attribute({"description": "\udc80"}),
        f"{ATTRIBUTE}.description: invalid Unicode: unpaired surrogate",
    ),
    "flag": (
        of_attribute({"required": 1}),
        f"{ATTRIBUTE}.required: expected true or false, got a number",
    ),
    "word": (
        of_attribute({"description_kind": "html"}),
        f'{ATTRIBUTE}.description_kind: expected "plain" or "markdown", got "html"',
    ),
    "no word": (
        of_attribute({"description_kind": 1}),
        f'{ATTRIBUTE}.description_kind: expected "plain" or "markdown", got a number',
    ),
    "type": (
        of_attribute({"type": ["list", "text"]}),
        f'{ATTRIBUTE}.type[1]: unknown type "text"; {PRIMITIVES}',
    ),
    "type in quotes": (
        of_attribute({"type": '["list","string"]'}),
        f'{ATTRIBUTE}.type: unknown type "["list","string"]"; {PRIMITIVES}',
    ),
    "no mode": (
        of_attribute({"nested_type": {}}),
        f'{ATTRIBUTE}.nested_type: missing required key "nesting_mode"',
    ),
    "mode": (
        of_block({"block_types": {"b": {"nesting_mode": "tuple", "block": {}}}}),
        f'{BLOCK}.block_types.b.nesting_mode: expected {MODES}, got "tuple"',
    ),
    "no block": (
        of_block({"block_types": {"b": {"nesting_mode": "list"}}}),
        f'{BLOCK}.block_types.b: missing required key "block"',
    ),
    "count": (
        of_block({"block_types": {"b": {"max_items": 1.0}}}),
        f"{BLOCK}.block_types.b.max_items: expected an integer, got a decimal number",
    ),
    "no count": (
        of_block({"block_types": {"b": {"max_items": True}}}),
        f"{BLOCK}.block_types.b.max_items: expected an integer, got a bool",
    ),
    "large count": (
        of_block({"block_types": {"b": {"max_items": 2**63}}}),
        f"{BLOCK}.block_types.b.max_items: number is out of range: the limit is 64 bits",
    ),
    "parameters": (
        document({"functions": {"f": {"parameters": {}}}}),
        f"{PROVIDER}.functions.f.parameters: expected a list, got a map or an object",
    ),
    "parameter": (
        document({"functions": {"f": {"parameters": [{"name": "a", "type": "string"}, {}]}}}),
        f'{PROVIDER}.functions.f.parameters[1]: missing required key "type"',
    ),
    "function": (
        document({"functions": {"f": {}}}),
        f'{PROVIDER}.functions.f: missing required key "return_type"',
    ),
    "one name twice": (
        of_block({"attributes": {"\u00e4": {}, "a\u0308": {}}}),
        f'{BLOCK}.attributes: duplicate name "ä" after Unicode normalisation',
    ),
    "key": (
        of_block({1: {}}),
        f"{BLOCK}: expected a string as key, got another kind of key",
    ),
    "new key": (of_block({"new": [{1}]}), f"{BLOCK}.new: expected a JSON value, got a set"),
    "line break": (
        document({"functions": {"f\n": 1}}),
        f'{PROVIDER}.functions["f\\n"]: expected a JSON object, got a number',
    ),
}


@pytest.mark.parametrize(("source", "message"), FAULTS.values(), ids=FAULTS)
def test_what_is_not_a_schema_document(source: Any, message: str) -> None:
    with pytest.raises(SchemaError) as caught:
        read_schemas(source)
    assert str(caught.value) == f"{message}; {HINT}"


def test_errors_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "schema.json"
    path.write_bytes(json.dumps(document(1)).encode())
    with pytest.raises(SchemaError) as caught:
        read_schemas(path)
    assert str(caught.value).startswith(f"{path}: {PROVIDER}: expected a JSON object, got a number")
    assert caught.value.source == str(path)
    assert str(caught.value.path) == PROVIDER
    assert caught.value.message == f"expected a JSON object, got a number; {HINT}"
    with pytest.raises(SchemaError, match="no such file") as caught:
        read_schemas(tmp_path / "other.json")
    assert str(caught.value).startswith(f"{tmp_path / 'other.json'}: ")


def deep_block(levels: int) -> dict[str, object]:
    block: dict[str, object] = {}
    for _ in range(levels - 1):
        block = {"block_types": {"b": {"nesting_mode": "list", "block": block}}}
    return block


def deep_extra(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


def test_nesting_has_an_end() -> None:
    assert write_part(read_part(Block, deep_block(64))) == deep_block(64)
    with pytest.raises(SchemaError, match="blocks are nested too deeply"):
        read_part(Block, deep_block(65))
    with pytest.raises(SchemaError, match="blocks are nested too deeply"):
        read_part(Block, json.dumps(deep_block(200)).encode())
    assert read_part(Block, {"new": deep_extra(100)}).extra == {"new": deep_extra(100)}
    with pytest.raises(SchemaError, match="JSON is nested too deeply"):
        read_part(Block, {"new": deep_extra(101)})
    circle: dict[str, object] = {"nesting_mode": "list"}
    circle["block"] = {"block_types": {"b": circle}}
    with pytest.raises(SchemaError, match="blocks are nested too deeply"):
        read_part(NestedBlock, circle)


def test_a_document_can_be_cut_off_anywhere(nimbus_path: Path) -> None:
    data = nimbus_path.read_bytes().rstrip()
    for end in range(1, len(data), 101):
        with pytest.raises(SchemaError, match=r"^(truncated JSON|invalid JSON): .*; write it"):
            read_schemas(data[:end])


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    for key, each in list(value.items() if isinstance(value, dict) else enumerate(value)):
        yield value, key
        if isinstance(each, dict | list):
            yield from places(each)


NIMBUS = (Path(__file__).parents[2] / "examples/nimbus/schema.json").read_bytes()
PLACES = len(list(places(json.loads(NIMBUS))))
TEXT = st.text(st.characters())  # half surrogate pairs too
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)


@given(place=st.integers(0, PLACES - 1), value=JSON, delete=st.booleans())
def test_a_damaged_document(place: int, value: object, delete: bool) -> None:
    """It is refused in one line, or what is read of it comes back."""
    damaged = json.loads(NIMBUS)
    holder, key = list(places(damaged))[place]
    if delete:
        del holder[key]
    else:
        holder[key] = value
    try:
        written = write_schemas(read_schemas(damaged))
    except SchemaError as error:
        message = str(error)
        assert message.isprintable()  # either is fine
    else:
        assert write_schemas(read_schemas(written)) == written


def test_what_is_not_a_part() -> None:
    with pytest.raises(SchemaError) as caught:
        read_part(Attribute, {"nested_type": {"nesting_mode": 1}})
    assert str(caught.value) == f"nested_type.nesting_mode: expected {MODES}, got a number"
    with pytest.raises(SchemaError, match="no-such-file: no such file"):
        read_part(Attribute, "no-such-file")
