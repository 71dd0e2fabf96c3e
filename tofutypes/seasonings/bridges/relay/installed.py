"""The providers that `init` has installed for a configuration."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_LOCKED: Final = re.compile(
    r'^provider\s+"([^"]+)"\s*\{[^}]*?^\s*version\s*=\s*"([^"]+)"', re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class InstalledProvider:
    """A provider's executable.

    Attributes:
        address: `registry.opentofu.org/hashicorp/null`.
        executable: the path of the executable.
    """

    address: str
    executable: Path


def installed_providers(
    folder: Path, environment: Mapping[str, str]
) -> Iterator[InstalledProvider]:
    """The providers of a working directory, in the versions that its lock file names."""
    data = folder / environment.get("TF_DATA_DIR", ".terraform")
    locked = _locked_versions(folder / ".terraform.lock.hcl")
    for provider in sorted((data / "providers").glob("*/*/*")):
        address = "/".join(provider.parts[-3:])
        executable = _executable(provider, locked.get(address))
        if executable is not None:
            yield InstalledProvider(address, executable)


def _locked_versions(file: Path) -> Mapping[str, str]:
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    return dict(_LOCKED.findall(text))


def _executable(provider: Path, version: str | None) -> Path | None:
    """The executable that Terraform Core would start: the first by name of the version's folder."""
    versions = sorted(provider.iterdir()) if provider.is_dir() else []
    for folder in versions:
        if version is not None and folder.name != version:
            continue
        for file in sorted(folder.glob(f"*/terraform-provider-{provider.name}*")):
            if file.is_file() and os.access(file, os.X_OK):
                return file
    return None
