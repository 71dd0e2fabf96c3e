"""Where messages end: msgpack-rpc has no frames, so the MessagePack itself tells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgpack

from tofutypes.seasonings.errors import CallError, ErrorCode, PeerError

_LARGE: Final = 1 << 20
"""The bytes from which a message gets a buffer of its own, which is freed behind it."""

_START: Final = 4096
"""How much of a message that cannot be read is kept."""


class BrokenStreamError(PeerError):
    """Bytes after which no message can be found any more.

    Attributes:
        error: what the sender is told.
        start: the first bytes of the message.
    """

    def __init__(self, error: CallError, start: bytes) -> None:
        self.error: Final = error
        self.start: Final = start
        super().__init__(str(error))


class Splitter:
    """Splits a stream of bytes into messages, in whatever pieces they arrive.

    The parser only skips over messages here, so an array that claims to be large takes no memory.
    The parser continues where it stopped, so a message in small pieces is scanned once.

    Args:
        limit: the bytes of one message.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._pieces: list[memoryview] = []
        self._size = 0
        self._renew(2 * _LARGE)

    @property
    def pending(self) -> int:
        """The bytes of a message of which the end is missing."""
        return self._size

    @property
    def start(self) -> bytes:
        """The first of the pending bytes."""
        return b"".join(piece[:_START] for piece in self._pieces[:_START])[:_START]

    def feed(self, data: bytes) -> Iterator[bytes | memoryview]:
        """The messages that end within these bytes.

        Raises:
            BrokenStreamError: If the bytes are not MessagePack, or a message is too large.
        """
        before = self._size
        self._pieces.append(memoryview(data))
        self._size += len(data)
        if before < _LARGE <= self._size:
            # A buffer that grows is copied, and takes its memory twice meanwhile.
            self._renew(max(self._limit + _LARGE, self._size))
        else:
            self._unpacker.feed(data)
        while self._size:
            length = self._next_length()
            if length is None:
                return
            yield self._take(length)

    def _renew(self, buffer_size: int) -> None:
        """Let a new parser scan what is pending."""
        # The old parser frees its buffer before the new one allocates another.
        self._unpacker = msgpack.Unpacker()
        self._unpacker = msgpack.Unpacker(read_size=buffer_size, max_buffer_size=0)
        for piece in self._pieces:
            self._unpacker.feed(piece)
        self._origin = 0

    def _next_length(self) -> int | None:
        """The bytes of the next message; None if its end is missing."""
        try:
            self._unpacker.skip()
        except msgpack.OutOfData:
            if self._size > self._limit:
                raise self._too_large() from None
            return None
        except msgpack.StackError:
            raise self._broken(ErrorCode.LIMIT, "message is nested too deeply") from None
        except ValueError:
            raise self._broken(ErrorCode.PARSE, "invalid MessagePack") from None
        end = self._unpacker.tell()
        length, self._origin = end - self._origin, end
        if length > self._limit:
            raise self._too_large()
        return length

    def _take(self, length: int) -> bytes | memoryview:
        pieces, self._pieces = self._pieces, []
        rest = self._size - length
        self._size = rest
        if rest:
            self._pieces = [pieces[-1][-rest:]]
            pieces[-1] = pieces[-1][:-rest]
        if length >= _LARGE:
            self._renew(2 * _LARGE)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def _too_large(self) -> BrokenStreamError:
        return self._broken(
            ErrorCode.LIMIT, f"message is too large: the limit is {self._limit:,} bytes"
        )

    def _broken(self, code: ErrorCode, message: str) -> BrokenStreamError:
        return BrokenStreamError(CallError(code, message), self.start)
