"""States in chunks, as state stores send and receive them.

Source: `internal/plugin6/grpc_provider.go` of Terraform 1.15.5. All chunks but the last have the
size that both sides agreed on; a state that does not exist has no chunk.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from typing import IO, Any, Final, TypeAlias, cast

from tofutypes.errors import TofuTypesError, describe
from tofutypes.provider.service.state_requests import StateRange

DEFAULT_CHUNK_SIZE: Final = 8 << 20
"""The bytes of a chunk that Terraform proposes."""

MAX_CHUNK_SIZE: Final = 128 << 20
"""The bytes of the largest chunk that Terraform accepts."""

StateData: TypeAlias = bytes | bytearray | memoryview | IO[bytes] | Iterable[bytes]
"""The bytes of a state: whole, as an open binary file, or in pieces of any size."""


class ChunkError(TofuTypesError):
    """Chunks that are not a state, or not an entire one."""


class ChunkCheck:
    """Checks that chunks follow one another and make up an entire state.

    Args:
        chunk_size: The bytes of all chunks but the last.
    """

    def __init__(self, chunk_size: int) -> None:
        self._chunk_size = chunk_size
        self._count = 0
        self._received = 0
        self._total = 0

    def add(self, data: bytes, total_length: int, place: StateRange) -> None:
        """Check the next chunk.

        Raises:
            ChunkError: If the chunk is not the one that has to follow.
        """
        self._count += 1
        if self._count == 1:
            self._total = total_length
        start, end = self._received, self._received + len(data)
        if self._total <= 0:
            raise self._error(f"expected a total length above 0, got {self._total}")
        if total_length != self._total:
            raise self._error(f"expected the total length {self._total}, got {total_length}")
        if start == self._total:
            raise self._error(f"the state already had its {self._total} bytes")
        expected = min(self._chunk_size, self._total - start)
        if len(data) != expected:
            raise self._error(f"expected {expected} bytes, got {len(data)}")
        if place != (start, end - 1):
            raise self._error(
                f"expected the range {start} to {end - 1}, got {place.start} to {place.end}"
            )
        self._received = end

    def finish(self) -> None:
        """Check that the chunks were all.

        Raises:
            ChunkError: If bytes are missing.
        """
        if self._received != self._total:
            raise ChunkError(f"expected {self._total} bytes, got {self._received}")

    def _error(self, fault: str) -> ChunkError:
        return ChunkError(f"chunk {self._count}: {fault}")


class StateContent:
    """The bytes of a state, whose number is known before the first is read.

    Pieces of an unknown number of bytes are kept in a temporary file until all are there.

    Args:
        state: The state.
        owned: Whether `close` also closes the file, or ends the generator, that was passed.

    Attributes:
        size: The number of bytes.

    Raises:
        ChunkError: If it is not a state.
    """

    def __init__(self, state: StateData, *, owned: bool = False) -> None:
        self._read: Callable[[int], bytes]
        self._closing = ExitStack()
        if owned:
            self._closing.callback(_close, state)
        try:
            self._open(state)
        except BaseException:
            self._closing.close()
            raise

    def _open(self, state: object) -> None:
        if isinstance(state, bytes | bytearray | memoryview):
            self._open_bytes(memoryview(cast("bytes", state)).cast("B"))
        elif isinstance(state, io.TextIOBase):
            raise ChunkError("expected bytes, a binary file or pieces, got a text file")
        elif hasattr(state, "read"):
            self._open_file(cast("IO[bytes]", state))
        elif isinstance(state, Iterable) and not isinstance(state, str):
            self._keep(cast("Iterable[object]", state))
        else:
            raise ChunkError(f"expected bytes, a binary file or pieces, got {describe(state)}")

    def chunks(self, chunk_size: int) -> Iterator[tuple[bytes, StateRange]]:
        """Read the state in chunks, with their places.

        Raises:
            ChunkError: If a file has changed meanwhile.
            OSError: If a file cannot be read.
        """
        start = 0
        while start < self.size:
            wanted = min(chunk_size, self.size - start)
            data = self._read(wanted)
            while data and len(data) < wanted:
                more = self._read(wanted - len(data))
                if not more:
                    break
                data += more
            _ensure_bytes(data)
            if len(data) != wanted:
                got = start + len(data)
                raise ChunkError(f"expected {self.size} bytes, got {got}: the file has changed")
            yield data, StateRange(start, start + wanted - 1)
            start += wanted

    def close(self) -> None:
        """Remove the temporary file, if one was needed."""
        self._closing.close()

    def _open_bytes(self, view: memoryview) -> None:
        self.size = len(view)
        position = 0

        def read(count: int) -> bytes:
            nonlocal position
            position += count
            return bytes(view[position - count : position])

        self._read = read

    def _open_file(self, file: IO[bytes]) -> None:
        if not file.seekable():
            self._keep(iter(lambda: file.read(DEFAULT_CHUNK_SIZE), b""))
            return
        position = file.tell()
        self.size = file.seek(0, os.SEEK_END) - position
        file.seek(position)
        self._read = file.read

    def _keep(self, pieces: Iterable[object]) -> None:
        import tempfile  # not needed by most state stores

        file = tempfile.SpooledTemporaryFile(DEFAULT_CHUNK_SIZE)  # noqa: SIM115  # closed below
        self._closing.callback(file.close)
        for piece in pieces:
            file.write(_ensure_bytes(piece))
        self.size = file.tell()
        file.seek(0)
        self._read = file.read


def _ensure_bytes(piece: object) -> bytes:
    if isinstance(piece, bytes | bytearray | memoryview):
        return cast("bytes", piece)
    raise ChunkError(f"expected pieces of bytes, got {describe(piece)}")


def _close(state: object) -> None:
    close: Callable[[], Any] | None = getattr(state, "close", None)
    if close is not None:
        with suppress(OSError):
            close()
