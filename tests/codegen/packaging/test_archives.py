"""The files of a release: equal for equal content, complete or not there."""

import errno
import hashlib
import json
import os
import stat
import sys
import zipfile
from pathlib import Path

import pytest

from tofutypes_codegen.errors import GeneratorError
from tofutypes_codegen.packaging.archives import (
    Release,
    content_hash,
    write_archive,
    write_manifest,
    write_sums,
)
from tofutypes_codegen.packaging.mirror import write_mirror

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="needs links and file modes: skipped"
)

EXECUTABLE = "terraform-provider-first_v1.0.0"
ADDRESS = "registry.opentofu.org/example/first"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What PyInstaller builds, in miniature."""
    folder = tmp_path / "built"
    (folder / "_internal").mkdir(parents=True)
    (folder / EXECUTABLE).write_text("run")
    (folder / EXECUTABLE).chmod(0o755)
    (folder / "_internal" / "module.pyc").write_text("code")
    (folder / "_internal" / "link.so").symlink_to("module.pyc")
    return folder


def release_in(folder: Path) -> Release:
    return Release("first", "1.0.0", folder)


def test_an_archive(folder: Path, tmp_path: Path) -> None:
    archive = tmp_path / "out" / "first.zip"
    write_archive(folder, archive)
    with zipfile.ZipFile(archive) as packed:
        members = {info.filename: info for info in packed.infolist()}
        modes = {name: info.external_attr >> 16 for name, info in members.items()}
        assert packed.read("_internal/link.so") == b"code"
    assert list(members) == ["_internal/link.so", "_internal/module.pyc", EXECUTABLE]
    assert modes[EXECUTABLE] == stat.S_IFREG | 0o755
    assert modes["_internal/link.so"] == stat.S_IFREG | 0o644
    assert {info.date_time for info in members.values()} == {(1980, 1, 1, 0, 0, 0)}


def test_archives_depend_on_nothing_but_the_content(folder: Path, tmp_path: Path) -> None:
    write_archive(folder, tmp_path / "one.zip")
    (folder / EXECUTABLE).chmod(0o700)
    (folder / "_internal" / "module.pyc").chmod(0o600)
    os.utime(folder / EXECUTABLE, (10**9, 10**9))
    write_archive(folder, tmp_path / "other.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "other.zip").read_bytes()


def test_content_hash(folder: Path, tmp_path: Path) -> None:
    # printf '%s  %s\n' SHA256 NAME ... | openssl sha256 -binary | base64
    write_archive(folder, tmp_path / "one.zip")
    assert content_hash(tmp_path / "one.zip") == "h1:c2KX2EBtSWp8SC/eyuYqaztiDqYImIKKLDU84mX7a8A="


def test_sums_and_manifest(folder: Path, tmp_path: Path) -> None:
    release = release_in(tmp_path / "dist")
    for system in ("windows_amd64", "linux_amd64"):
        write_archive(folder, release.archive(system))
    write_manifest(release, [6, 5])
    write_sums(release)
    assert json.loads(release.manifest.read_text()) == {
        "version": 1,
        "metadata": {"protocol_versions": ["5.0", "6.0"]},
    }
    lines = [line.split("  ") for line in release.sums.read_text().splitlines()]
    assert [name for _, name in lines] == [
        "terraform-provider-first_1.0.0_linux_amd64.zip",
        "terraform-provider-first_1.0.0_manifest.json",
        "terraform-provider-first_1.0.0_windows_amd64.zip",
    ]
    for digest, name in lines:
        assert digest == hashlib.sha256((release.folder / name).read_bytes()).hexdigest()


def test_a_signature_stays_as_long_as_it_is_valid(folder: Path, tmp_path: Path) -> None:
    release = release_in(tmp_path)
    write_archive(folder, release.archive("linux_amd64"))
    write_manifest(release, [6])
    write_sums(release)
    release.signature.write_text("signed")
    write_sums(release)
    assert release.signature.exists()
    write_archive(folder, release.archive("linux_arm64"))
    write_sums(release)
    assert not release.signature.exists()


def test_archives_that_are_none(folder: Path, tmp_path: Path) -> None:
    release = release_in(tmp_path)
    assert release.archives() == {}
    assert release_in(tmp_path / "missing").archives() == {}
    archive = release.archive("linux_amd64")
    write_archive(folder, archive)
    (tmp_path / "terraform-provider-first_1.0.0_SHA256SUMS").touch()
    assert release.archives() == {"linux_amd64": archive}
    archive.write_bytes(archive.read_bytes()[:-10])
    with pytest.raises(GeneratorError, match=r"linux_amd64\.zip: not a complete zip archive$"):
        release.archives()
    (folder / EXECUTABLE).rename(folder / "other")
    write_archive(folder, archive)
    with pytest.raises(GeneratorError, match=f"the archive has no file {EXECUTABLE}$"):
        release.archives()


def test_an_archive_is_complete_or_not_there(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = tmp_path / "first.zip"
    archive.write_text("old")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("shutil.copyfileobj", full)
    with pytest.raises(GeneratorError, match=r"first\.zip: cannot write the file: No space left"):
        write_archive(folder, archive)
    assert archive.read_text() == "old"
    assert {path.name for path in tmp_path.iterdir()} == {"built", "first.zip"}


def test_a_mirror(folder: Path, tmp_path: Path) -> None:
    mirror, release = tmp_path / "mirror", release_in(tmp_path / "dist")
    archive = release.archive("linux_amd64")
    write_archive(folder, archive)
    write_mirror(mirror, ADDRESS, release)
    later = Release("first", "1.1.0", tmp_path / "dist")
    (folder / EXECUTABLE).rename(folder / later.executable)
    write_archive(folder, later.archive("linux_amd64"))
    write_mirror(mirror, ADDRESS, later)
    home = mirror / ADDRESS
    assert json.loads((home / "index.json").read_text()) == {"versions": {"1.0.0": {}, "1.1.0": {}}}
    assert json.loads((home / "1.0.0.json").read_text()) == {
        "archives": {
            "linux_amd64": {
                "url": archive.name,
                "hashes": [
                    content_hash(archive),
                    f"zh:{hashlib.sha256(archive.read_bytes()).hexdigest()}",
                ],
            }
        }
    }
    assert (home / archive.name).read_bytes() == archive.read_bytes()


@pytest.mark.parametrize("text", ["", "[]", '{"versions": 1}'])
def test_a_mirror_with_another_index(folder: Path, tmp_path: Path, text: str) -> None:
    index = tmp_path / ADDRESS / "index.json"
    index.parent.mkdir(parents=True)
    index.write_text(text)
    with pytest.raises(GeneratorError, match=r"index\.json: not the index of a mirror$"):
        write_mirror(tmp_path, ADDRESS, release_in(tmp_path))
    assert index.read_text() == text
