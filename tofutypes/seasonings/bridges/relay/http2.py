"""One end of an HTTP/2 connection, as far as a relay between two gRPC peers needs it.

A relay passes header blocks on as they are. It asks its peers for header blocks without a dynamic
table, so that the blocks of one stream mean the same whatever happens on other streams. Each end
keeps the flow control of its own connection. Source: RFC 9113.
"""

from __future__ import annotations

import asyncio
import struct
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

CANCEL: Final = 8
"""The error code of a stream that nobody needs any more."""

_DATA, _HEADERS, _RESET, _SETTINGS, _PING, _WINDOW, _CONTINUATION = 0, 1, 3, 4, 6, 8, 9
_END_STREAM: Final = 0x1
_ACK: Final = 0x1
_END_HEADERS: Final = 0x4
_PADDED: Final = 0x8
_PRIORITY: Final = 0x20

_HEADER_TABLE_SIZE: Final = 1
_INITIAL_WINDOW_SIZE: Final = 4
_LARGEST_WINDOW: Final = (1 << 31) - 1
_DEFAULT_WINDOW: Final = 65_535
_LARGEST_FRAME: Final = 16_384
"""What every peer accepts."""
_LONGEST_BLOCK: Final = 1 << 20
_RENEWED: Final = 1 << 29
"""The bytes after which the window of the connection is renewed."""

_FRAME: Final = struct.Struct(">HBBBL")
_SETTING: Final = struct.Struct(">HL")
_NUMBER: Final = struct.Struct(">L")


class Http2Error(Exception):
    """The peer violates HTTP/2."""


class Events(NamedTuple):
    """What a connection tells of.

    Attributes:
        headers: a header block: stream, block, whether the stream ends.
        data: bytes: stream, bytes, whether the stream ends.
        reset: the end of a stream: stream, error code.
        ended: the end of the connection.
    """

    headers: Callable[[int, bytes, bool], None]
    data: Callable[[int, bytes, bool], None]
    reset: Callable[[int, int], None]
    ended: Callable[[], None]


@dataclass(slots=True)
class _Waiting:
    """What waits for the window of a stream: bytes or a header block."""

    is_block: bool
    content: memoryview
    end: bool


class Http2Connection(asyncio.Protocol):
    """One end of a connection. What is sent before it is connected is sent then.

    Args:
        events: what happens.
        is_server: whether the other end begins.
    """

    def __init__(self, events: Events, *, is_server: bool) -> None:
        self._events = events
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._received = bytearray()
        self._greeting = PREFACE if is_server else b""
        self._block: tuple[int, bool, bytearray] | None = None
        self._to_renew = 0
        self._out: list[bytes | memoryview] = [] if is_server else [PREFACE]
        self._flushing = False
        self._window = _DEFAULT_WINDOW
        self._initial_window = _DEFAULT_WINDOW
        self._used: dict[int, int] = {}
        """What was taken from the window of each stream that goes on."""
        self._waiting: dict[int, deque[_Waiting]] = {}
        settings = _SETTING.pack(_HEADER_TABLE_SIZE, 0)
        settings += _SETTING.pack(_INITIAL_WINDOW_SIZE, _LARGEST_WINDOW)
        self._write(_SETTINGS, 0, 0, settings)
        self._write(_WINDOW, 0, 0, _NUMBER.pack(_LARGEST_WINDOW - _DEFAULT_WINDOW))

    # Part of asyncio's interface.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        if isinstance(transport, asyncio.Transport):
            self._transport = transport
        self._flush()

    def data_received(self, data: bytes) -> None:
        """Take bytes, in whatever pieces they arrive."""
        received = self._received
        received += data
        try:
            if self._greeting:
                self._take_greeting()
            position, end = 0, len(received)
            while end - position >= _FRAME.size and not self._greeting:
                high, low, kind, flags, stream = _FRAME.unpack_from(received, position)
                length = high << 8 | low
                if length > _LARGEST_FRAME:
                    raise Http2Error
                start, position = position + _FRAME.size, position + _FRAME.size + length
                if position > end:
                    position = start - _FRAME.size
                    break
                payload = bytes(received[start:position])
                self._take(kind, flags, stream & _LARGEST_WINDOW, payload)
            del received[:position]
        except (Http2Error, struct.error, IndexError):
            self.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._transport = None
        self._events.ended()

    # What is sent.

    def send_headers(self, stream: int, block: bytes, end: bool) -> None:
        """Send a header block, behind the stream's bytes that wait."""
        waiting = self._waiting.get(stream)
        if waiting is not None:
            waiting.append(_Waiting(True, memoryview(block), end))
        else:
            self._write_block(stream, block, end)

    def send_data(self, stream: int, data: bytes, end: bool) -> None:
        """Send bytes, as fast as the other end takes them."""
        size = len(data)
        room = min(self._window, self._initial_window - self._used.get(stream, 0), _LARGEST_FRAME)
        if size <= room and stream not in self._waiting:
            self._write_data(stream, data, end)
        else:
            self._waiting.setdefault(stream, deque()).append(_Waiting(False, memoryview(data), end))
            self._send_waiting(stream)

    def reset(self, stream: int, code: int) -> None:
        """End a stream at once."""
        self._forget(stream)
        self._write(_RESET, 0, stream, _NUMBER.pack(code))

    def close(self) -> None:
        """Send what can be sent, and end the connection."""
        self._flush()
        if self._transport is not None:
            self._transport.close()

    def abort(self) -> None:
        """End the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def _write(self, kind: int, flags: int, stream: int, payload: bytes | memoryview) -> None:
        size = len(payload)
        self._out.append(_FRAME.pack(size >> 8, size & 0xFF, kind, flags, stream))
        if size:
            self._out.append(payload)
        if not self._flushing and self._transport is not None:
            self._flushing = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._flushing = False
        if self._transport is not None and self._out:
            self._transport.write(b"".join(self._out))
            self._out.clear()

    def _write_block(self, stream: int, block: bytes | memoryview, end: bool) -> None:
        kind, flags = _HEADERS, _END_STREAM if end else 0
        while len(block) > _LARGEST_FRAME:
            self._write(kind, flags, stream, block[:_LARGEST_FRAME])
            kind, flags, block = _CONTINUATION, 0, block[_LARGEST_FRAME:]
        self._write(kind, flags | _END_HEADERS, stream, block)
        if end:
            self._forget(stream)
        else:
            self._used.setdefault(stream, 0)

    def _write_data(self, stream: int, data: bytes | memoryview, end: bool) -> None:
        self._write(_DATA, _END_STREAM if end else 0, stream, data)
        self._window -= len(data)
        if end:
            self._forget(stream)
        else:
            self._used[stream] = self._used.get(stream, 0) + len(data)

    def _send_waiting(self, stream: int) -> None:
        waiting = self._waiting[stream]
        while waiting:
            first = waiting[0]
            if first.is_block:
                waiting.popleft()
                self._write_block(stream, first.content, first.end)
                continue
            room = min(self._window, self._initial_window - self._used.get(stream, 0))
            size = min(len(first.content), room, _LARGEST_FRAME)
            if size <= 0 and len(first.content):
                return
            if size < len(first.content):
                self._write_data(stream, first.content[:size], False)
                first.content = first.content[size:]
            else:
                waiting.popleft()
                self._write_data(stream, first.content, first.end)
        self._waiting.pop(stream, None)

    def _send_all_waiting(self) -> None:
        for stream in list(self._waiting):
            if stream in self._waiting:
                self._send_waiting(stream)

    def _forget(self, stream: int) -> None:
        self._used.pop(stream, None)
        self._waiting.pop(stream, None)

    # What arrives.

    def _take_greeting(self) -> None:
        size = min(len(self._greeting), len(self._received))
        if not self._greeting.startswith(self._received[:size]):
            raise Http2Error
        if size == len(self._greeting):
            self._greeting = b""
            del self._received[:size]

    def _take(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        if self._block is not None and kind != _CONTINUATION:
            raise Http2Error
        if kind == _DATA:
            self._take_data(flags, stream, payload)
        elif kind == _HEADERS:
            content = _unpadded(flags, payload)[5 if flags & _PRIORITY else 0 :]
            self._block = stream, bool(flags & _END_STREAM), bytearray(content)
            self._continue_block(flags)
        elif kind == _CONTINUATION:
            if self._block is None or self._block[0] != stream:
                raise Http2Error
            self._block[2].extend(payload)
            self._continue_block(flags)
        elif kind == _WINDOW:
            self._take_window(stream, _NUMBER.unpack(payload)[0] & _LARGEST_WINDOW)
        elif kind == _SETTINGS and not flags & _ACK:
            self._take_settings(payload)
        elif kind == _PING and not flags & _ACK:
            self._write(_PING, _ACK, 0, payload)
        elif kind == _RESET:
            self._forget(stream)
            self._events.reset(stream, _NUMBER.unpack(payload)[0])

    def _take_data(self, flags: int, stream: int, payload: bytes) -> None:
        self._to_renew += len(payload)
        if self._to_renew >= _RENEWED:
            self._write(_WINDOW, 0, 0, _NUMBER.pack(self._to_renew))
            self._to_renew = 0
        self._events.data(stream, _unpadded(flags, payload), bool(flags & _END_STREAM))

    def _continue_block(self, flags: int) -> None:
        if self._block is None or len(self._block[2]) > _LONGEST_BLOCK:
            raise Http2Error
        if flags & _END_HEADERS:
            (stream, end, block), self._block = self._block, None
            self._events.headers(stream, bytes(block), end)

    def _take_window(self, stream: int, increment: int) -> None:
        if not stream:
            self._window += increment
            self._send_all_waiting()
        elif stream in self._used:
            self._used[stream] -= increment
            if stream in self._waiting:
                self._send_waiting(stream)

    def _take_settings(self, payload: bytes) -> None:
        for name, value in _SETTING.iter_unpack(payload):
            if name == _INITIAL_WINDOW_SIZE:
                self._initial_window = value
        self._write(_SETTINGS, _ACK, 0, b"")
        self._send_all_waiting()


def _unpadded(flags: int, payload: bytes) -> bytes:
    if not flags & _PADDED:
        return payload
    if payload[0] >= len(payload):
        raise Http2Error
    return payload[1 : len(payload) - payload[0]]
