"""Fixtures for the tests of the generator."""

import json
from pathlib import Path

import pytest

from tests.codegen.command import Run
from tests.codegen.fake_renderer import FakeRenderer
from tests.codegen.folders import TREE
from tofutypes_codegen import cli
from tofutypes_codegen.output import write

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


@pytest.fixture
def run(here: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line: exit code, lines on standard output, lines on standard error."""

    def run(*arguments: str, body: str = "") -> tuple[int, list[str], list[str]]:
        code = cli.main(arguments, FakeRenderer(body))
        printed = capsys.readouterr()
        return code, printed.out.splitlines(), printed.err.splitlines()

    return run


@pytest.fixture
def infra(tmp_path: Path) -> Path:
    """A package that was generated before."""
    write(tmp_path / "infra", TREE)
    return tmp_path / "infra"
