"""Functions: what a call is answered with."""

from __future__ import annotations

import pytest

from tofutypes import Number, decode_json, encode_msgpack, function, parse_type
from tofutypes.provider import ArgumentError, ProviderError
from tofutypes.provider.server.functions import call_function
from tofutypes.provider.server.runner import Runner
from tofutypes.provider.service.requests import CallFunctionRequest
from tofutypes.provider.service.responses import CallFunctionResponse, FunctionError
from tofutypes.provider.service.wire_value import WireValue

NULL = b"\xc0"


@function()
def share(of: Number, *parts: Number | None) -> Number:
    """What is left of a number after some parts."""
    if of == 0:
        raise ArgumentError("There is nothing to share.", 0)
    if of == 1:
        raise ProviderError("One cannot be shared")
    if of == 2:
        raise KeyError("hunter2")
    if of == 4:
        decode_json("[1, 2]", parse_type("string"))
    if of == 5:
        return "five"  # type: ignore[return-value]  # wrong on purpose
    if of == 3:
        raise ArgumentError("file \udcff", 7)
    return of - sum(part or 0 for part in parts)


@function()
async def twice(word: str) -> str:
    """A word twice."""
    return word * 2


def call(name: str, *arguments: bytes) -> CallFunctionResponse:
    functions = {each.name: each for each in (share, twice)}
    request = CallFunctionRequest(name, tuple(map(WireValue, arguments)))
    run = Runner()
    try:
        return call_function(functions, run, request)
    finally:
        run.close()


def number(value: int) -> bytes:
    return encode_msgpack(value, parse_type('"number"'))


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("share", [number(9)], number(9)),
        ("share", [number(9), number(2), number(3)], number(4)),
        ("share", [number(9), NULL, b""], number(9)),  # OpenTofu leaves null out
        ("twice", [b"\xa1a"], b"\xa2aa"),
    ],
)
def test_results(name: str, arguments: list[bytes], result: bytes) -> None:
    assert call(name, *arguments) == CallFunctionResponse(WireValue(result))


@pytest.mark.parametrize(
    ("name", "arguments", "text", "argument"),
    [
        ("other", [], "There is no function other", None),
        ("share", [number(0)], "There is nothing to share", 0),
        ("share", [number(1)], "One cannot be shared", None),
        (
            "share",
            [number(2)],
            f"The provider failed: KeyError in the function share ({__file__}, line 26). This is a "
            "fault of the provider; with TF_LOG_PROVIDER=ERROR its log has the traceback",
            None,
        ),
        ("share", [number(3)], "file \udcff", None),
        (
            "share",
            [number(4)],
            f"The provider is at fault: expected a string, got a list ({__file__}, line 28)",
            None,
        ),
        (
            "share",
            [number(5)],
            "The provider is at fault: the result of function share is not of its type: expected "
            "a number, got a string",
            None,
        ),
        ("share", [b"\xa1a"], "expected a number, got other text", 0),
        ("share", [number(9), number(1), b"\xa1a"], "expected a number, got other text", 2),
        ("share", [NULL], "expected a value, got null", 0),
        ("twice", [], "expected 1 argument, got 0", None),
    ],
)
def test_errors(name: str, arguments: list[bytes], text: str, argument: int | None) -> None:
    assert call(name, *arguments).error == FunctionError(text, argument)
