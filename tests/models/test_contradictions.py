"""What an annotation and the keywords of a field say together."""

from __future__ import annotations

import pytest

from tofutypes import Attr, ListBlock, NestedBlock, Resource, SchemaError, SingleBlock, schema_of


def test_what_may_be_left_out_may_be_null() -> None:
    class Inner(NestedBlock):
        size: Attr[int] = Attr(optional=True)

    class Outer(Resource, type_name="outer"):
        inner: ListBlock[Inner] = ListBlock(default=())

    class Given(Resource, type_name="given"):
        id: Attr[str] = Attr(computed=True)

    message = "an optional or computed attribute may be null; add `\\| None` to its type$"
    with pytest.raises(SchemaError, match=f"^Outer.inner: Inner.size: {message}"):
        schema_of(Outer)
    with pytest.raises(SchemaError, match=f"^Given.id: {message}"):
        schema_of(Given)


def test_a_single_block_that_cannot_be_null_must_be_there() -> None:
    class Part(NestedBlock):
        size: Attr[int] = Attr(required=True)

    class Whole(Resource, type_name="whole"):
        must: SingleBlock[Part] = SingleBlock()
        may: SingleBlock[Part | None] = SingleBlock(default=None)

    blocks = schema_of(Whole).block.block_types
    counts = {name: (block.min_items, block.max_items) for name, block in blocks.items()}
    assert counts == {"must": (1, 1), "may": (0, 0)}
