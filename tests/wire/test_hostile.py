"""Whatever comes: an error of the library, soon, and little memory."""

from __future__ import annotations

import inspect
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conformance.cases import Case, own_cases
from tests.strategies import type_constraints, typed_values
from tofutypes.dynamic import Dynamic
from tofutypes.errors import DecodeError, EncodeError, TofuTypesError
from tofutypes.limits import Limits, use_limits
from tofutypes.sets import TofuSet
from tofutypes.type_parsing import parse_type
from tofutypes.types import DYNAMIC, NUMBER, STRING, ListType, Type
from tofutypes.wire import decode_json, decode_msgpack, encode_json, encode_msgpack

CASES = list(own_cases())


def try_all(data: bytes, type_: Type) -> None:
    """Read it in both formats, and write what was read in both: nothing may go wrong but so."""
    for decode in (decode_msgpack, decode_json):
        try:
            value = decode(data, type_)
        except DecodeError:
            continue
        assert isinstance(encode_msgpack(value, type_), bytes)
        with suppress(TofuTypesError):  # of an unknown value, of an infinity
            assert isinstance(encode_json(value, type_), str)


@st.composite
def mutations(draw: Callable[..., Any]) -> tuple[bytes, Type]:
    """A payload of the vectors with some bytes changed, dropped, doubled or put in."""
    case: Case = draw(st.sampled_from(CASES))
    data = case.data
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(data)))
        end = start + draw(st.integers(0, 4))
        byte = st.sampled_from(b"\xd4\xc7\xc8\xdc\xdd\xde\xdf\xcb\xc1\xc0\x90\x81\x92\xc4\xff\x0c")
        put = draw(st.lists(byte, max_size=3).map(bytes) | st.just(data[start:end] * 2))
        data = data[:start] + put + data[end:]
    return data, draw(st.just(case.type) | type_constraints())


@given(mutations())
def test_mutated_payloads(mutated: tuple[bytes, Type]) -> None:
    try_all(*mutated)


@given(st.binary(max_size=60), type_constraints())
def test_any_bytes(data: bytes, type_: Type) -> None:
    try_all(data, type_)


_anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters())
    | st.binary()
    | st.decimals()
    | st.complex_numbers(),
    lambda inner: (
        st.lists(inner)
        | st.tuples(inner)
        | st.dictionaries(st.integers() | st.text(), inner)
        | st.builds(Dynamic, inner.filter(lambda value: value is None), st.just(STRING))
    ),
    max_leaves=8,
)


@given(_anything, type_constraints())
def test_any_python_value(value: object, type_: Type) -> None:
    for encode in (encode_msgpack, encode_json):
        with suppress(TofuTypesError):
            encode(value, type_)


@given(typed_values(), type_constraints())
def test_values_of_another_type(typed: tuple[Type, object], other: Type) -> None:
    _, value = typed
    with suppress(TofuTypesError):
        encode_msgpack(value, other)


@contextmanager
def memory_of_at_most(megabytes: float) -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < megabytes * 1e6
    finally:
        tracemalloc.stop()


LIST_OF_DYNAMIC = b"\xc4\x12" + ListType(DYNAMIC).to_json().encode()


@pytest.mark.parametrize(
    ("type_", "data"),
    [
        ('["list","string"]', b"\xdd\xff\xff\xff\xff"),
        ('["map","string"]', b"\xdf\xff\xff\xff\xff"),
        ('"string"', b"\xc6\xff\xff\xff\xff"),
        ('"string"', b"\xc9\xff\xff\xff\xff\x0c"),
        ('"number"', b"\xac1e1000000000"),
        ('"number"', b"\xac1e-100000000"),
        ('["list","string"]', b"\xdd\x00\x00\x13\x88" * 900 + bytes(1000)),
        ('"dynamic"', (b"\x92\xc4\x09" + b'"dynamic"') * 500 + b"\xc0"),
        ('"dynamic"', (b"\x92" + LIST_OF_DYNAMIC + b"\x91") * 300 + b"\xc0"),
        ('"dynamic"', b"\x92\xc5\xff\xff" + b"[" * 65535 + b"\xc0"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[:8].hex(),
)
def test_short_lies_cost_little(type_: str, data: bytes) -> None:
    with memory_of_at_most(50), pytest.raises(DecodeError):
        decode_msgpack(data, parse_type(type_))


def test_a_billion_unknown_elements_are_not_made() -> None:
    data = bytes.fromhex("c7 0f 0c 83 01 c2 05 ce 3b9aca00 06 ce 3b9aca00")
    with memory_of_at_most(1):
        decode_msgpack(data, ListType(STRING))


def test_attributes_in_another_order_cost_no_more() -> None:
    # Looked for one by one, so many names among so many would take a minute.
    attributes = {f"a{number:05}": "bool" for number in range(60_000)}
    type_ = parse_type(["object", attributes])
    text = "{" + ",".join(f'"{name}":true' for name in reversed(attributes)) + "}"
    assert len(decode_json(text, type_)) == 60_000  # type: ignore[arg-type]
    with pytest.raises(DecodeError, match="unknown attribute or nested block"):
        decode_json(text.replace("a00000", "b"), type_)


@contextmanager
def short_stack(frames: int) -> Iterator[None]:
    """Leave so many frames of Python's stack."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + frames)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def test_a_stack_too_short_is_an_error_like_any_other() -> None:
    type_, value = STRING, "x"
    for _ in range(90):
        type_, value = ListType(type_), [value]  # type: ignore[assignment]
    data, text = encode_msgpack(value, type_), encode_json(value, type_)
    attempts: list[tuple[Callable[[Any, Type], object], object]] = [
        (encode_msgpack, value),
        (encode_json, value),
        (decode_msgpack, data),
        (decode_json, text),
    ]
    for convert, given_ in attempts:
        with pytest.raises(TofuTypesError, match="nested too deeply"), short_stack(120):
            convert(given_, type_)


def endless() -> list[object]:
    inside: list[object] = []
    inside.append(inside)
    return inside


def deep(levels: int) -> object:
    value: object = "x"
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("type_", "make"),
    [
        (DYNAMIC, endless),
        (DYNAMIC, lambda: deep(5000)),
        (DYNAMIC, lambda: Dynamic(endless(), ListType(DYNAMIC))),
        (ListType(DYNAMIC), lambda: [endless()]),
        (ListType(ListType(STRING)), endless),
        (parse_type('["set",["list","string"]]'), endless),
        (parse_type('["set","dynamic"]'), lambda: [endless()]),
        (NUMBER, lambda: 10**100_000),
        (STRING, lambda: TofuSet([deep(5000)])),
    ],
    ids=range(9),
)
@pytest.mark.parametrize("encode", [encode_msgpack, encode_json])
def test_endless_and_deep_values(
    encode: Callable[[object, Type], object], type_: Type, make: Callable[[], object]
) -> None:
    with pytest.raises(TofuTypesError):
        encode(make(), type_)


@pytest.mark.parametrize("elements", [1, 2])  # those of one set are packed to be sorted
def test_what_is_too_deep_for_the_packer(elements: int) -> None:
    levels = 1200
    with use_limits(Limits(depth=2 * levels)), short_stack(10 * levels):
        type_ = parse_type('["set",' + '["list",' * levels + '"string"' + "]" * levels + "]")
        with pytest.raises(EncodeError, match="nested too deeply"):
            encode_msgpack([deep(levels)] * elements, type_)


SECRET = "hunter2"


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        ('"number"', SECRET),
        ('"bool"', SECRET),
        ('["list","string"]', SECRET),
        ('["list","number"]', [SECRET]),
        ('["map","number"]', {"k": SECRET}),
        ('["object",{"a":"number"}]', {"a": SECRET}),
        ('["tuple",["number"]]', [SECRET]),
        ('["set","number"]', [SECRET]),
        ('"string"', SECRET + "\ud800"),
        ('"number"', SECRET + "9" * 5000),
        ('"dynamic"', Dynamic(SECRET, NUMBER)),
        ('"dynamic"', {"k": (SECRET, object())}),
    ],
)
def test_no_error_tells_a_value(type_: str, value: object) -> None:
    for encode in (encode_msgpack, encode_json):
        with pytest.raises(TofuTypesError) as caught:
            encode(value, parse_type(type_))
        assert SECRET not in str(caught.value)
        assert SECRET not in repr(caught.value)


@pytest.mark.parametrize(
    ("type_", "text"),
    [
        ('"bool"', '"hunter2"'),
        ('"number"', '"hunter2"'),
        ('["list","bool"]', '["hunter2"]'),
        ('"dynamic"', '"hunter2"'),
        ('"dynamic"', '{"type":"hunter2","value":1}'),
        ('"dynamic"', '{"type":["hunter2"],"value":1}'),
        ('"string"', "hunter2"),
        ('"string"', '"hunter2'),
        ('"string"', r'"hunter2\ud800"'),
    ],
)
def test_no_error_of_reading_tells_a_value(type_: str, text: str) -> None:
    with pytest.raises(DecodeError) as caught:
        decode_json(text, parse_type(type_))
    assert SECRET not in str(caught.value)


def test_the_levels_of_a_type_cost_no_more_than_its_text() -> None:
    # A text for every level would be fifty times as long.
    wide = '["object",{' + ",".join(f'"{number:06}":"bool"' for number in range(20_000)) + "}]"
    text = ('["object",{"a":' * 50 + wide + "}]" * 50).encode()
    with memory_of_at_most(50 * len(text) / 1e6):
        decode_msgpack(b"\x92\xc6" + len(text).to_bytes(4) + text + b"\xc0", DYNAMIC)


def test_exponents_cost_little_time() -> None:
    count = 50_000
    # A thousand digits each, out of seven bytes.
    numbers = decode_msgpack(b"\xdd" + count.to_bytes(4) + b"\xa61e1000" * count, ListType(NUMBER))
    assert isinstance(numbers, list)
    assert numbers[-1] == 10**1000
