"""Provider configurations of several parts: equal, or what differs."""

from __future__ import annotations

import pytest

from tests.provider.mux.fakes import CAPABLE, Fake, joined
from tofutypes.provider import ProviderError
from tofutypes.provider.mux.service import MuxService
from tofutypes.provider.service import responses
from tofutypes.schema import (
    Attribute,
    Block,
    NestedAttributeType,
    NestedBlock,
    NestingMode,
    ProviderSchema,
    Schema,
)
from tofutypes.types import NUMBER, STRING, ListType

REGION = Attribute(STRING, optional=True)
INNER = Block({"a": REGION})


def nested(*, nesting: NestingMode = NestingMode.LIST, **attributes: Attribute) -> Attribute:
    return Attribute(nested_type=NestedAttributeType(attributes, nesting), optional=True)


def fake(block: Block | None) -> Fake:
    schema = None if block is None else Schema(block)
    answer = responses.ProviderSchemaResponse(ProviderSchema(provider=schema), CAPABLE)
    return Fake(answers={"get_provider_schema": answer})


@pytest.mark.parametrize(
    ("block", "other"),
    [
        (Block(), Block()),
        (Block(), None),
        (
            Block({"a": REGION, "b": REGION}, description="One", deprecated=True),
            Block(
                {"b": Attribute(STRING, optional=True, description="Two"), "a": REGION},
                deprecation_message="Three",
            ),
        ),
        (
            Block(block_types={"b": NestedBlock(INNER, NestingMode.LIST, max_items=1)}),
            Block(block_types={"b": NestedBlock(INNER, NestingMode.LIST, min_items=1)}),
        ),
        (Block({"n": nested(a=REGION)}), Block({"n": nested(a=REGION)})),
    ],
)
def test_configurations_that_are_equal(block: Block, other: Block | None) -> None:
    merged = joined(fake(block), fake(other)).get_provider_schema().schema
    assert merged is not None
    assert merged.provider == Schema(block)


@pytest.mark.parametrize(
    ("block", "other", "fault"),
    [
        (Block({"a": REGION}), Block(), "a: in A alone"),
        (Block(), Block({"a": REGION}), "a: in B alone"),
        (None, Block({"a": REGION}), "a: in B alone"),
        (
            Block({"a": REGION}),
            Block({"a": Attribute(ListType(NUMBER), optional=True)}),
            'a: the type differs: "string" in A, ["list","number"] in B',
        ),
        (
            Block({"a": REGION}),
            Block({"a": nested(b=REGION)}),
            'a: the type differs: "string" in A, nested list in B',
        ),
        (
            Block({"a": nested(b=REGION)}),
            Block({"a": nested(b=REGION, nesting=NestingMode.SET)}),
            "a: the type differs: nested list in A, nested set in B",
        ),
        (
            Block({"a": nested(b=REGION)}),
            Block({"a": nested(c=REGION)}),
            "a.b: in A alone\nprovider configuration: a.c: in B alone",
        ),
        (
            Block({"a": REGION}),
            Block({"a": Attribute(STRING, required=True, sensitive=True)}),
            "a: required in B alone\nprovider configuration: a: optional in A alone\n"
            "provider configuration: a: sensitive in B alone",
        ),
        (
            Block({"a": REGION}),
            Block({"a": Attribute(STRING, optional=True, computed=True, write_only=True)}),
            "a: computed in B alone\nprovider configuration: a: write_only in B alone",
        ),
        (
            Block(block_types={"b": NestedBlock(INNER, NestingMode.LIST)}),
            Block(),
            "b: in A alone",
        ),
        (
            Block(block_types={"b": NestedBlock(INNER, NestingMode.LIST)}),
            Block(block_types={"b": NestedBlock(INNER, NestingMode.SET)}),
            "b: the nesting mode differs: list in A, set in B",
        ),
        (
            Block(block_types={"b": NestedBlock(INNER, NestingMode.LIST)}),
            Block(block_types={"b": NestedBlock(Block(), NestingMode.LIST)}),
            "b.a: in A alone",
        ),
    ],
)
def test_configurations_that_differ(block: Block | None, other: Block, fault: str) -> None:
    with pytest.raises(ProviderError) as caught:
        joined(fake(block), fake(other)).get_provider_schema()
    assert str(caught.value) == (
        f"error: The parts of the provider do not fit together: provider configuration: {fault}"
    )


def test_a_part_without_a_configuration() -> None:
    """It stands beside parts that have one."""
    parts = [fake(Block()).part("A", takes_config=False), fake(INNER).part("B")]
    merged = MuxService(parts).service.get_provider_schema().schema
    assert merged is not None
    assert merged.provider == Schema(INNER)
    alone = MuxService(parts[:1]).service.get_provider_schema().schema
    assert alone is not None
    assert alone.provider == Schema(Block())


def saying(meta: Block | None) -> Fake:
    schema = ProviderSchema(provider_meta=None if meta is None else Schema(meta))
    answer = responses.ProviderSchemaResponse(schema, CAPABLE)
    return Fake(answers={"get_provider_schema": answer})


@pytest.mark.parametrize("other", [Block({"a": REGION}), None])
def test_what_modules_may_tell_the_parts(other: Block | None) -> None:
    merged = joined(saying(other), saying(Block({"a": REGION}))).get_provider_schema().schema
    assert merged is not None
    assert merged.provider_meta == Schema(Block({"a": REGION}))


def test_parts_that_modules_tell_different_things() -> None:
    parts = joined(saying(Block({"a": REGION})), saying(Block()))
    with pytest.raises(ProviderError, match="provider_meta: a: in A alone"):
        parts.get_provider_schema()
