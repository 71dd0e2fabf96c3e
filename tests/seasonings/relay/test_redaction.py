"""Secrets out of values, wherever they nest."""

from typing import Any

import msgpack
import pytest

from tofutypes import Unknown, decode_msgpack, encode_msgpack, parse_type
from tofutypes.errors import Path
from tofutypes.schema import (
    Attribute,
    Block,
    NestedAttributeType,
    NestedBlock,
    NestingMode,
    implied_type,
)
from tofutypes.seasonings.bridges.relay.redaction import UNKNOWN_FORM, Redaction
from tofutypes.seasonings.bridges.relay.schemas import typed_path
from tofutypes.seasonings.protocol.paths import to_path

STRING = parse_type('"string"')
SECRET = Attribute(STRING, optional=True, sensitive=True)
PLAIN = Attribute(STRING, optional=True)
INNER = Block({"secret": SECRET, "plain": PLAIN})
NESTED = {"secret": SECRET, "plain": PLAIN}

BLOCK = Block(
    {
        "secret": SECRET,
        "plain": PLAIN,
        "once": Attribute(STRING, optional=True, write_only=True),
        "map": Attribute(parse_type('["map","string"]'), optional=True),
        "any": Attribute(parse_type('"dynamic"'), optional=True),
        "secrets": Attribute(parse_type('["list","string"]'), optional=True, sensitive=True),
        "objects": Attribute(None, NestedAttributeType(NESTED, NestingMode.LIST), optional=True),
        "object": Attribute(None, NestedAttributeType(NESTED, NestingMode.SINGLE), optional=True),
    },
    {
        "one": NestedBlock(INNER, NestingMode.SINGLE),
        "list": NestedBlock(INNER, NestingMode.LIST),
        "set": NestedBlock(INNER, NestingMode.SET),
        "maps": NestedBlock(INNER, NestingMode.MAP),
    },
)
TYPE = implied_type(BLOCK)
EMPTY: dict[str, Any] = {
    **dict.fromkeys(BLOCK.attributes),
    "one": None,
    "list": [],
    "set": [],
    "maps": {},
}


def redact(redaction: Redaction, **values: Any) -> tuple[dict[str, Any], list[Any]]:
    form = msgpack.unpackb(encode_msgpack({**EMPTY, **values}, TYPE))
    redacted, paths = redaction.redact(form, BLOCK, TYPE)
    decode_msgpack(msgpack.packb(redacted), TYPE)  # is still a value of the type
    assert isinstance(redacted, dict)
    return redacted, paths


PAIR = {"secret": "s3cret", "plain": "p"}
HIDDEN = {"secret": UNKNOWN_FORM, "plain": "p"}


@pytest.mark.parametrize(
    ("name", "value", "result", "path"),
    [
        ("secret", "s3cret", UNKNOWN_FORM, ["secret"]),
        ("once", "s3cret", UNKNOWN_FORM, ["once"]),
        ("secrets", ["s3cret"], UNKNOWN_FORM, ["secrets"]),
        ("object", PAIR, HIDDEN, ["object", "secret"]),
        ("objects", [PAIR], [HIDDEN], ["objects", 0, "secret"]),
        ("one", PAIR, HIDDEN, ["one", "secret"]),
        ("list", [PAIR], [HIDDEN], ["list", 0, "secret"]),
        ("set", [PAIR], [HIDDEN], ["set", 0, "secret"]),
        ("maps", {"k": PAIR}, {"k": HIDDEN}, ["maps", "k", "secret"]),
    ],
)
def test_sensitive_values(name: str, value: Any, result: Any, path: list[Any]) -> None:
    redacted, paths = redact(Redaction(), **{name: value})
    assert redacted[name] == result
    assert paths == [path]


def test_null_is_no_secret() -> None:
    redacted, paths = redact(Redaction())
    assert redacted == EMPTY
    assert paths == []


def test_refinements_of_secrets_go() -> None:
    redacted, _ = redact(Redaction(), secret=Unknown(prefix="s3c"))
    assert redacted["secret"] == UNKNOWN_FORM


@pytest.mark.parametrize(
    ("name", "value", "path"),
    [
        ("plain", "s3cret", ["plain"]),
        ("map", {"k": "s3cret", "other": "x"}, ["map", "k"]),
        ("map", {"s3cret": "x"}, ["map"]),
        ("any", "s3cret", ["any"]),
        ("any", ["s3cret", "x"], ["any", 0]),
        ("list", [{"secret": None, "plain": "s3cret"}], ["list", 0, "plain"]),
    ],
)
def test_strings_that_equal_a_secret(name: str, value: Any, path: list[Any]) -> None:
    redaction = Redaction()
    redact(redaction, secret="s3cret")
    redacted, paths = redact(redaction, **{name: value})
    assert paths == [path]
    assert "s3cret" not in repr(redacted)


def test_the_providers_own_secrets_are_learned() -> None:
    redaction = Redaction()
    redaction.learn({"secret": "s3cret"}, INNER)
    assert redact(redaction, plain="s3cret")[1] == [["plain"]]


@pytest.mark.parametrize(
    ("path", "printed"),
    [
        ("plain", "plain"),
        ("map.key", 'map["key"]'),
        (["map", "a.b"], 'map["a.b"]'),
        ("list[0].plain", "list[0].plain"),
        ("set[0].plain", "set"),
        ("nowhere.plain", ""),
        ("list.plain", "list"),
        ("plain.x", "plain"),
    ],
)
def test_typed_paths(path: Any, printed: str) -> None:
    typed = typed_path(to_path(path), TYPE)
    assert isinstance(typed, Path)
    assert str(typed) == printed
