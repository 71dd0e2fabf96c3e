from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.message import DecodeError as MessageError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.provider.messages.random_schemas import provider_schemas
from tofutypes.errors import SchemaError
from tofutypes.provider.messages.protocol import protocol_of
from tofutypes.provider.messages.schemas import (
    functions_to_message,
    identities_to_message,
    provider_schema_of_message,
    provider_schema_to_message,
)
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6
from tofutypes.schema import (
    Attribute,
    Block,
    Function,
    NestedAttributeType,
    NestedBlock,
    NestingMode,
    Parameter,
    ProviderSchema,
    Schema,
    StringKind,
    read_schemas,
    write_part,
    write_schemas,
)
from tofutypes.types import DYNAMIC, NUMBER, STRING

NIMBUS = Path(__file__).parents[3] / "examples" / "nimbus" / "schema.json"

BlockMessage = tfplugin6.Schema.Block
AttributeMessage = tfplugin6.Schema.Attribute
NestedMessage = tfplugin6.Schema.NestedBlock


def sent(schema: ProviderSchema, major: int) -> ProviderSchema:
    """What arrives of a schema."""
    message = provider_schema_to_message(schema, protocol_of(major))
    identities = identities_to_message(schema.identities)
    response = protocol_of(major).calls["GetProviderSchema"].response
    arrived: Any = response.FromString(message.SerializeToString())
    return provider_schema_of_message(
        arrived, type(identities).FromString(identities.SerializeToString())
    )


@pytest.mark.parametrize("major", [5, 6])
@given(data=st.data())
@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_schemas_arrive(major: int, data: st.DataObject) -> None:
    schema = data.draw(provider_schemas(major))
    arrived = sent(schema, major)
    assert arrived == schema
    assert write_part(arrived) == write_part(schema)


@pytest.mark.parametrize("major", [5, 6])
def test_the_schema_of_the_example_arrives(major: int) -> None:
    (schema,) = read_schemas(NIMBUS).values()
    if major == 5:
        with pytest.raises(SchemaError, match="nested_type: protocol 5 has no nested types"):
            sent(schema, major)
    else:
        assert sent(schema, major) == schema


@pytest.mark.parametrize(
    ("file", "majors"),
    [
        ("builtin-null-lxd.json", [5, 6]),
        ("cloudflare.json.gz", [6]),
        ("google.json.gz", [5, 6]),
        ("aws.json.gz", [5]),
    ],
)
def test_real_schemas_arrive(file: str, majors: list[int], shared: Path) -> None:
    document = read_schemas(shared / "schemas" / file)
    document.pop("terraform.io/builtin/terraform", None)  # no provider speaks for it
    for major in majors:
        assert {address: sent(each, major) for address, each in document.items()} == document


def test_the_order_is_that_of_documents() -> None:
    message = tfplugin6.GetProviderSchema.Response(provider=tfplugin6.Schema(block=BlockMessage()))
    for name in "cab":
        message.provider.block.attributes.add(name=name, type=b'"string"')
        message.resource_schemas[name].block.SetInParent()
        message.provider.block.block_types.add(type_name=name, block=BlockMessage(), nesting=1)
    schema = provider_schema_of_message(message)
    assert schema.provider is not None
    block = schema.provider.block
    assert [*map("".join, (block.attributes, block.block_types, schema.resources))] == ["abc"] * 3


def test_what_is_alike_is_shared() -> None:
    message = tfplugin6.GetProviderSchema.Response(provider=tfplugin6.Schema(block=BlockMessage()))
    for name in "ab":
        message.resource_schemas[name].block.attributes.add(name="id", type=b'["list","string"]')
    found = provider_schema_of_message(message).resources
    assert found["a"].block is found["b"].block


def test_a_provider_without_a_configuration() -> None:
    assert sent(ProviderSchema(), 6) == ProviderSchema(provider=Schema(Block()))


def test_the_version_of_a_block_counts_nowhere() -> None:
    message = tfplugin6.GetProviderSchema.Response(
        provider=tfplugin6.Schema(version=3, block=BlockMessage(version=7))
    )
    assert provider_schema_of_message(message).provider == Schema(Block(), 3)


def test_actions_have_no_version_in_documents() -> None:
    message = tfplugin6.GetProviderSchema.Response(provider=tfplugin6.Schema(block=BlockMessage()))
    message.action_schemas["a"].schema.CopyFrom(tfplugin6.Schema(version=2, block=BlockMessage()))
    assert provider_schema_of_message(message).actions == {
        "a": Schema(Block(), absent=frozenset({"version"}))
    }


def test_functions_alone() -> None:
    function = Function(STRING, (Parameter("of", DYNAMIC),), summary="Text")
    message = functions_to_message({"text": function})
    assert getattr(message.functions["text"], "return").type == b'"string"'
    assert message.functions["text"].parameters[0].type == b'"dynamic"'


NESTED = Attribute(nested_type=NestedAttributeType({"a": Attribute(NUMBER, optional=True)}))
GROUP = Attribute(nested_type=NestedAttributeType({}, NestingMode.GROUP))
IN_BLOCK = Block(block_types={"disk": NestedBlock(Block({"size": NESTED}), NestingMode.LIST)})


@pytest.mark.parametrize(
    ("major", "schema", "message"),
    [
        (
            5,
            ProviderSchema(provider=Schema(Block({"size": NESTED}))),
            "provider.block.attributes.size.nested_type: protocol 5 has no nested types; use "
            "nested blocks, or protocol 6",
        ),
        (
            5,
            ProviderSchema(resources={"cloud": Schema(IN_BLOCK)}),
            "resource_schemas.cloud.block.block_types.disk.block.attributes.size.nested_type: "
            "protocol 5 has no nested types; use nested blocks, or protocol 6",
        ),
        (
            6,
            ProviderSchema(data_sources={"cloud": Schema(Block({"size": GROUP}))}),
            "data_source_schemas.cloud.block.attributes.size.nested_type: a nested type cannot be "
            "a group",
        ),
        (
            5,
            ProviderSchema(state_stores={"s": Schema(Block())}),
            "state_store_schemas: not supported in protocol 5; use protocol 6",
        ),
    ],
)
def test_what_the_protocol_cannot_say(major: int, schema: ProviderSchema, message: str) -> None:
    with pytest.raises(SchemaError) as refused:
        provider_schema_to_message(schema, protocol_of(major))
    assert str(refused.value) == message


@pytest.mark.parametrize(("levels", "fits"), [(45, True), (60, False), (400, False)])
def test_depth(levels: int, fits: bool) -> None:
    block = Block()
    for _ in range(levels):
        block = Block(block_types={"b": NestedBlock(block, NestingMode.LIST)})
    provider = ProviderSchema(provider=Schema(block))
    if fits:
        assert sent(provider, 6) == provider
    else:
        with pytest.raises(SchemaError, match="blocks are nested too deeply"):
            sent(provider, 6)


def attribute(**said: Any) -> BlockMessage:
    return BlockMessage(attributes=[AttributeMessage(name="a", **said)])


def nested(**said: Any) -> BlockMessage:
    return BlockMessage(block_types=[NestedMessage(type_name="b", **said)])


def schema(block: BlockMessage) -> Callable[[Any], None]:
    return lambda message: message.resource_schemas["r"].block.CopyFrom(block)


def change(way: str, **said: Any) -> Callable[[Any], None]:
    """Set fields of a message somewhere inside."""

    def do(message: Any) -> None:
        for step in way.split("."):
            at, _, key = step.partition("/")
            message = getattr(message, at)
            message = message[key] if key else message
        for name, value in said.items():
            setattr(message, name, value)

    return do


def second(message: Any) -> None:
    for _ in range(2):
        message.functions["f"].parameters.add(type=b'"string"')
    message.functions["f"].parameters[1].type = b"?"
    getattr(message.functions["f"], "return").type = b'"string"'


def variadic(message: Any) -> None:
    message.functions["f"].variadic_parameter.SetInParent()
    getattr(message.functions["f"], "return").type = b'"string"'


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda message: message.ClearField("provider"), "provider: missing schema"),
        (change("provider", version=-1), "provider.version: expected a number"),
        (lambda message: message.provider.ClearField("block"), "provider: missing block"),
        (change("resource_schemas/r", version=1), "resource_schemas.r: missing block"),
        (change("data_source_schemas/r", version=1), "data_source_schemas.r: missing block"),
        (
            change("ephemeral_resource_schemas/r", version=1),
            "ephemeral_resource_schemas.r: missing b",
        ),
        (change("list_resource_schemas/r", version=1), "list_resource_schemas.r: missing block"),
        (change("action_schemas/r.schema", version=1), "action_schemas.r: missing block"),
        (schema(attribute()), "block.attributes.a.type: missing type constraint"),
        (schema(attribute(type=b"{")), "resource_schemas.r.block.attributes.a.type: invalid JSON"),
        (schema(attribute(type=b"\xff")), "block.attributes.a.type: invalid JSON"),
        (schema(attribute(type=b'["list"]')), "attributes.a.type: "),
        (schema(attribute(type=b"[" * 99999)), "r.block.attributes.a.type: "),
        (
            schema(attribute(type=b'["object",{"x":"text"}]')),
            r"resource_schemas.r.block.attributes.a.type\[1\].x: ",
        ),
        (
            schema(BlockMessage(attributes=[AttributeMessage(name="a", type=b'"bool"')] * 2)),
            "resource_schemas.r.block.attributes.a: the name occurs twice",
        ),
        (
            schema(
                BlockMessage(
                    attributes=[
                        AttributeMessage(name=each, type=b'"bool"') for each in ("é", "e\u0301")
                    ]
                )
            ),
            'resource_schemas.r.block.attributes: duplicate name "é" after Unicode',
        ),
        (schema(nested(nesting=1)), "resource_schemas.r.block.block_types.b: missing block"),
        (
            schema(nested(block=BlockMessage())),
            "r.block.block_types.b.nesting_mode: expected a nesting mode from 1 to 5, got 0",
        ),
        (schema(nested(block=BlockMessage(), nesting=77)), "b.nesting_mode: .* got 77"),
        (
            schema(nested(block=BlockMessage(), nesting=2, min_items=-1)),
            "block_types.b.min_items: expected a number that is not negative",
        ),
        (
            schema(nested(block=BlockMessage(), nesting=2, max_items=-(2**63))),
            "block_types.b.max_items: expected a number that is not negative",
        ),
        (
            schema(attribute(nested_type=tfplugin6.Schema.Object())),
            "attributes.a.nested_type.nesting_mode: expected a nesting mode from 1 to 5, got 0",
        ),
        (change("functions/f", summary="x"), "functions.f.return_type: missing type"),
        (second, r"functions.f.parameters\[1\].type: "),
        (variadic, "functions.f.variadic_parameter.type: missing type constraint"),
    ],
)
def test_hostile_messages(spoil: Callable[[Any], object], problem: str) -> None:
    message = tfplugin6.GetProviderSchema.Response()
    message.provider.block.SetInParent()
    spoil(message)
    with pytest.raises(SchemaError, match=problem) as refused:
        provider_schema_of_message(message)
    assert "\n" not in str(refused.value)


def test_hostile_identities() -> None:
    identities = tfplugin6.GetResourceIdentitySchemas.Response()
    identities.identity_schemas["r"].identity_attributes.add(name="id")
    message = tfplugin6.GetProviderSchema.Response()
    message.provider.block.SetInParent()
    with pytest.raises(SchemaError, match=r"resource_identity_schemas\.r\.attributes\.id\.type"):
        provider_schema_of_message(message, identities)


@given(data=st.data())
@settings(max_examples=200)
def test_damaged_messages(data: st.DataObject) -> None:
    """A message with bytes changed is read, or refused; nothing else happens."""
    (example,) = read_schemas(NIMBUS).values()
    whole = bytearray(provider_schema_to_message(example, protocol_of(6)).SerializeToString())
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    try:
        message = tfplugin6.GetProviderSchema.Response.FromString(bytes(whole))
    except MessageError:
        return
    with suppress(SchemaError):
        write_schemas({"a": provider_schema_of_message(message)})


def test_kinds_of_descriptions_that_are_none_are_plain() -> None:
    message = tfplugin6.GetProviderSchema.Response()
    message.provider.block.description_kind = 9  # type: ignore[assignment]
    found = provider_schema_of_message(message).provider
    assert found is not None
    assert found.block.description_kind is StringKind.PLAIN
