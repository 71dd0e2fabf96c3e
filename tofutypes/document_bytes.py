"""The bytes of schema, plan and state documents: unpacked, and limited before they are parsed."""

from __future__ import annotations

import gc
import gzip
import io
import os
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tofutypes.errors import DocumentError, SchemaError
from tofutypes.limits import current_limits

_GZIP: Final = b"\x1f\x8b"


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a file, as far as `unpack` accepts them and one byte more.

    Raises:
        OSError: If the file cannot be read.
        ValueError: If the path contains a NUL.
    """
    with Path(os.fsdecode(path)).open("rb") as file:
        return file.read(current_limits().document_size + 1)


def unpack(data: bytes, error: type[SchemaError] | type[DocumentError]) -> bytes:
    """The bytes of a document, out of gzip if they are in gzip, checked against the limits.

    A document of many short values takes up to 150 bytes of memory for each, whatever its size:
    so the values are limited too.

    Args:
        data: The bytes.
        error: The class of the error.

    Raises:
        SchemaError: Or `DocumentError`: if the data is damaged or too large.
    """
    limits = current_limits()
    if data.startswith(_GZIP):
        try:
            with gzip.open(io.BytesIO(data)) as file:
                data = file.read(limits.document_size + 1)
        except (OSError, EOFError, zlib.error) as fault:
            raise error(f"damaged or truncated gzip data: {fault}") from None
    if len(data) > limits.document_size:
        raise error(f"document is too large: the limit is {limits.document_size} bytes")
    if count_values(data) > limits.document_values:
        raise error(f"document has too many values: the limit is {limits.document_values}")
    return data


def count_values(data: bytes) -> int:
    """At least the number of values in JSON text: its commas, brackets and braces."""
    return data.count(b",") + data.count(b"[") + data.count(b"{")


def has_room_for(data: bytes) -> bool:
    """Whether the memory certainly suffices to parse JSON text.

    orjson crashes the process when an allocation fails; the standard library does not.
    """
    try:
        bytearray(_SPARE + 8 * len(data) + _MOST_BYTES * count_values(data))
    except MemoryError:
        return False
    return True


_MOST_BYTES: Final = 200
"""The memory of one value with what the parser needs itself: `{"a":1}`, two values, takes 300."""
_SPARE: Final = 16 << 20


@contextmanager
def without_collector() -> Generator[None]:
    """Pause the garbage collector: parsing makes no garbage, and the search takes most time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
