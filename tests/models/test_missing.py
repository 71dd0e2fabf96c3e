"""Instances that pydantic was told to make without checking them."""

from __future__ import annotations

import pytest

from tofutypes import Attr, EncodeError, ListBlock, NestedBlock, Resource


class Rule(NestedBlock):
    port: Attr[int] = Attr(required=True)


class Server(Resource):
    from_: Attr[str] = Attr(name="from", required=True)
    rule: ListBlock[Rule] = ListBlock(default=())


def test_a_missing_attribute_is_an_error_that_names_it() -> None:
    with pytest.raises(EncodeError, match=r"^from: missing attribute or nested block$"):
        Server.model_construct().to_msgpack()


def test_inside_a_block_too() -> None:
    server = Server(from_="a", rule=[Rule.model_construct()])
    with pytest.raises(EncodeError, match=r"^rule\[0\].port: missing attribute or nested block"):
        server.to_json()
