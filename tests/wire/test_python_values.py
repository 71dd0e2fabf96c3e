"""What users may pass where a collection is wanted."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import pytest

from tofutypes.errors import EncodeError, TypeConstraintError
from tofutypes.sets import TofuSet
from tofutypes.type_parsing import parse_type
from tofutypes.types import Type
from tofutypes.wire import decode_json, decode_msgpack, encode_json, encode_msgpack

LIST, SET, TUPLE = (
    parse_type(text)
    for text in ('["list","string"]', '["set","string"]', '["tuple",["string","string"]]')
)
AB = {"a": 1, "b": 2}


@pytest.mark.parametrize("type_", [LIST, SET, TUPLE], ids=str)
@pytest.mark.parametrize("given", [["a", "b"], ("a", "b"), deque("ab")], ids=repr)
def test_any_sequence(given: object, type_: Type) -> None:
    assert encode_json(given, type_) == '["a","b"]'


@pytest.mark.parametrize(
    "given",
    [{"b", "a"}, frozenset("ba"), TofuSet("ba"), AB.keys()],
    ids=lambda given: type(given).__name__,
)
def test_any_set_for_a_set(given: object) -> None:
    assert encode_json(given, SET) == '["a","b"]'


# Its order would be another one in every run.
@pytest.mark.parametrize("type_", [LIST, TUPLE], ids=["list", "tuple"])
@pytest.mark.parametrize(
    "given",
    [{"a", "b"}, frozenset("ab"), TofuSet("ab"), AB.keys()],
    ids=lambda given: type(given).__name__,
)
def test_no_set_for_a_list_or_a_tuple(given: object, type_: Type) -> None:
    with pytest.raises(EncodeError, match=r"^expected a (list of string|tuple), got a"):
        encode_json(given, type_)


def test_a_string_is_no_list() -> None:
    with pytest.raises(EncodeError, match=r"^expected a list of string, got a string$"):
        encode_json("ab", LIST)


@pytest.mark.parametrize("code", [decode_json, decode_msgpack, encode_json, encode_msgpack])
def test_the_text_of_a_type_is_no_type(code: Callable[..., object]) -> None:
    message = r"expected a Type, got a string; parse_type\(\) makes one$"
    with pytest.raises(TypeConstraintError, match=message):
        code(b"1", "string")
