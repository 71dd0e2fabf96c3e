"""Bytes in and out: a pair of file descriptors, as those of a child process or a socket."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

_PIECE: Final = 256 << 10
_SLICE: Final = 1 << 20
"""How much is handed to the system at once."""


class Channel(Protocol):
    """Where a peer writes. What arrives is handed to the peer by whoever reads."""

    def write(self, data: bytes | memoryview) -> int:
        """Send bytes, from any thread; the number of bytes that wait to be sent."""
        ...

    def close(self) -> None:
        """Stop reading and writing. Bytes that wait are lost."""
        ...


class FileChannel:
    """A channel over file descriptors, which it closes.

    Args:
        read_from, write_to: pipes, sockets, terminals or files. The same descriptor may be both.
        received: gets the bytes that arrive, in the event loop, and b"" once at their end.
        broken: is called in the event loop when nobody reads any more what is written.
    """

    def __init__(
        self,
        read_from: int,
        write_to: int,
        received: Callable[[bytes], None],
        broken: Callable[[], None],
    ) -> None:
        self._read_from = read_from
        self._write_to = write_to
        self._received = received
        self._broken = broken
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._waiting: deque[memoryview] = deque()
        self._waiting_size = 0
        self._reading = True
        self._closed = False
        self._drained: list[asyncio.Future[None]] = []
        for descriptor in {read_from, write_to}:
            os.set_blocking(descriptor, False)
        self._start_reading()

    def write(self, data: bytes | memoryview) -> int:
        with self._lock:
            if self._closed:
                return 0
            view = memoryview(data)
            if not self._waiting:
                view = view[self._send(view) :]
            if view:
                if not self._waiting:
                    self._loop.call_soon_threadsafe(self._start_writing)
                self._waiting.append(view)
                self._waiting_size += len(view)
            return self._waiting_size

    async def drain(self) -> None:
        """Wait until all bytes are handed to the system."""
        with self._lock:
            if not self._waiting or self._closed:
                return
            drained: asyncio.Future[None] = self._loop.create_future()
            self._drained.append(drained)
        await drained

    def close_writing(self) -> None:
        """Close what is written to; reading goes on. The descriptors must be two."""
        with self._lock:
            with suppress(ValueError, OSError):
                self._loop.remove_writer(self._write_to)
            with suppress(OSError):
                os.close(self._write_to)
            self._write_to = self._read_from
            self._broken()

    def close(self) -> None:
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._waiting.clear()
            self._waiting_size = 0
        self._stop_reading()
        with suppress(ValueError, OSError):
            self._loop.remove_writer(self._write_to)
        for descriptor in {self._read_from, self._write_to}:
            with suppress(OSError):
                os.close(descriptor)
        self._wake()

    def _send(self, view: memoryview) -> int:
        """Write what the system takes now; the number of bytes."""
        sent = 0
        try:
            while sent < len(view):
                sent += os.write(self._write_to, view[sent : sent + _SLICE])
        except BlockingIOError:
            pass
        except OSError:  # nobody reads: the bytes go nowhere
            self._loop.call_soon_threadsafe(self._broken)
            return len(view)
        return sent

    def _start_writing(self) -> None:
        with self._lock:
            if not self._closed and self._waiting:
                self._loop.add_writer(self._write_to, self._write_more)

    def _write_more(self) -> None:
        with self._lock:
            while self._waiting:
                view = self._waiting[0]
                sent = self._send(view)
                self._waiting_size -= sent
                if sent < len(view):
                    self._waiting[0] = view[sent:]
                    return
                self._waiting.popleft()
            self._loop.remove_writer(self._write_to)
        self._wake()

    def _wake(self) -> None:
        drained, self._drained = self._drained, []
        for future in drained:
            if not future.done():
                future.set_result(None)

    def _start_reading(self) -> None:
        try:
            self._loop.add_reader(self._read_from, self._read)
        except (PermissionError, NotImplementedError):
            # Files cannot be waited for, nor can pipes on Windows.
            os.set_blocking(self._read_from, True)
            threading.Thread(target=self._read_in_thread, daemon=True).start()

    def _stop_reading(self) -> None:
        if self._reading:
            self._reading = False
            with suppress(ValueError, OSError, NotImplementedError):
                self._loop.remove_reader(self._read_from)

    def _read(self) -> None:
        try:
            data = os.read(self._read_from, _PIECE)
        except BlockingIOError:
            return
        except OSError:  # reset
            data = b""
        self._take(data)

    def _take(self, data: bytes) -> None:
        if not self._reading:
            return
        if not data:
            self._stop_reading()
        self._received(data)

    def _read_in_thread(self) -> None:
        data = b"-"
        while data:
            try:
                data = os.read(self._read_from, _PIECE)
            except OSError:
                data = b""
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._take, data)
