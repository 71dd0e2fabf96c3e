"""Functions of providers: declared as functions of Python, called with bytes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from decimal import Decimal
from typing import Annotated, Any

import pytest

from tests.golden.nimbus.nimbus.functions import merge_tags, monthly_price, parse_id, tag_text
from tests.models.samples import Point
from tofutypes import (
    UNKNOWN,
    DecodeError,
    Dynamic,
    EncodeError,
    Nullable,
    Number,
    Parameter,
    ProviderFunction,
    SchemaError,
    StringKind,
    Unknown,
    function,
    parse_type,
    schema_of,
)
from tofutypes.schema import Function
from tofutypes.schema import Parameter as ParameterSchema
from tofutypes.types import DYNAMIC, NUMBER, STRING

EXTRA = {"future": 1}


@function(
    name="from",
    summary="Sums up.",
    deprecation_message="Don't.",
    description_kind=StringKind.MARKDOWN,
    extra=EXTRA,
)
def from_(
    text: str,
    count: Number | None,
    any_: Annotated[Dynamic | Unknown | None, Parameter(name="any", description="Any.")],
    point: Annotated[Point, Parameter(description_kind=StringKind.PLAIN, extra=EXTRA)],
    *more: Annotated[list[Nullable[str]], Parameter(description="More.")],
) -> Point | None:
    """The description.

    In two paragraphs.
    """
    raise NotImplementedError


def test_schema() -> None:
    point = parse_type('["object",{"x":"number","y":"number"},["y"]]')
    assert schema_of(from_) == Function(
        point,
        (
            ParameterSchema("text", STRING),
            ParameterSchema("count", NUMBER, allow_null_value=True),
            ParameterSchema(
                "any",
                DYNAMIC,
                allow_null_value=True,
                allow_unknown_values=True,
                description="Any.",
            ),
            ParameterSchema("point", point, description_kind=StringKind.PLAIN, extra=EXTRA),
        ),
        ParameterSchema("more", parse_type('["list","string"]'), description="More."),
        summary="Sums up.",
        description="The description.\n\nIn two paragraphs.",
        description_kind=StringKind.MARKDOWN,
        deprecation_message="Don't.",
        extra=EXTRA,
    )
    assert from_.name == "from"
    assert repr(from_) == "<provider function from>"


def test_it_is_a_function_of_python_too() -> None:
    assert from_.__qualname__ == "from_"
    assert (from_.__doc__ or "").startswith("The description.")
    assert list(inspect.signature(from_).parameters) == ["text", "count", "any_", "point", "more"]
    with pytest.raises(NotImplementedError):
        monthly_price(1, None)

    @function()
    def twice(number: int = 3) -> int:
        return number * 2

    assert twice(3) == twice() == 6
    assert twice.arguments() == [b"\x03"]
    assert twice.name == "twice"
    assert schema_of(twice) == Function(NUMBER, (ParameterSchema("number", NUMBER),))


def test_arguments() -> None:
    assert monthly_price.arguments(Decimal("0.1"), None) == [b"\xa30.1", b"\xc0"]
    assert monthly_price.arguments(hourly=1, hours=730) == [b"\x01", b"\xcd\x02\xda"]
    assert merge_tags.arguments({"a": "b"}) == [b"\x81\xa1a\xa1b"]
    assert merge_tags.arguments(None, None, {"a": None}) == [b"\xc0", b"\xc0", b"\x81\xa1a\xc0"]
    assert tag_text.arguments(Dynamic(1)) == [b'\x92\xc4\x08"number"\x01']
    unknown: Any = UNKNOWN  # the core would not call it
    assert parse_id.arguments(unknown) == [b"\xd4\x00\x00"]


def test_result() -> None:
    result = parse_id.result(b"\x83\xa4name\xa1a\xa6region\xc0\xa7service\xa1c")
    assert result is not None
    assert isinstance(
        result, type(parse_id.result(b"\x83\xa4name\xc0\xa6region\xc0\xa7service\xc0"))
    )
    assert (result.name, result.region, result.service) == ("a", None, "c")
    assert parse_id.result(b"\xc0") is None
    assert monthly_price.result(b"\xa30.1") == Decimal("0.1")


def price(hourly: Number, hours: Number | None) -> Number | None:
    return hourly * (730 if hours is None else hours)


def test_call() -> None:
    assert monthly_price.call(price, monthly_price.arguments(2, None)) == b"\xcd\x05\xb4"
    assert monthly_price.call(lambda hourly, hours: None, [b"\x01", b"\xc0"]) == b"\xc0"

    def merge(base: Any, *more: Any) -> dict[str, Nullable[str]]:
        return {key: value for each in (base, *more) for key, value in (each or {}).items()}

    given = merge_tags.arguments({"a": "1", "b": "2"}, None, {"b": "3"})
    assert merge_tags.result(merge_tags.call(merge, given)) == {"a": "1", "b": "3"}


PRICE: Any = monthly_price
MERGE: Any = merge_tags
ID: Any = parse_id

# How a function is used, and what the error says.
NOT_ENCODED: dict[str, Callable[[], object]] = {
    "[0]: expected a number, got a string": lambda: PRICE.arguments("a", 1),
    "[1]: expected a number, got a bool": lambda: PRICE.arguments(1, True),
    "[0]: expected a value, got null": lambda: PRICE.arguments(None, 1),
    '[2]["a"]: expected a string, got a number': lambda: MERGE.arguments({}, {}, {"a": 1}),
    "monthly_price: missing a required argument: 'hours'": lambda: PRICE.arguments(1),
    "monthly_price: too many positional arguments": lambda: PRICE.arguments(1, 2, 3),
    "expected a number, got a string": lambda: PRICE.call(lambda *_: "x", [b"\1", b"\1"]),
}
NOT_DECODED: dict[str, Callable[[], object]] = {
    "expected 2 arguments, got 0": lambda: PRICE.call(price, []),
    "expected 2 arguments, got 3": lambda: PRICE.call(price, [b"\1", b"\1", b"\1"]),
    "expected 1 argument, got 0": lambda: ID.call(lambda _: None, []),
    "expected at least 1 argument, got 0": lambda: MERGE.call(lambda *_: None, []),
    "[1]: expected a number, got other text": lambda: PRICE.call(price, [b"\1", b"\xa1a"]),
    "[0]: expected a value, got null": lambda: PRICE.call(price, [b"\xc0", b"\1"]),
    "expected a number, got a bool": lambda: PRICE.result(b"\xc3"),
}


@pytest.mark.parametrize("message", NOT_ENCODED)
def test_what_cannot_be_encoded(message: str) -> None:
    with pytest.raises(EncodeError) as raised:
        NOT_ENCODED[message]()
    assert str(raised.value) == message


@pytest.mark.parametrize("message", NOT_DECODED)
def test_what_cannot_be_decoded(message: str) -> None:
    with pytest.raises(DecodeError) as raised:
        NOT_DECODED[message]()
    assert str(raised.value) == message


BAD = {
    "(first: bytes) -> str": "declared(first): <class 'bytes'> is not a type of",
    "(first) -> str": "declared(first): the parameter has no annotation",
    "(first: str)": "declared: the result has no annotation",
    "(first: str) -> bytes": "declared: <class 'bytes'> is not a type of",
    "(first: Nothing) -> str": "declared: name 'Nothing' is not defined",
    "(*, first: str) -> str": "declared(first): keyword-only parameters are not supported",
    "(**first: str) -> str": "declared(first): keyword-only parameters are not supported",
}


@pytest.mark.parametrize("signature", BAD)
def test_bad_annotations_are_named(signature: str) -> None:
    known: dict[str, Any] = {}
    exec(f"from __future__ import annotations\ndef declared{signature}: ...", known)
    bad: ProviderFunction[..., object] = function()(known["declared"])
    with pytest.raises(SchemaError) as raised:
        schema_of(bad)
    assert str(raised.value).startswith(BAD[signature])
