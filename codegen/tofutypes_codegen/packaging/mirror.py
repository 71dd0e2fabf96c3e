"""A folder that serves as `filesystem_mirror` and, behind an HTTPS server, as `network_mirror`.

The layout is that of `tofu providers mirror`. Source:
https://opentofu.org/docs/internals/provider-network-mirror-protocol/
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tofutypes.narrowing import is_mapping
from tofutypes_codegen.errors import GeneratorError
from tofutypes_codegen.packaging.archives import (
    Release,
    content_hash,
    copy_file,
    sha256,
    write_text,
)


def write_mirror(mirror: Path, address: str, release: Release) -> None:
    """Put the archives of a release into a mirror; other versions in it stay.

    Args:
        mirror: The folder of the mirror.
        address: The address of the provider: `registry.opentofu.org/example/first`.
        release: The release.

    Raises:
        GeneratorError: If a file cannot be read or written.
    """
    folder = mirror.joinpath(*address.split("/"))
    archives: dict[str, object] = {}
    for system, archive in release.archives().items():
        copy_file(archive, folder / archive.name)
        hashes = [content_hash(archive), f"zh:{sha256(archive)}"]
        archives[system] = {"hashes": hashes, "url": archive.name}
    index = folder / "index.json"
    versions = _versions_in(index)
    versions[release.version] = {}
    _write_json(folder / f"{release.version}.json", {"archives": archives})
    _write_json(index, {"versions": dict(sorted(versions.items()))})


def _versions_in(index: Path) -> dict[str, object]:
    try:
        document: object = json.loads(index.read_bytes())
    except FileNotFoundError:
        return {}
    except ValueError:
        document = None
    versions = document.get("versions") if is_mapping(document) else None
    if not is_mapping(versions):
        raise GeneratorError(f"{index}: not the index of a mirror")
    return {str(version): entry for version, entry in versions.items()}


def _write_json(file: Path, document: Mapping[str, object]) -> None:
    write_text(file, json.dumps(document, indent=2) + "\n")
