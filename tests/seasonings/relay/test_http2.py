"""One end of HTTP/2: flow control, frames of every form, and what is none."""

import asyncio
import socket
import struct
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest

from tofutypes.seasonings.bridges.relay.header_blocks import MethodReader, failure, request
from tofutypes.seasonings.bridges.relay.http2 import PREFACE, Events, Http2Connection

LARGE = bytes(range(256)) * 4000
Frames = list[tuple[int, int, int, bytes]]


class End:
    """A connection, and what it has told of."""

    def __init__(self, *, is_server: bool) -> None:
        self.headers: list[tuple[int, bytes, bool]] = []
        self.data: dict[int, bytearray] = {}
        self.resets: list[tuple[int, int]] = []
        self.ended = asyncio.Event()
        self.finished: set[int] = set()
        events = Events(self._headers, self._data, self._reset, self.ended.set)
        self.connection = Http2Connection(events, is_server=is_server)

    def _headers(self, stream: int, block: bytes, end: bool) -> None:
        self.headers.append((stream, block, end))
        if end:
            self.finished.add(stream)

    def _data(self, stream: int, data: bytes, end: bool) -> None:
        self.data.setdefault(stream, bytearray()).extend(data)
        if end:
            self.finished.add(stream)

    def _reset(self, stream: int, code: int) -> None:
        self.resets.append((stream, code))


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.001)


def run(main: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(main, 30))


class Wire:
    """The far side of a connection, as a test plays it."""

    def __init__(self, socket: socket.socket) -> None:
        self.socket = socket
        self.rest = b""

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    async def received(self) -> Frames:
        """The frames that have arrived."""
        await asyncio.sleep(0.05)
        with suppress(BlockingIOError):
            self.rest += self.socket.recv(1 << 20)
        read: Frames = []
        while len(self.rest) >= 9:
            high, low, kind, flags, stream = struct.unpack_from(">HBBBL", self.rest)
            length = high << 8 | low
            if len(self.rest) < 9 + length:
                break
            read.append((kind, flags, stream, self.rest[9 : 9 + length]))
            self.rest = self.rest[9 + length :]
        return read


@asynccontextmanager
async def connected(end: End) -> AsyncGenerator[Wire]:
    """Connect an end to a socket that a test writes to."""
    ours, theirs = socket.socketpair()
    await asyncio.get_running_loop().create_connection(lambda: end.connection, sock=theirs)
    ours.setblocking(False)
    with ours:
        yield Wire(ours)
        end.connection.abort()
        await end.ended.wait()


async def pair() -> tuple[End, End]:
    client, server = End(is_server=False), End(is_server=True)
    ours, theirs = socket.socketpair()
    loop = asyncio.get_running_loop()
    await loop.create_connection(lambda: server.connection, sock=ours)
    await loop.create_connection(lambda: client.connection, sock=theirs)
    return client, server


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return struct.pack(">HBBBL", len(payload) >> 8, len(payload) & 255, kind, flags, stream) + (
        payload
    )


def test_calls_in_both_directions() -> None:
    async def main() -> None:
        client, server = await pair()
        for stream in (1, 3):
            client.connection.send_headers(stream, b"block", False)
            client.connection.send_data(stream, LARGE * stream, True)
        await until(lambda: server.finished == {1, 3})
        assert server.headers == [(1, b"block", False), (3, b"block", False)]
        assert server.data == {1: LARGE, 3: LARGE * 3}
        server.connection.send_headers(1, b"x" * 40_000, False)
        server.connection.send_data(1, LARGE, False)
        server.connection.send_headers(1, b"end", True)
        server.connection.reset(3, 8)
        await until(lambda: client.resets and 1 in client.finished)
        assert client.headers == [(1, b"x" * 40_000, False), (1, b"end", True)]
        assert client.data == {1: LARGE}
        assert client.resets == [(3, 8)]
        client.connection.close()
        await server.ended.wait()

    run(main())


def test_windows_are_kept() -> None:
    async def main() -> None:
        end = End(is_server=False)
        async with connected(end) as wire:
            await asyncio.sleep(0.05)
            assert wire.socket.recv(len(PREFACE)) == PREFACE
            await wire.received()
            wire.send(frame(4, 0, 0, struct.pack(">HL", 4, 1000)))  # the window of streams
            assert await wire.received() == [(4, 1, 0, b"")]
            end.connection.send_headers(1, b"h", False)
            end.connection.send_data(1, LARGE, False)
            end.connection.send_headers(1, b"t", True)
            end.connection.send_data(3, b"y" * 1000, True)
            (_, *sent) = await wire.received()
            assert [(kind, stream, len(data)) for kind, _, stream, data in sent] == [
                (0, 1, 1000),
                (0, 3, 1000),
            ]
            wire.send(frame(8, 0, 1, struct.pack(">L", 500)))
            assert [len(data) for *_, data in await wire.received()] == [500]
            wire.send(frame(4, 0, 0, struct.pack(">HL", 4, 1 << 20)))
            sent = await wire.received()
            total = 2500 + sum(len(data) for kind, _, _, data in sent if kind == 0)
            assert total == 65_535  # the window of the connection
            wire.send(frame(8, 0, 0, struct.pack(">L", 1 << 30)))
            sent = []
            while not sent or sent[-1][0] != 1:
                sent += await wire.received()
            total += sum(len(data) for kind, _, _, data in sent if kind == 0)
            assert total == 1000 + len(LARGE)
            assert sent[-1] == (1, 5, 1, b"t")
            assert max(len(data) for *_, data in sent) <= 16_384

    run(main())


def test_frames_of_every_form() -> None:
    async def main() -> None:
        end = End(is_server=True)
        async with connected(end) as wire:
            stream = PREFACE + frame(4, 0, 0)
            stream += frame(1, 0x28, 1, b"\x02" + bytes(5) + b"blo" + b"\0\0")  # padded, a priority
            stream += frame(9, 0, 1, b"c") + frame(9, 4, 1, b"k")
            stream += frame(0, 0x9, 1, b"\x03data\0\0\0") + frame(99, 255, 7, b"unknown")
            stream += frame(2, 0, 1, bytes(5)) + frame(6, 0, 0, b"12345678")
            stream += frame(7, 0, 0, bytes(8))
            for byte in stream:
                wire.send(bytes([byte]))
                await asyncio.sleep(0)
            sent = await wire.received()
            assert end.headers == [(1, b"block", False)]
            assert end.data == {1: b"data"}
            assert (6, 1, 0, b"12345678") in sent

    run(main())


@pytest.mark.parametrize(
    "garbage",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        PREFACE + b"\xff" * 20,
        PREFACE + frame(9, 4, 1, b"k"),
        PREFACE + frame(1, 0, 1, b"b") + frame(0, 0, 1, b"d"),
        PREFACE + frame(0, 8, 1, b"\x09"),
        PREFACE + frame(0, 8, 1),
        PREFACE + frame(8, 0, 0, b"1"),
        PREFACE + frame(4, 0, 0, b"12345"),
        PREFACE + frame(1, 0, 1) + frame(9, 0, 1, b"x" * 16_000) * 70,
    ],
)
def test_what_is_no_http2(garbage: bytes) -> None:
    async def main() -> None:
        end = End(is_server=True)
        async with connected(end) as wire:
            wire.socket.setblocking(True)
            with suppress(OSError):
                await asyncio.to_thread(wire.send, garbage)
            await asyncio.wait_for(end.ended.wait(), 10)
        assert end.headers == []

    run(main())


def test_methods_in_header_blocks() -> None:
    reader = MethodReader()
    block = request("/tfplugin5.Provider/ReadResource")
    for _ in range(3):
        assert reader.method(block) == "/tfplugin5.Provider/ReadResource"
    assert reader.method(b"\xff\xff\xff") == ""
    assert reader.method(b"\x82") == ""
    indexed = b"\x44\x02/a"  # literal with incremental indexing
    assert [reader.method(each) for each in (indexed, b"\xbe", indexed, b"\xbf")] == ["/a"] * 4


def test_messages_of_failures_are_escaped() -> None:
    block = failure(14, "größer\n100%" + "x" * 200, alone=True)
    assert block.startswith(b"\x88")
    assert b"gr%C3%B6%C3%9Fer%0A100%25xx" in block
