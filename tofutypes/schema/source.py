"""Where a schema document comes from: a file, bytes, or objects that were parsed already."""

from __future__ import annotations

import codecs
import json
import os
from collections.abc import Mapping
from typing import Final, TypeAlias

import orjson

from tofutypes.document_bytes import has_room_for, read_bytes, unpack
from tofutypes.errors import SchemaError, describe, one_line

SchemaSource: TypeAlias = str | os.PathLike[str] | bytes | bytearray | Mapping[str, object]
"""A path (also a `str`), the bytes of a document (JSON, or JSON in gzip), or its parsed JSON."""

MAX_NAME: Final = 300
"""How much of a path an error shows."""

HOW_TO_WRITE_ONE: Final = "write it with `tofu providers schema -json`"

# Windows PowerShell writes UTF-16 when the output of a program is redirected into a file.
_ENCODINGS: Final = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def load_document(source: SchemaSource) -> object:
    """The parsed JSON of a document.

    Raises:
        SchemaError: If the source cannot be read or is not JSON.
    """
    if isinstance(source, Mapping):
        return source
    if isinstance(source, bytes | bytearray):
        return _parse(bytes(source))
    if isinstance(source, str | os.PathLike):  # pyright: ignore[reportUnnecessaryIsInstance]
        return _parse(_read_file(source))
    raise SchemaError(f"expected a path, bytes or a dict, got {describe(source)}")


def name_of(source: SchemaSource) -> str:
    """The name of the file for an error; empty if the source is no file."""
    if isinstance(source, str | os.PathLike):
        name = one_line(os.fsdecode(source))
        return name if len(name) <= MAX_NAME else f"{name[:MAX_NAME]}…"
    return ""


def _read_file(path: str | os.PathLike[str]) -> bytes:
    try:
        return read_bytes(path)
    except FileNotFoundError:
        reason = f"no such file; {HOW_TO_WRITE_ONE}"
    except IsADirectoryError:
        reason = f"expected a file, got a directory; {HOW_TO_WRITE_ONE}"
    except OSError as error:
        reason = f"cannot read the file: {error.strerror}"
    except ValueError as error:  # a path with a NUL
        reason = f"cannot read the file: {error}"
    if isinstance(path, str) and path.lstrip()[:1] in {"{", "["}:
        reason = "expected a path, got JSON text; pass the text of a document as bytes"
    raise SchemaError(reason)


def _parse(data: bytes) -> object:
    text = _decode(unpack(data, SchemaError))
    if not text.strip():
        raise SchemaError(f"the document is empty; {HOW_TO_WRITE_ONE}")
    try:
        parsed: object = (orjson if has_room_for(text) else json).loads(text)
    except json.JSONDecodeError as error:  # the base class of orjson's
        truncated = error.msg == "unexpected end of data" or error.pos >= len(text.rstrip())
        what = "truncated JSON" if truncated else "invalid JSON"
        raise SchemaError(f"{what}: {error}; {HOW_TO_WRITE_ONE}") from None
    except RecursionError:
        raise SchemaError("JSON is nested too deeply") from None
    return parsed


def _decode(data: bytes) -> bytes:
    for mark, encoding in _ENCODINGS.items():
        if data.startswith(mark):
            try:
                return data.decode(encoding).encode()
            except UnicodeDecodeError as error:
                raise SchemaError(f"invalid {encoding} text: {error.reason}") from None
    return data
