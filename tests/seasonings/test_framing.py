"""Messages out of a stream, in whatever pieces it arrives."""

import tracemalloc

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tofutypes.seasonings.errors import ErrorCode
from tofutypes.seasonings.rpc.framing import BrokenStreamError, Splitter

MIB = 1 << 20

MESSAGES = st.lists(
    st.recursive(
        st.none()
        | st.integers(-(2**63), 2**64 - 1)
        | st.binary(max_size=40)
        | st.text(max_size=40),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
        max_leaves=8,
    ),
    max_size=8,
)


@given(MESSAGES, st.data())
def test_pieces_of_any_size(messages: list[object], data: st.DataObject) -> None:
    stream = b"".join(map(msgpack.packb, messages))
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=10).map(sorted))
    splitter = Splitter(MIB)
    got = [
        msgpack.unpackb(message)
        for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)
        if start < end
        for message in splitter.feed(stream[start:end])
    ]
    assert got == messages
    assert splitter.pending == 0


@pytest.mark.parametrize("piece", [1, 7, 4096])
def test_bytes_one_by_one(piece: int) -> None:
    stream = msgpack.packb([0, 1, "m", {"a": b"x" * 300}]) * 3
    splitter = Splitter(MIB)
    got = [
        bytes(message)
        for start in range(0, len(stream), piece)
        for message in splitter.feed(stream[start : start + piece])
    ]
    assert got == [stream[: len(stream) // 3]] * 3


def test_a_large_message_between_small_ones() -> None:
    small, large = msgpack.packb([2, "a", {}]), msgpack.packb([2, "b", b"\0" * (3 * MIB)])
    stream = small + large + small
    splitter = Splitter(4 * MIB)
    got = [
        bytes(message)
        for start in range(0, len(stream), 100_000)
        for message in splitter.feed(stream[start : start + 100_000])
    ]
    assert got == [small, large, small]


def test_what_is_pending() -> None:
    splitter = Splitter(MIB)
    assert list(splitter.feed(b"\x01\x92\x01")) == [b"\x01"]
    assert splitter.pending == 2


@pytest.mark.parametrize(
    ("stream", "code", "message"),
    [
        (b"\xc1", ErrorCode.PARSE, "invalid MessagePack"),
        (b"\x91" * 2000, ErrorCode.LIMIT, "message is nested too deeply"),
        (b"\xc4\xff" + b"x" * 255, ErrorCode.LIMIT, "message is too large: the limit is 200 bytes"),
        (b"\xdd\xff\xff\xff\xff" + b"\0" * 200, ErrorCode.LIMIT, "message is too large"),
    ],
)
def test_streams_that_cannot_be_split(stream: bytes, code: ErrorCode, message: str) -> None:
    splitter = Splitter(200)
    with pytest.raises(BrokenStreamError, match=message) as raised:
        list(splitter.feed(stream))
    assert raised.value.error.code == code
    assert raised.value.start == stream[:4096]


def test_claims_take_no_memory() -> None:
    claim = b"\xdc\xff\xff"
    tracemalloc.start()
    splitter = Splitter(64 * MIB)
    tracemalloc.reset_peak()
    before, _ = tracemalloc.get_traced_memory()
    assert list(splitter.feed(b"\xdd\x10\0\0\0" + claim * 1000)) == []
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak - before < 1_000_000


def test_a_large_message_takes_its_size_twice() -> None:
    data = msgpack.packb(b"\0" * (16 * MIB))
    pieces = [data[start : start + 65536] for start in range(0, len(data), 65536)]
    splitter = Splitter(16 * MIB + 100)
    tracemalloc.start()
    for piece in pieces:
        for message in splitter.feed(piece):
            assert len(message) == len(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # The pieces were there before; the parser's buffer is as large as the limit allows.
    assert peak < 2.2 * len(data)
