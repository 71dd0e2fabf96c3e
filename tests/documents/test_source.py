"""Where documents come from, and what is no document."""

from __future__ import annotations

import gzip
import json
from decimal import Decimal
from pathlib import Path

import pytest

from tofutypes import DocumentError, Limits, use_limits
from tofutypes.documents import read_plan, read_state

PLAN = '{"format_version": "1.2", "variables": {"ü": {"value": 0.1234567890123456789012345}}}'
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_bytes_in_any_encoding_also_gzipped(encoding: str, tmp_path: Path) -> None:
    data = PLAN.encode(encoding)
    file = tmp_path / "plan.json"
    file.write_bytes(gzip.compress(data))
    for source in (data, bytearray(data), gzip.compress(data), file, str(file)):
        value = read_plan(source).variables["ü"].value
        assert value == Decimal("0.1234567890123456789012345")


def test_text_and_parsed_json() -> None:
    for source in (PLAN, "\ufeff" + PLAN, "\n  " + PLAN, json.loads(PLAN)):
        assert list(read_plan(source).variables) == ["ü"]


def test_parsed_json_stays_as_it_is() -> None:
    document = {"resource_changes": [{"address": "a.b", "change": {"after": {"x": [1.5]}}}]}
    copy = json.loads(json.dumps(document))
    after = read_plan(document).resource_changes[0].after
    assert after == {"x": [Decimal("1.5")]}
    assert document == copy


def test_integers_of_any_length() -> None:
    digits = "9" * 3000
    variables = read_plan(
        f'{{"variables": {{"x": {{"value": {digits}}}}}}}'.replace(
            '{"variables"', '{"format_version": "1.0", "variables"'
        )
    ).variables
    assert variables["x"].value == 10**3000 - 1


REFUSED = {
    b"": "empty",
    b"  \n": "empty",
    b"not json": "not JSON",
    b"PK\x03\x04\x14\x00": "binary plan file; write it with `tofu show -json PLANFILE",
    b'{"format_version": "1.2", "resource_ch': "cut off",
    b'{"format_version": "1.2", ': "cut off",
    b'{"@level":"info","@message":"x","type":"version"}\n{"@level":"info"}': "progress of a run",
    b"[1]": "expected a plan, got JSON that is a list",
    b"null": "expected a plan, got JSON that is null",
    b"\x1f\x8b\x08junk": "damaged or truncated gzip data",
    b'{"a": "\xff"}': "not valid utf-8",
    b'{"format_version": "1.2", "x": NaN}': "expected a number, got NaN",
    b"{}": "not a plan",
    b'{"format_version": "2.0"}': "2.0 is newer than 1.x",
    b'{"format_version": "one"}': 'expected a version such as "1.2"',
    b'{"format_version": 1}': "got a number",
    b'{"version": 4, "serial": 1, "lineage": "x"}': "this is a state file; read it with read_state",
    b'{"format_version": "1.0", "values": {}}': "this is a state; read it with read_state",
    b'{"encrypted_data": "x", "encryption_version": "v0"}': "encrypted",
    b'{"format_version": "1.0", "provider_schemas": {}}': "read it with read_schemas",
    b'{"a":' * 100_000: "nested too deeply",
    b"[" * 100_000: "nested too deeply",
}


@pytest.mark.parametrize("data", REFUSED, ids=lambda data: repr(data[:30]))
def test_what_is_no_plan_is_refused_with_one_line(data: bytes) -> None:
    with pytest.raises(DocumentError, match=REFUSED[data]) as caught:
        read_plan(data)
    assert "\n" not in str(caught.value)


REFUSED_STATES = {
    b"{}": "not a state",
    b'{"version": 3, "serial": 1}': "version 3 are not read",
    b'{"version": 5}': "5 is newer than 4",
    b'{"version": true}': "not a state",
    b'{"format_version": "2.0", "values": {}}': "newer than 1.x",
    b'{"encrypted_data": "x", "serial": 1}': "encrypted",
    b'{"format_version": "1.2", "resource_changes": []}': "this is a plan; read it with read_plan",
}


@pytest.mark.parametrize("data", REFUSED_STATES)
def test_what_is_no_state_is_refused(data: bytes) -> None:
    with pytest.raises(DocumentError, match=REFUSED_STATES[data]):
        read_state(data)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=r"nowhere\.json: no such file"):
        read_plan("nowhere.json")
    with pytest.raises(DocumentError, match="expected a file, got a directory"):
        read_plan(tmp_path)
    with pytest.raises(DocumentError, match="expected a path, text, bytes or a dict, got a number"):
        read_plan(1)  # type: ignore[arg-type]
    with pytest.raises(DocumentError, match="cannot be read"):
        read_plan("a\0b")


def test_a_document_is_limited_also_unpacked() -> None:
    packed = gzip.compress(b" " * 10_000_000 + PLAN.encode())
    with use_limits(Limits(document_size=1_000_000)):
        with pytest.raises(DocumentError, match="too large: the limit is 1000000 bytes"):
            read_plan(packed)
        with pytest.raises(DocumentError, match="too large"):
            read_plan(b" " * 1_000_001)


def test_an_error_has_no_value() -> None:
    with pytest.raises(DocumentError) as caught:
        read_plan(b'{"format_version": "hunter2"}')
    assert "hunter2" not in str(caught.value)
