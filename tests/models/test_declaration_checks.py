"""Declarations that contradict themselves, and class keywords that do not exist."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tofutypes import (
    Attr,
    GroupBlock,
    ListBlock,
    MapBlock,
    NestedBlock,
    NestedObject,
    Object,
    Resource,
    SchemaError,
    SingleBlock,
    Unknown,
    build_model,
    schema_of,
)
from tofutypes.schema import Attribute, Block, Schema
from tofutypes.types import STRING


class Part(NestedBlock):
    size: Attr[int] = Attr(required=True)


def required_with_default() -> None:
    class Bad(Resource):
        name: Attr[str | None] = Attr(required=True, default=None)


def null_that_is_not_allowed() -> None:
    class Bad(Resource):
        name: Attr[str] = Attr(optional=True, default=None)


def block_that_is_never_null() -> None:
    class Bad(Resource):
        name: SingleBlock[Part] = SingleBlock(default=None)


def no_block_where_one_is_required() -> None:
    class Bad(Resource):
        name: ListBlock[Part] = ListBlock(min_items=1, default=())


NULL = "the default is None, but the type is not nullable; add `| None` to the type, or remove the"
REFUSED: dict[Callable[[], None], str] = {
    required_with_default: "a required attribute has no default; remove `default` or `required`",
    null_that_is_not_allowed: f"{NULL} default",
    block_that_is_never_null: f"{NULL} default",
    no_block_where_one_is_required: "expected at least 1 by `min_items`, but the default has none; "
    "remove the default",
}


@pytest.mark.parametrize("declare", REFUSED, ids=lambda declare: declare.__name__)
def test_contradictions(declare: Callable[[], None]) -> None:
    with pytest.raises(SchemaError) as raised:
        declare()
    assert str(raised.value) == f"Bad.name: {REFUSED[declare]}"


def test_declarations_that_agree() -> None:
    class Good(Resource):
        name: Attr[str] = Attr(required=True)
        note: Attr[str | None] = Attr(optional=True, default=None)
        group: GroupBlock[Part] = GroupBlock(default=None)
        parts: MapBlock[Part] = MapBlock(default={})
        later: Later | None = None
        zone: Attr[str | Unknown | None] = Attr(computed=True, default=None)

    class Later(Object):
        x: Attr[str | None]

    assert Good.model_fields["note"].default is None


@pytest.mark.parametrize(
    ("base", "keyword", "hint"),
    [
        (Resource, "typename", '; did you mean "type_name"?'),
        (NestedBlock, "deprecate", '; did you mean "deprecated"?'),
        (NestedObject, "version", ""),
        (Object, "frozen_", ""),
    ],
)
def test_unknown_class_keywords(base: Any, keyword: str, hint: str) -> None:
    with pytest.raises(SchemaError) as raised:
        type(base)("Bad", (base,), {"__module__": __name__}, **{keyword: "x"})
    assert str(raised.value) == f'Bad: unknown class keyword "{keyword}"{hint}'


def test_deprecated_attributes_are_attributes() -> None:
    attribute = Attribute(STRING, optional=True, deprecated=True, deprecation_message="No.")
    schema = Schema(Block({"old": attribute}, deprecated=True))
    assert schema_of(build_model(schema, name="cloud_thing")) == schema
