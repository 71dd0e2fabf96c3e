"""The files of a release, as the registries of OpenTofu and Terraform want them.

Source: https://developer.hashicorp.com/terraform/registry/providers/publishing and
https://opentofu.org/docs/internals/provider-registry-protocol/
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shutil
import stat
import zipfile
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from tofutypes_codegen.errors import GeneratorError
from tofutypes_codegen.packaging.program import PREFIX

_TIME: Final = (1980, 1, 1, 0, 0, 0)
"""The time of all files in archives: equal builds give equal archives."""

_UNIX: Final = 3
_PIECE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Release:
    """A version of a provider.

    Attributes:
        name: The name of the provider: `first`.
        version: The version: `1.2.0`.
        folder: The folder of the files.
    """

    name: str
    version: str
    folder: Path

    @property
    def executable(self) -> str:
        """The name of the executable, without the suffix of Windows."""
        return f"{PREFIX}{self.name}_v{self.version}"

    @property
    def sums(self) -> Path:
        """The file with the checksums."""
        return self._file("SHA256SUMS")

    @property
    def signature(self) -> Path:
        """The signature of the checksums."""
        return self._file("SHA256SUMS.sig")

    @property
    def manifest(self) -> Path:
        """The manifest of the registry."""
        return self._file("manifest.json")

    def archive(self, system: str) -> Path:
        """The archive for a system (`linux_amd64`)."""
        return self._file(f"{system}.zip")

    def archives(self) -> dict[str, Path]:
        """The archives in the folder, by system.

        Raises:
            GeneratorError: If a file is not an archive of this release.
        """
        start = f"{PREFIX}{self.name}_{self.version}_"
        name = re.compile(rf"{re.escape(start)}([a-z0-9]+_[a-z0-9]+)\.zip")
        files = sorted(self.folder.iterdir()) if self.folder.is_dir() else []
        archives = {match[1]: file for file in files if (match := name.fullmatch(file.name))}
        for file in archives.values():
            _check_archive(file, self.executable)
        return archives

    def _file(self, end: str) -> Path:
        return self.folder / f"{PREFIX}{self.name}_{self.version}_{end}"


def write_archive(folder: Path, archive: Path) -> None:
    """Write all files of a folder into an archive; equal files give equal archives.

    Links are followed: OpenTofu and Terraform do not unpack them.

    Raises:
        GeneratorError: If the archive cannot be written.
    """
    with _replacing(archive) as output, zipfile.ZipFile(output, "w") as target:
        for name, file in sorted(_files(folder)):
            executable = bool(file.stat().st_mode & stat.S_IXUSR)
            info = zipfile.ZipInfo(name, _TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = _UNIX
            info.external_attr = (stat.S_IFREG | (0o755 if executable else 0o644)) << 16
            info.file_size = file.stat().st_size
            with file.open("rb") as source, target.open(info, "w") as member:
                shutil.copyfileobj(source, member, _PIECE)


def write_manifest(release: Release, protocols: Iterable[int]) -> None:
    """Write the manifest, which tells the registry the protocol versions.

    Raises:
        GeneratorError: If the file cannot be written.
    """
    versions = [f"{major}.0" for major in sorted(protocols)]
    manifest = {"version": 1, "metadata": {"protocol_versions": versions}}
    write_text(release.manifest, json.dumps(manifest, indent=2) + "\n")


def write_sums(release: Release) -> None:
    """Write the checksums of all archives and of the manifest; an outdated signature is removed.

    Raises:
        GeneratorError: If a file cannot be read or written.
    """
    files = [*release.archives().values(), release.manifest]
    sums = "".join(f"{sha256(file)}  {file.name}\n" for file in sorted(files))
    if release.sums.is_file() and release.sums.read_text(encoding="utf-8") == sums:
        return
    release.signature.unlink(missing_ok=True)
    write_text(release.sums, sums)


def write_text(file: Path, text: str) -> None:
    """Write a file completely, or not at all.

    Raises:
        GeneratorError: If the file cannot be written.
    """
    with _replacing(file) as output:
        output.write(text.encode())


def copy_file(source: Path, target: Path) -> None:
    """Copy a file completely, or not at all.

    Raises:
        GeneratorError: If the copy cannot be written.
    """
    with source.open("rb") as content, _replacing(target) as output:
        shutil.copyfileobj(content, output, _PIECE)


def sha256(file: Path) -> str:
    """The SHA-256 checksum of a file, as hexadecimal digits."""
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def content_hash(archive: Path) -> str:
    """The hash `h1:` of what is in an archive, which does not depend on how it is packed.

    Source: golang.org/x/mod/sumdb/dirhash, Hash1.
    """
    whole = hashlib.sha256()
    with zipfile.ZipFile(archive) as packed:
        for name in sorted(name for name in packed.namelist() if not name.endswith("/")):
            with packed.open(name) as member:
                digest = hashlib.sha256()
                while piece := member.read(_PIECE):
                    digest.update(piece)
            whole.update(f"{digest.hexdigest()}  {name}\n".encode())
    return f"h1:{base64.b64encode(whole.digest()).decode()}"


def _check_archive(file: Path, executable: str) -> None:
    try:
        with zipfile.ZipFile(file) as packed:
            names = packed.namelist()
    except zipfile.BadZipFile:
        raise GeneratorError(f"{file}: not a complete zip archive") from None
    if not {executable, f"{executable}.exe"} & set(names):
        raise GeneratorError(f"{file}: the archive has no file {executable}")


def _files(folder: Path) -> Iterable[tuple[str, Path]]:
    for here, _, names in os.walk(folder, followlinks=True):
        for name in names:
            file = Path(here, name)
            yield file.relative_to(folder).as_posix(), file


def check_folder(folder: Path) -> None:
    """Check that files can be written into a folder, which need not exist yet.

    Raises:
        GeneratorError: If the folder is a file, or neither the folder nor a folder that it is to be
            made in is writable.
    """
    place = folder.absolute()
    while not os.path.lexists(place):
        place = place.parent
    if not place.is_dir():
        raise GeneratorError(f"{folder}: cannot write the folder: {place} is not a folder")
    if not os.access(place, os.W_OK | os.X_OK):
        raise GeneratorError(f"{folder}: cannot write the folder: Permission denied: {place}")


@contextmanager
def _replacing(file: Path) -> Generator[IO[bytes]]:
    """A new file that takes the place of another when it is complete."""
    draft = file.with_name(f".{file.name}.new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            with draft.open("wb") as output:
                yield output
            draft.replace(file)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise GeneratorError(f"{file}: cannot write the file: {error.strerror or error}") from None
