"""Fixtures for the tests of the generator."""

import json
from pathlib import Path

import pytest

DOCUMENT: dict[str, object] = {
    "format_version": "1.0",
    "provider_schemas": {
        "registry.opentofu.org/acme/cloud": {
            "provider": {"version": 0},
            "resource_schemas": {
                "cloud_disk": {"version": 0, "block": {"description_kind": "plain"}},
                "cloud_server": {"version": 0, "block": {"description_kind": "plain"}},
            },
            "data_source_schemas": {
                "cloud_image": {"version": 0, "block": {"description_kind": "plain"}}
            },
        }
    },
}


@pytest.fixture(scope="session")
def document() -> bytes:
    """A small schema document."""
    return json.dumps(DOCUMENT).encode()


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, document: bytes) -> Path:
    """The current folder: an empty one but for `schema.json`."""
    (tmp_path / "schema.json").write_bytes(document)
    monkeypatch.chdir(tmp_path)
    return tmp_path
