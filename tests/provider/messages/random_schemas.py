"""Strategies for hypothesis: schemas that the protocol can say, as documents have them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from hypothesis import strategies as st

from tests.strategies import names, object_types, type_constraints
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
    Schema,
    StringKind,
)

T = TypeVar("T")

TEXTS = st.none() | st.sampled_from(["Size, in GiB", "é\n`x`"])
KINDS = st.sampled_from(StringKind)
COUNTS = st.sampled_from([0, 1, 2**63 - 1])
FLAGS = st.booleans()
FUNCTION_KINDS = st.sampled_from([None, StringKind.MARKDOWN])


def named(parts: st.SearchStrategy[T]) -> st.SearchStrategy[dict[str, T]]:
    return st.dictionaries(names(), parts, max_size=2)


def said() -> dict[str, st.SearchStrategy[Any]]:
    return {
        "description": TEXTS,
        "description_kind": KINDS,
        "deprecated": FLAGS,
        "deprecation_message": TEXTS,
    }


def attributes(nested: bool, depth: int = 1) -> st.SearchStrategy[Attribute]:
    plain: dict[str, Any] = {"type": type_constraints() | object_types(), "nested_type": st.none()}
    ways = [plain]
    if nested and depth:
        nestings = st.sampled_from([each for each in NestingMode if each is not NestingMode.GROUP])
        inner = st.builds(
            NestedAttributeType,
            named(attributes(nested, depth - 1)),
            nestings,
            min_items=COUNTS,
            max_items=COUNTS,
        )
        ways.append({"type": st.none(), "nested_type": inner})
    flags = ("required", "optional", "computed", "sensitive", "write_only")
    rest = dict.fromkeys(flags, FLAGS) | said()
    return st.one_of(*(st.builds(Attribute, **way, **rest) for way in ways))


def blocks(nested: bool, depth: int = 1) -> st.SearchStrategy[Block]:
    inner: st.SearchStrategy[Any] = st.just({})
    if depth:
        inner = named(
            st.builds(
                NestedBlock,
                blocks(nested, depth - 1),
                st.sampled_from(NestingMode),
                min_items=COUNTS,
                max_items=COUNTS,
            )
        )
    return st.builds(Block, named(attributes(nested)), inner, **said())


def schemas(nested: bool) -> st.SearchStrategy[Schema]:
    return st.builds(Schema, blocks(nested), COUNTS)


def parameters() -> st.SearchStrategy[Parameter]:
    return st.builds(
        Parameter,
        names(),
        type_constraints(),
        allow_null_value=FLAGS,
        allow_unknown_values=FLAGS,
        description=TEXTS,
        description_kind=FUNCTION_KINDS,
    )


def functions() -> st.SearchStrategy[Function]:
    return st.builds(
        Function,
        type_constraints(),
        st.lists(parameters(), max_size=2).map(tuple),
        st.none() | parameters(),
        summary=TEXTS,
        description=TEXTS,
        description_kind=FUNCTION_KINDS,
        deprecation_message=TEXTS,
    )


def identities() -> st.SearchStrategy[IdentitySchema]:
    attribute = st.builds(
        IdentityAttribute,
        type_constraints(),
        required_for_import=FLAGS,
        optional_for_import=FLAGS,
        description=TEXTS,
    )
    return st.builds(IdentitySchema, named(attribute), COUNTS)


@st.composite
def provider_schemas(draw: Callable[..., Any], major: int) -> ProviderSchema:
    """All schemas of a provider that speaks this major of the protocol."""
    nested = major == 6
    actions = draw(named(schemas(nested)))
    return ProviderSchema(
        provider=draw(schemas(nested)),
        resources=draw(named(schemas(nested))),
        data_sources=draw(named(schemas(nested))),
        ephemeral_resources=draw(named(schemas(nested))),
        functions=draw(named(functions())),
        identities=draw(named(identities())),
        list_resources=draw(named(schemas(nested))),
        actions={
            name: replace(each, version=0, absent=frozenset({"version"}))
            for name, each in actions.items()
        },
        state_stores=draw(named(schemas(nested))) if nested else {},
    )
