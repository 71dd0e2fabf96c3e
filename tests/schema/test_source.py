import gzip
import json
import os
from pathlib import Path

import pytest

from tofutypes.errors import SchemaError
from tofutypes.limits import Limits, use_limits
from tofutypes.schema.source import load_document, name_of

DOCUMENT = {"größe": [1, None, {"a": "b"}]}
TEXT = json.dumps(DOCUMENT, ensure_ascii=False)
BYTES = TEXT.encode()
PACKED = gzip.compress(BYTES, mtime=0)


class BytesPath(os.PathLike[bytes]):
    def __init__(self, path: Path) -> None:
        self._path = path

    def __fspath__(self) -> bytes:
        return os.fsencode(self._path)


@pytest.mark.parametrize(
    "data",
    [
        BYTES,
        bytearray(BYTES),
        PACKED,
        TEXT.encode("utf-8-sig"),  # as Windows editors save it
        TEXT.encode("utf-16"),  # as PowerShell 5 redirects it
        b"\n" + BYTES + b"\n",
    ],
)
def test_bytes(data: bytes) -> None:
    assert load_document(data) == DOCUMENT


def test_files(tmp_path: Path) -> None:
    plain, packed = tmp_path / "schema.json", tmp_path / "schema.json.gz"
    plain.write_bytes(BYTES)
    packed.write_bytes(PACKED)
    assert load_document(plain) == DOCUMENT
    assert load_document(packed) == DOCUMENT
    assert load_document(str(plain)) == DOCUMENT
    assert load_document(BytesPath(plain)) == DOCUMENT  # type: ignore[arg-type]


def test_objects_are_taken_as_they_are() -> None:
    assert load_document(DOCUMENT) is DOCUMENT


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (b"", "the document is empty; write it with `tofu providers schema -json`"),
        (b"\xef\xbb\xbf \n", "the document is empty; write it with `tofu providers schema -json`"),
        (b'{"a": [', "truncated JSON: "),
        (b'{"a": "b', "truncated JSON: "),
        (b"Warning: something", "invalid JSON: "),
        (b'{"a": "\\ud800"}', "invalid JSON: "),
        (b"\xff\xfe{", "invalid utf-16 text: truncated data"),
        (PACKED[:-9], "damaged or truncated gzip data: "),
        (PACKED[:-8] + bytes(8), "damaged or truncated gzip data: "),
        (PACKED[:10] + b"\xff" * 20, "damaged or truncated gzip data: "),
        (b"\x1f\x8bnot gzip", "damaged or truncated gzip data: "),
        ("no such file", "no such file; write it with `tofu providers schema -json`"),
        (Path("/"), "expected a file, got a directory; write it with "),
        ("nul\0", "cannot read the file: embedded null byte"),
        ("x" * 5000, "cannot read the file: File name too long"),
        (TEXT, "expected a path, got JSON text; pass the text of a document as bytes"),
        ("\n" + TEXT * 100, "expected a path, got JSON text; pass the text of a document as bytes"),
        (None, "expected a path, bytes or a dict, got null"),
        ([DOCUMENT], "expected a path, bytes or a dict, got a list"),
    ],
)
def test_what_cannot_be_read(given: object, message: str) -> None:
    with pytest.raises(SchemaError) as caught:
        load_document(given)  # type: ignore[arg-type]
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_a_small_archive_of_a_huge_document() -> None:
    document = b"[" + b" " * (1 << 20) + b"]"
    for given in (document, gzip.compress(document)):
        with (
            use_limits(Limits(document_size=1 << 20)),
            pytest.raises(SchemaError, match="the limit is 1048576 bytes"),
        ):
            load_document(given)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        (b"{}", ""),
        ({}, ""),
        ("schema.json", "schema.json"),
        (Path("a/b.json"), "a/b.json"),
        (BytesPath(Path("a/b.json")), "a/b.json"),
        ("a\nb\udcff", "a\\nb\\udcff"),
        ("x" * 400, "x" * 300 + "…"),
    ],
)
def test_errors_name_the_file(given: object, name: str) -> None:
    assert name_of(given) == name  # type: ignore[arg-type]
