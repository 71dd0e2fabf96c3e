"""Versions and systems, as registries write them."""

from importlib import metadata
from pathlib import Path

import pytest

from tofutypes_codegen.errors import GeneratorError
from tofutypes_codegen.packaging.program import Project
from tofutypes_codegen.packaging.versions import (
    release_version,
    semantic_version,
    this_system,
)


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("1.2.0", "1.2.0"),
        ("1.2", "1.2.0"),
        ("3", "3.0.0"),
        ("1.2.0-rc.1", "1.2.0-rc.1"),
        ("1.2.0rc1", "1.2.0-rc1"),
        ("1.2a3", "1.2.0-alpha3"),
        ("1.2b1.dev4", "1.2.0-beta1.dev4"),
        ("1.2.0.dev5", "1.2.0-dev5"),
        ("v1.2", "1.2.0"),
    ],
)
def test_versions(text: str, version: str) -> None:
    assert semantic_version(text) == version


@pytest.mark.parametrize(
    "text", ["", "one", "1.2.0+local", "1!2.0", "1.2.0.post1", "1.2.3.4", "../1.0", "1.0 x"]
)
def test_versions_that_registries_refuse(text: str) -> None:
    with pytest.raises(GeneratorError, match=r"^version '.*': .* 1\.2\.0"):
        semantic_version(text)


def project(name: str | None, version: str | None) -> Project:
    return Project(Path("here"), name, version, {})


def test_where_the_version_comes_from() -> None:
    assert release_version(project("x", "1.0"), "v2.0") == "2.0.0"
    assert release_version(project("x", "1.0"), None) == "1.0.0"
    installed = semantic_version(metadata.version("pydantic"))
    assert release_version(project("pydantic", None), None) == installed
    with pytest.raises(GeneratorError, match="no-such-project is not installed"):
        release_version(project("no-such-project", None), None)
    with pytest.raises(GeneratorError, match="use --version"):
        release_version(project(None, None), None)


@pytest.mark.parametrize(
    ("platform", "machine", "bits", "system"),
    [
        ("linux", "x86_64", 64, "linux_amd64"),
        ("linux", "aarch64", 64, "linux_arm64"),
        ("linux", "aarch64", 32, "linux_arm"),
        ("linux", "armv7l", 32, "linux_arm"),
        ("darwin", "arm64", 64, "darwin_arm64"),
        ("win32", "AMD64", 64, "windows_amd64"),
        ("win32", "AMD64", 32, "windows_386"),
        ("freebsd14", "amd64", 64, "freebsd_amd64"),
    ],
)
def test_systems(
    monkeypatch: pytest.MonkeyPatch, platform: str, machine: str, bits: int, system: str
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setattr("platform.machine", lambda: machine)
    monkeypatch.setattr("sys.maxsize", 2 ** (bits - 1) - 1)
    assert this_system() == system


def test_a_system_without_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "z80")
    with pytest.raises(GeneratorError, match=r"on z80: OpenTofu has no name for this system"):
        this_system()
