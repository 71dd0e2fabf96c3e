"""Canaries: a secret in every place of a value, and every way in which it could be told."""

from __future__ import annotations

import copy
import json
import logging
import traceback
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import msgpack
import pydantic
import pytest

from tofutypes import (
    AnyDynamic,
    AnyList,
    AnyMap,
    AnyNumber,
    Attr,
    Dynamic,
    ListBlock,
    MapBlock,
    NestedBlock,
    NestedObject,
    Nullable,
    Number,
    Resource,
    TofuTypesError,
    Unknown,
    decode_json,
    decode_msgpack,
    encode_json,
    encode_msgpack,
    parse_type,
)

CANARY = "c4n4ry"
KEY = "k3y-c4n4ry"


class Inner(NestedObject):
    user: Attr[str] = Attr(required=True)
    password: Attr[str | None] = Attr(optional=True, sensitive=True, default=None)


class Part(NestedBlock):
    name: Attr[str | None] = Attr(optional=True, default=None)
    keys: Attr[dict[str, Nullable[Number]] | None, AnyMap[AnyNumber] | None] = Attr(
        optional=True, sensitive=True, default=None
    )


class Vault(Resource, type_name="vault"):
    text: Attr[str | None] = Attr(optional=True, sensitive=True, default=None)
    number: Attr[Number | None, AnyNumber | None] = Attr(
        optional=True, sensitive=True, default=None
    )
    once: Attr[str | None] = Attr(optional=True, write_only=True, default=None)
    words: Attr[list[Nullable[str]] | None, AnyList[str] | None] = Attr(
        optional=True, sensitive=True, default=None
    )
    keys: Attr[dict[str, Nullable[str]] | None, AnyMap[str] | None] = Attr(
        optional=True, sensitive=True, default=None
    )
    anything: Attr[Dynamic | None, AnyDynamic | None] = Attr(
        optional=True, sensitive=True, default=None
    )
    inner: Attr[Inner | None] = Attr(optional=True, sensitive=True, default=None)
    inners: Attr[dict[str, Nullable[Inner]] | None, Mapping[str, Nullable[Inner]] | None] = Attr(
        optional=True, sensitive=True, default=None
    )
    plain: Attr[str | None] = Attr(optional=True, default=None)
    part: ListBlock[Part] = ListBlock(default=())
    named: MapBlock[Part] = MapBlock(default={})


SECRETS: dict[str, Any] = {
    "text": CANARY,
    "once": CANARY,
    "words": [CANARY],
    "keys": {KEY: CANARY},
    "anything": {KEY: [CANARY]},
    "inner": {"user": CANARY, "password": CANARY},
    "inners": {KEY: {"user": CANARY}},
    "part": [{"keys": {KEY: 1}}],
}

# Each is wrong, and holds a canary: in a sensitive place, where keys are secret too, or in another.
WRONG: dict[str, dict[str, Any]] = {
    "text": {"text": [CANARY]},
    "number": {"number": CANARY},
    "once": {"once": [CANARY]},
    "words": {"words": [[CANARY]]},
    "words by key": {"words": {KEY: CANARY}},
    "keys": {"keys": {KEY: [CANARY]}},
    "half a key": {"keys": {KEY + "\ud800": CANARY}},
    "dynamic": {"anything": {KEY: {KEY: (CANARY, object())}}},
    "inner": {"inner": {"user": [CANARY]}},
    "inner, a name too many": {"inner": {KEY: CANARY}},
    "inners": {"inners": {KEY: {"user": [CANARY], KEY: 1}}},
    "in a block": {"part": [{"keys": {KEY: CANARY}}]},
    "in a block by name": {"named": {"n": {"keys": {KEY: CANARY}}}},
    "plain": {"plain": [CANARY]},
    "plain, in a block": {"part": [{"name": [CANARY]}]},
    "plain, beside secrets": {"plain": 3, **SECRETS},
    "refined": {"number": Unknown(prefix=CANARY)},
    "refined, plain": {"part": Unknown(prefix=CANARY)},
    "nested without end": {"anything": (loop := {KEY: [CANARY]}, loop[KEY].append(loop))[0]},  # type: ignore[func-returns-value, arg-type]
}


def told(error: BaseException) -> Iterator[str]:
    """Everything that an error, and what it comes from, can be made to say."""
    yield from (str(error), repr(error), *map(repr, error.args))
    yield "".join(line for line in traceback.format_exception(error) if "  File " not in line)
    if isinstance(error, pydantic.ValidationError):
        yield from (error.json(), error.title, repr(error.errors()))
    path, message = getattr(error, "path", ""), getattr(error, "message", "")
    yield from (str(path), repr(path), str(message))


def errors_of(*uses: Callable[[], object]) -> Iterator[TofuTypesError]:
    for use in uses:
        try:
            use()
        except TofuTypesError as error:
            yield error


def plain(value: Any) -> Any:
    return CANARY if type(value) is object else str(value)


@pytest.mark.parametrize("what", WRONG)
def test_in_no_error_of_a_model(what: str) -> None:
    wrong = WRONG[what]
    behind = Vault.model_construct(**wrong)
    good = Vault()
    uses: list[Callable[[], object]] = [
        lambda: Vault(**wrong),
        lambda: Vault.model_validate(wrong),
        *(partial(setattr, good, name, value) for name, value in wrong.items()),
        behind.to_msgpack,
        behind.to_json,
    ]
    errors = list(errors_of(*uses))
    assert len(errors) >= 3
    for error in errors:
        for text in told(error):
            assert CANARY not in text


NOT_ON_THE_WIRE = ("refined", "refined, plain", "nested without end")


@pytest.mark.parametrize("what", [what for what in WRONG if what not in NOT_ON_THE_WIRE])
def test_in_no_error_of_decoding(what: str) -> None:
    wrong = WRONG[what]
    values: dict[str, Any] = {**dict.fromkeys(Vault.model_fields), "part": [], "named": {}} | wrong
    wire = msgpack.packb(values, default=plain, unicode_errors="surrogatepass")
    text = json.dumps(values, default=plain)
    errors = list(errors_of(lambda: Vault.from_msgpack(wire), lambda: Vault.from_json(text)))
    assert errors
    for error in errors:
        for said in told(error):
            assert CANARY not in said


def test_errors_still_say_where() -> None:
    [error] = errors_of(lambda: Vault.model_validate(WRONG["in a block"]))
    assert str(error) == "part[0].keys: expected a number, got a string"
    [error] = errors_of(lambda: Vault.model_validate(WRONG["inners"]))
    assert str(error) == (
        "2 values do not fit Vault:\n"
        "inners: expected a string, got a list\n"
        "inners: unknown attribute or nested block"
    )


def test_in_no_repr_and_no_log(caplog: pytest.LogCaptureFixture) -> None:
    vault = Vault.model_validate(SECRETS)
    decoded = Vault.from_msgpack(vault.to_msgpack())
    for each in (vault, decoded, copy.deepcopy(vault), vault.model_copy()):
        for text in (repr(each), str(each), f"{each}", repr([each]), repr({"v": each.part})):
            assert CANARY not in text
        logging.getLogger(__name__).warning("%s %r", each, each)
    assert CANARY not in caplog.text
    assert "(sensitive)" in caplog.text
    assert CANARY not in json.dumps(Vault.model_json_schema())


@pytest.mark.parametrize("format_", ["msgpack", "json"])
@pytest.mark.parametrize(
    ("type_", "value"),
    [
        ('"number"', CANARY),
        ('"bool"', CANARY),
        ('["list","number"]', [CANARY]),
        ('["set",["list","string"]]', [CANARY]),
        ('["tuple",["string","bool"]]', [CANARY, CANARY]),
        ('["object",{"a":"number"}]', {"a": CANARY}),
        ('"dynamic"', CANARY),
        ('"dynamic"', [CANARY.encode(), CANARY]),
        ('"dynamic"', {"type": CANARY, "value": CANARY}),
        ('"dynamic"', {"type": ["object", {CANARY: CANARY}], "value": CANARY}),
        ('"dynamic"', [json.dumps(["object", {"a": CANARY}]).encode(), CANARY]),
        ('["list","dynamic"]', [[b'"number"', CANARY]]),
        ('"number"', msgpack.ExtType(12, b"\x81\x02\xa6" + CANARY.encode())),
        ('"string"', msgpack.ExtType(12, b"\x81\x01\xa6" + CANARY.encode())),
        ('"number"', msgpack.ExtType(12, b"\x81\x03\x92\xa6" + CANARY.encode() + b"\xc3")),
    ],
)
def test_in_no_error_by_type(type_: str, value: Any, format_: str) -> None:
    constraint = parse_type(type_)
    uses: list[Callable[[], object]] = [
        lambda: encode_msgpack(value, constraint),
        lambda: encode_json(value, constraint),
    ]
    if format_ == "msgpack":
        data = msgpack.packb(value)
        uses += [lambda: decode_msgpack(data, constraint)]
        uses += [lambda: decode_msgpack(data[:-1], constraint)]
        uses += [lambda: decode_msgpack(data + data, constraint)]
    else:
        text = json.dumps(value, default=repr)
        uses += [lambda: decode_json(text, constraint)]
        uses += [lambda: decode_json(text[:-1], constraint)]
        uses += [lambda: decode_json(text + text, constraint)]
    errors = list(errors_of(*uses))
    assert len(errors) >= 3
    for error in errors:
        for said in told(error):
            assert CANARY not in said
