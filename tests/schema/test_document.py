import copy
import gzip
import json
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tofutypes.errors import SchemaError
from tofutypes.schema import (
    Attribute,
    Block,
    Function,
    IdentityAttribute,
    IdentitySchema,
    NestedAttributeType,
    NestedBlock,
    NestingMode,
    Parameter,
    ProviderSchema,
    ProviderSchemas,
    Schema,
    StringKind,
    read_part,
    read_schemas,
    write_part,
    write_schemas,
)
from tofutypes.types import NUMBER, STRING, ListType

HINT = "write it with `tofu providers schema -json`"
ADDRESS = "registry.opentofu.org/example/nimbus"
REAL = ["aws.json.gz", "builtin-null-lxd.json", "cloudflare.json.gz", "google.json.gz"]

NOTHING_ELSE: dict[str, object] = {"format_version": "1.0"}


def document(provider: object) -> dict[str, object]:
    return NOTHING_ELSE | {"provider_schemas": {"example.org/a/b": provider}}


READ: dict[str, object] = {
    "provider": {"version": 0},
    "resource_schemas": {
        "b_server": {
            "version": 2,
            "block": {
                "attributes": {
                    "name": {"type": "string", "description": "Name.", "required": True},
                    "disks": {
                        "nested_type": {
                            "attributes": {"size": {"type": "number", "computed": True}},
                            "nesting_mode": "list",
                        },
                        "description_kind": "markdown",
                        "optional": True,
                    },
                },
                "block_types": {
                    "rule": {
                        "nesting_mode": "set",
                        "block": {"deprecated": True, "deprecation_message": "Don't."},
                        "max_items": 3,
                    }
                },
                "description_kind": "plain",
            },
        }
    },
    "functions": {
        "join": {
            "summary": "Joins.",
            "return_type": "string",
            "parameters": [{"name": "by", "type": "string", "is_nullable": True}],
            "variadic_parameter": {"name": "parts", "type": ["list", "string"]},
        }
    },
    "resource_identity_schemas": {
        "b_server": {
            "version": 1,
            "attributes": {"id": {"type": "string", "required_for_import": True}},
        }
    },
}


def what_is_read() -> ProviderSchema:
    """The same in Python."""
    size = Attribute(NUMBER, computed=True, description_kind=None)
    rule = Block(deprecated=True, deprecation_message="Don't.", description_kind=None)
    server = Block(
        {
            "name": Attribute(STRING, required=True, description="Name.", description_kind=None),
            "disks": Attribute(
                nested_type=NestedAttributeType({"size": size}, NestingMode.LIST),
                description_kind=StringKind.MARKDOWN,
                optional=True,
            ),
        },
        {"rule": NestedBlock(rule, NestingMode.SET, max_items=3)},
    )
    join = Function(
        STRING,
        (Parameter("by", STRING, allow_null_value=True),),
        Parameter("parts", ListType(STRING)),
        summary="Joins.",
    )
    return ProviderSchema(
        provider=Schema(Block(description_kind=None), absent=frozenset({"block"})),
        resources={"b_server": Schema(server, version=2)},
        functions={"join": join},
        identities={
            "b_server": IdentitySchema(
                {"id": IdentityAttribute(STRING, required_for_import=True)}, version=1
            )
        },
    )


def test_what_is_read() -> None:
    source = document(READ)
    expected = what_is_read()
    assert read_schemas(source) == {"example.org/a/b": expected}
    assert write_schemas({"example.org/a/b": expected}) == source


def test_nimbus_comes_back(nimbus_json: Any) -> None:
    assert write_schemas(read_schemas(nimbus_json)) == nimbus_json


@pytest.mark.parametrize("file", REAL)
def test_real_documents_come_back(file: str, shared: Path) -> None:
    path = shared / "schemas" / file
    data = path.read_bytes()
    schemas = read_schemas(path)
    written = write_schemas(schemas)
    assert written == json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)


def test_every_source_reads_alike(nimbus_path: Path, nimbus_json: Any, tmp_path: Path) -> None:
    data = nimbus_path.read_bytes()
    packed = tmp_path / "schema.json.gz"
    packed.write_bytes(gzip.compress(data))
    expected = read_schemas(nimbus_json)
    for source in (nimbus_path, str(nimbus_path), data, packed, packed.read_bytes()):
        assert read_schemas(source) == expected


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """All JSON objects of a document."""
    if isinstance(value, dict):
        yield value
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from objects(each)


def test_keys_of_newer_formats_are_kept(nimbus_json: Any) -> None:
    # What has one of these keys is a part, and no mapping of names.
    marks = {"format_version", "version", "nesting_mode", "is_nullable", "return_type"}
    marks |= {"description_kind", "required_for_import", "resource_schemas"}
    extended = 0
    for each in list(objects(nimbus_json)):
        if any(not isinstance(each.get(mark, {}), dict) for mark in marks) or "provider" in each:
            each["new_key"] = {"new": [1, None, 2.5, {"type": "of value"}]}
            extended += 1
    assert extended > 300
    schemas = read_schemas(nimbus_json)
    assert write_schemas(schemas) == nimbus_json
    assert write_schemas(pickle.loads(pickle.dumps(schemas))) == nimbus_json
    del nimbus_json["new_key"]
    assert write_schemas(dict(schemas)) == nimbus_json


def test_equal_parts_are_one_object() -> None:
    attribute = {"type": ["list", "string"], "optional": True}
    block = {"nesting_mode": "list", "block": {"attributes": {"a": attribute}}}
    schema = {"version": 0, "block": {"attributes": {"a": attribute}, "block_types": {"b": block}}}
    source = json.dumps(document({"resource_schemas": {"x": schema, "y": schema}})).encode()
    (provider,) = read_schemas(source).values()
    x, y = (each.block for each in provider.resources.values())
    assert x.block_types["b"] is y.block_types["b"]
    assert x.attributes["a"] is y.attributes["a"] is x.block_types["b"].block.attributes["a"]


def test_the_attributes_of_aws_are_few(shared: Path) -> None:
    (aws,) = read_schemas(shared / "schemas" / "aws.json.gz").values()
    schemas = [*aws.resources.values(), *aws.data_sources.values()]
    attributes = [each for schema in schemas for each in schema.block.attributes.values()]
    assert len(attributes) > 15_000
    assert len({id(each) for each in attributes}) == len(set(attributes)) < 1_200


@pytest.mark.parametrize("version", ["0.1", "0.2", "1.0", "1.99", "1", "1.2.3"])
def test_format_versions(version: str) -> None:
    source = document({}) | {"format_version": version}
    schemas = read_schemas(source)
    assert schemas.format_version == version
    assert write_schemas(schemas) == source


def test_an_empty_list_stands_for_nothing_by_name() -> None:
    source = document({"resource_schemas": []})
    assert read_schemas(source) == read_schemas(document({}))


def test_a_document_without_format_version() -> None:
    source: dict[str, object] = {
        "provider_schemas": {"test": {"resource_schemas": {"a_b": {"block": {}}}}}
    }
    schemas = read_schemas(source)
    assert schemas.format_version is None
    assert write_schemas(schemas) == source


@pytest.mark.parametrize("version", ["2.0", "2", "10.1"])
def test_newer_major_versions(version: str) -> None:
    with pytest.raises(SchemaError) as caught:
        read_schemas({"provider_schemas": 0, "format_version": version})
    assert str(caught.value) == (
        f"format_version: unsupported version {version}: this version of tofutypes reads 1.x; "
        "upgrade tofutypes"
    )


def test_a_document_without_providers() -> None:
    assert read_schemas(NOTHING_ELSE) == {}
    assert write_schemas({}) == NOTHING_ELSE


def test_null_is_absence() -> None:
    source = document({"provider": None, "resource_schemas": None, "functions": {}})
    assert read_schemas(source) == {"example.org/a/b": ProviderSchema()}


def parts_of(provider: ProviderSchema) -> list[Any]:
    server = provider.resources["nimbus_server"]
    function = provider.functions["merge_tags"]
    identity = provider.identities["nimbus_server"]
    alias = provider.resources["nimbus_dns_record"].block.attributes["alias"]
    return [
        *(provider, server, server.block, alias, alias.nested_type),
        *server.block.block_types.values(),
        *(function, function.variadic_parameter, identity, *identity.attributes.values()),
    ]


def test_parts_come_back(nimbus: ProviderSchema) -> None:
    for part in parts_of(nimbus):
        written = write_part(part)
        assert read_part(type(part), written) == part
        assert read_part(type(part), json.dumps(written).encode()) == part


def test_parts_are_those_of_the_document(nimbus: ProviderSchema, nimbus_json: Any) -> None:
    provider = nimbus_json["provider_schemas"][ADDRESS]
    assert write_part(nimbus) == provider
    for name, schema in nimbus.resources.items():
        assert write_part(schema) == provider["resource_schemas"][name]


def test_a_parameter_may_have_no_name() -> None:
    parameter = Parameter("", STRING)
    assert read_part(Parameter, {"type": "string"}) == parameter
    assert write_part(parameter) == {"type": "string"}


def test_known_keys_are_not_replaced_by_unknown_ones() -> None:
    attribute = Attribute(STRING, optional=True, extra={"type": "number", "new": 1})
    assert write_part(attribute) == {
        "type": "string",
        "optional": True,
        "description_kind": "plain",
        "new": 1,
    }


def test_what_is_written_can_be_changed(nimbus_json: Any) -> None:
    nimbus_json["new"] = {"list": [1]}
    schemas = read_schemas(nimbus_json)
    first: Any = write_schemas(schemas)
    expected = copy.deepcopy(first)
    first["new"]["list"].append(2)
    first["provider_schemas"].clear()
    assert write_schemas(schemas) == expected


def test_the_format_version_of_schemas_made_by_hand() -> None:
    schemas = ProviderSchemas({"example.org/a/b": ProviderSchema()}, extra={"new": 1})
    assert write_schemas(schemas) == document({}) | {"new": 1}
