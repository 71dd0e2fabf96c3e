"""Where a plan or a state comes from: a file, bytes, text, or objects that were parsed already.

Parsed with the standard library's parser, for it hands over the digits of numbers.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn, TypeAlias, TypeVar

from tofutypes.document_bytes import read_bytes, unpack, without_collector
from tofutypes.documents.lazy import parse_lazily
from tofutypes.errors import DocumentError, NumberError, describe, one_line
from tofutypes.narrowing import is_dict
from tofutypes.numbers import parse_number

T = TypeVar("T")

DocumentSource: TypeAlias = str | os.PathLike[str] | bytes | bytearray | Mapping[str, object]
"""A path, the text or the bytes of a document (JSON, or JSON in gzip), or its parsed JSON.

A `str` that starts with `{` is text, any other a path. Bytes are UTF-8 or UTF-16, with or without a
byte order mark.
"""

JsonObject: TypeAlias = dict[str, object]

_LONGEST_NAME: Final = 300
_ZIP: Final = b"PK\x03\x04"


def load_document(source: DocumentSource, kind: str) -> JsonObject:
    """The parsed JSON of a document.

    Args:
        source: where it comes from.
        kind: `plan` or `state`, for errors.

    Raises:
        DocumentError: If it cannot be read, or is not a JSON object.
    """
    if isinstance(source, Mapping):
        return dict(source)
    return _guarded(lambda: _parse_object(_text_of(source, kind), kind))


def load_plan(source: DocumentSource) -> Mapping[str, Any]:
    """The members of a plan, of which the large ones stay text until they are looked up.

    Raises:
        DocumentError: If it cannot be read, or is not a JSON object.
    """
    if isinstance(source, Mapping):
        return source
    return _guarded(lambda: _parse_plan(_text_of(source, "plan")))


def _parse_plan(text: str) -> Mapping[str, Any]:
    try:
        return parse_lazily(text, _SCAN, _parse_part)
    except ValueError:
        return _parse_object(text, "plan")  # says what is wrong


def _guarded(load: Callable[[], T]) -> T:
    try:
        return load()
    except RecursionError:
        raise DocumentError("JSON is nested too deeply") from None
    except MemoryError:
        pass  # raised below, where no traceback keeps half of the document alive
    raise DocumentError("not enough memory to read the document")


def _text_of(source: str | os.PathLike[str] | bytes | bytearray, kind: str) -> str:
    if isinstance(source, str) and _is_text(source):
        return source.lstrip("\ufeff")
    if isinstance(source, bytes | bytearray):
        return _decode(unpack(bytes(source), DocumentError), kind)
    if isinstance(source, str | os.PathLike):  # pyright: ignore[reportUnnecessaryIsInstance]
        return _decode(unpack(_read_file(source, kind), DocumentError), kind)
    raise DocumentError(f"expected a path, text, bytes or a dict, got {describe(source)}")


def _is_text(source: str) -> bool:
    return source.lstrip("\ufeff \t\r\n")[:1] in ("{", "[")


def name_of(source: DocumentSource) -> str:
    """What an error says before its message: the file, if it is one."""
    if isinstance(source, os.PathLike) or (isinstance(source, str) and not _is_text(source)):
        name = one_line(os.fsdecode(source))
        return f"{name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME] + '…'}: "
    return ""


def how_to_write(kind: str) -> str:
    """What to do to get a document that can be read."""
    file = "PLANFILE" if kind == "plan" else "STATEFILE"
    return f"write it with `tofu show -json {file} > {kind}.json`"


def _read_file(path: str | os.PathLike[str], kind: str) -> bytes:
    try:
        return read_bytes(path)
    except FileNotFoundError:
        reason = "no such file"
    except IsADirectoryError:
        reason = f"expected a file, got a directory; {how_to_write(kind)}"
    except OSError as error:
        reason = f"cannot be read ({error.strerror})"
    except ValueError as error:  # a path with a NUL
        reason = f"cannot be read ({error})"
    raise DocumentError(reason)


def _decode(data: bytes, kind: str) -> str:
    if data.startswith(_ZIP):
        raise DocumentError(f"this is a binary plan file; {how_to_write('plan')}")
    encoding = json.detect_encoding(data)  # by the byte order mark, or by where the zeros are
    try:
        return data.decode(encoding).lstrip("\ufeff")
    except UnicodeDecodeError:
        raise DocumentError(f"not JSON: not valid {encoding}; {how_to_write(kind)}") from None


def _parse_object(text: str, kind: str) -> JsonObject:
    try:
        document = _parse_part(text)
    except json.JSONDecodeError as error:
        raise _not_json(text, error, kind) from None
    except ValueError as error:
        raise DocumentError(f"not JSON: {error}") from None
    if not is_dict(document):
        raise DocumentError(f"expected a {kind}, got JSON that is {describe(document)}")
    return document  # type: ignore[return-value]  # JSON has no other keys than strings


def _parse_part(text: str) -> Any:
    """Parse JSON with exact numbers.

    Raises:
        ValueError: If it is not JSON.
    """
    try:
        with without_collector():
            return _DECODER.decode(text)
    except (json.JSONDecodeError, NumberError):
        raise
    except ValueError:
        # Python's own parser takes no integer of more than 4,300 digits.
        return json.loads(
            text, parse_float=parse_number, parse_int=parse_number, parse_constant=_refuse
        )


def _not_json(text: str, error: json.JSONDecodeError, kind: str) -> DocumentError:
    if not text.strip():
        return DocumentError(f"the document is empty; {how_to_write(kind)}")
    place = f"line {error.lineno}, column {error.colno}"
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        return DocumentError(f"the JSON is cut off ({place})")
    if error.msg == "Extra data" and '"@level"' in text[: error.pos]:
        return DocumentError(f"this is the progress of a run (-json); {how_to_write(kind)}")
    return DocumentError(f"not JSON ({place}); {how_to_write(kind)}")


def _refuse(constant: str) -> NoReturn:
    raise NumberError(f"expected a number, got {constant}")


_DECODER: Final = json.JSONDecoder(parse_float=parse_number, parse_constant=_refuse)
_SCAN: Final[Any] = vars(_DECODER)["scan_once"]  # unknown to type checkers
