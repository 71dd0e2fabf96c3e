"""Limits: what is beyond is an error, and they can be changed."""

from __future__ import annotations

import sys
import threading
import tracemalloc
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from tofutypes import (
    Limits,
    TofuTypesError,
    Unknown,
    decode_json,
    decode_msgpack,
    encode_json,
    encode_msgpack,
    parse_type,
    use_limits,
)
from tofutypes.limits import current_limits
from tofutypes.types import DYNAMIC, NUMBER, STRING, ListType

LISTS = ListType(ListType(STRING))
LONG = 10**6000


def nested(levels: int) -> str:
    return '["list",' * levels + '"string"' + "]" * levels


def of_length(length: int) -> bytes:
    refinements = b"\x83\x01\xc2\x05\xcd" + length.to_bytes(2) + b"\x06\xcd" + length.to_bytes(2)
    return b"\xc7" + bytes([len(refinements)]) + b"\x0c" + refinements


# What is within other limits and beyond the usual ones, or the other way round.
CASES: dict[str, tuple[Limits, Callable[[], object]]] = {
    "depth of types": (Limits(depth=150), lambda: parse_type(nested(120))),
    "depth of dynamic values": (
        Limits(depth=150),
        lambda: decode_msgpack(
            b"\x92\xc5" + len(nested(120)).to_bytes(2) + nested(120).encode() + b"\xc0", DYNAMIC
        ),
    ),
    "digits in JSON": (Limits(digits=9000), lambda: decode_json("9" * 6001, NUMBER)),
    "digits in MessagePack": (
        Limits(digits=9000),
        lambda: decode_msgpack(b"\xda\x17\x71" + b"9" * 6001, NUMBER),
    ),
    "digits in Python": (Limits(digits=9000), lambda: encode_msgpack(LONG, NUMBER)),
    "digits behind the point": (
        Limits(digits=9000),
        lambda: decode_json("0." + "1" * 5000, NUMBER),
    ),
    "an exponent": (Limits(exponent=3000), lambda: decode_json("1e3000", NUMBER)),
    "refinements": (
        Limits(refinement_size=5000),
        lambda: decode_msgpack(
            b"\xc8\x07\xd5\x0c\x82\x01\xc2\x63\xc5\x07\xce" + bytes(1998), NUMBER
        ),
    ),
}


@pytest.mark.parametrize("what", CASES)
def test_higher_limits(what: str) -> None:
    limits, use = CASES[what]
    for _ in range(2):  # what is remembered is remembered by the limits
        with pytest.raises(TofuTypesError):
            use()
        with use_limits(limits):
            assert use() is not None or what == "depth of dynamic values"


LOWER: dict[str, tuple[Limits, Callable[[], object], str]] = {
    "size of MessagePack": (
        Limits(size=2000),
        lambda: decode_msgpack(b"\xda\x08\x00" + b"x" * 2048, STRING),
        "value is too large: 2051 bytes, the limit is 2000",
    ),
    "size of JSON": (
        Limits(size=2000),
        lambda: decode_json('"' + "x" * 2048 + '"', STRING),
        "value is too large: 2050 bytes, the limit is 2000",
    ),
    "depth": (
        Limits(depth=3),
        lambda: decode_msgpack(b"\x92\xc4\x2c" + nested(4).encode() + b"\xc0", DYNAMIC),
        r"\[0\]: invalid type constraint",
    ),
    "depth of what is given": (
        Limits(depth=3),
        lambda: encode_msgpack([[[[1]]]], DYNAMIC),
        r"value is nested too deeply \(the limit is 3 levels\)",
    ),
    "digits of a bound": (
        Limits(exponent=3),
        lambda: decode_msgpack(b"\xc7\x08\x0c\x81\x03\x92\xa31e4\xc3", NUMBER),
        "the exponent is out of range: the limit is 3",
    ),
    "refinements": (
        Limits(refinement_size=5),
        lambda: decode_msgpack(b"\xc7\x08\x0c\x81\x03\x92\xa31e4\xc3", NUMBER),
        "refinements are too large: the limit is 5 bytes",
    ),
}
for number in ("1" * 50, "1e50", "0." + "1" * 50, "1" * 50 + ".0", '"' + "1" * 50 + '"'):
    LOWER[f"digits of {number}"] = (
        Limits(digits=45),
        partial(decode_json, number, NUMBER),
        "number is too long: the limit is 45 digits",
    )


@pytest.mark.parametrize("what", LOWER)
def test_lower_limits(what: str) -> None:
    limits, use, message = LOWER[what]
    for _ in range(2):
        use()
        with use_limits(limits), pytest.raises(TofuTypesError, match=message):
            use()


def test_a_list_of_unknown_elements() -> None:
    data = of_length(1000)
    assert decode_msgpack(data, ListType(STRING)) == Unknown(
        not_null=True, min_length=1000, max_length=1000
    )
    with use_limits(Limits(unknown_elements=1000)):
        assert len(decode_msgpack(data, ListType(STRING))) == 1000  # type: ignore[arg-type]


def test_long_numbers_go_through() -> None:
    # Longer than Python converts from and to text of itself.
    with use_limits(Limits(digits=10_000)):
        for number in (LONG, -LONG, LONG + 7):
            assert decode_json(encode_json(number, NUMBER), NUMBER) == number
            assert decode_msgpack(encode_msgpack(number, NUMBER), NUMBER) == number
            assert decode_json(encode_json(number, NUMBER), STRING) == format(Decimal(number), "f")


def test_limits_hold_in_their_thread_only() -> None:
    seen: list[Limits] = []
    usual = current_limits()
    with use_limits(Limits(depth=7)):
        thread = threading.Thread(target=lambda: seen.append(current_limits()))
        thread.start()
        thread.join()
        with use_limits(Limits(depth=8)):
            assert current_limits().depth == 8
        assert current_limits().depth == 7
    assert current_limits() is usual
    if not getattr(sys.flags, "thread_inherit_context", 0):
        assert seen == [usual]


def array(count: int) -> bytes:
    return b"\xdd" + count.to_bytes(4)


K = 20_000
PAYLOADS: dict[str, tuple[Any, bytes]] = {
    "long arrays in each other": (STRING, array(K) * 900 + b"\xc0" * K),
    "long arrays of 16 bits in each other": (STRING, b"\xdc\xea\x60" * 900 + b"\xc0" * 60_000),
    "empty lists": (LISTS, array(K) + b"\x90" * K),
    "empty maps": (LISTS, array(K) + b"\x80" * K),
    "empty sets": (parse_type('["list",["set","string"]]'), array(K) + b"\x90" * K),
    "lists of unknown elements": (LISTS, array(K) + of_length(128) * K),
    "long lists of unknown elements": (LISTS, array(K) + of_length(1000) * K),
    "large exponents": (ListType(NUMBER), array(K) + b"\xa61e1000" * K),
    "small exponents": (ListType(NUMBER), array(K) + b"\xa71e-1000" * K),
    "small float64": (ListType(NUMBER), array(K // 8) + b"\xcb\0\0\0\0\0\0\0\1" * (K // 8)),
    "refinements": (
        ListType(STRING),
        array(K) + b"".join(b"\xc7\x08\x0c\x81\x02\xa5%05d" % n for n in range(K)),
    ),
    "claims inside refinements": (
        ListType(STRING),
        array(20) + (b"\xc8\x04\x00\x0c\x81\x07" + b"\xdc\x03\xf0" * 330 + b"\xc0" * 32) * 20,
    ),
}


@pytest.mark.parametrize("what", PAYLOADS)
def test_memory_is_a_small_multiple_of_the_input(what: str) -> None:
    type_, data = PAYLOADS[what]
    tracemalloc.start()
    try:
        kept = decode_msgpack(data, type_)
        del kept
    except TofuTypesError:
        pass
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 130 * len(data)
