"""Versions and systems as registries write them."""

from __future__ import annotations

import platform
import re
import sys
from importlib import metadata
from typing import Final

from tofutypes_codegen.errors import GeneratorError
from tofutypes_codegen.packaging.program import Project

_SEMANTIC: Final = re.compile(
    r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?"
)
_STAGES: Final = {"a": "alpha", "b": "beta", "rc": "rc"}

_SYSTEMS: Final = {"linux": "linux", "darwin": "darwin", "win32": "windows", "freebsd": "freebsd"}
_MACHINES: Final = {
    "x86_64": "amd64",
    "amd64": "amd64",
    "aarch64": "arm64",
    "arm64": "arm64",
    "i386": "386",
    "i686": "386",
    "x86": "386",
    "armv6l": "arm",
    "armv7l": "arm",
}
_MACHINES_32_BIT: Final = {"amd64": "386", "arm64": "arm"}


def release_version(project: Project, named: str | None) -> str:
    """The version of a release: `1.2.0`, or `1.2.0-rc1` for Python's `1.2rc1`.

    Args:
        project: The project. A dynamic version is that of the installed distribution.
        named: The version that the user names.

    Raises:
        GeneratorError: If there is no version, or registries have no word for it.
    """
    if named is not None:
        return semantic_version(named.removeprefix("v"))
    if project.version is not None:
        return semantic_version(project.version)
    if project.name is None:
        raise GeneratorError(f"{project.folder}: no pyproject.toml with a version: use --version")
    try:
        return semantic_version(metadata.version(project.name))
    except metadata.PackageNotFoundError:
        raise GeneratorError(
            f"{project.folder / 'pyproject.toml'}: no version, and {project.name} is not "
            "installed: install it, or use --version"
        ) from None


def semantic_version(text: str) -> str:
    """A version of Python as registries write it; semantic versions stay as they are.

    Raises:
        GeneratorError: If the text is no version, or has a part that semantic versions lack.
    """
    if _SEMANTIC.fullmatch(text):
        return text
    from packaging.version import InvalidVersion, Version

    try:
        version = Version(text)
    except InvalidVersion:
        raise GeneratorError(f"version {text!a}: expected a version such as 1.2.0") from None
    if version.epoch or version.local or version.post is not None or len(version.release) > 3:
        raise GeneratorError(
            f"version {text!a}: registries accept only versions such as 1.2.0 and 1.2.0-rc1"
        )
    numbers = ".".join(map(str, (*version.release, 0, 0)[:3]))
    parts = [f"{_STAGES[version.pre[0]]}{version.pre[1]}"] if version.pre else []
    if version.dev is not None:
        parts.append(f"dev{version.dev}")
    return f"{numbers}-{'.'.join(parts)}" if parts else numbers


def this_system() -> str:
    """The system that runs this Python, as in the names of archives: `linux_amd64`.

    Raises:
        GeneratorError: If OpenTofu and Terraform have no name for it.
    """
    system = next((name for key, name in _SYSTEMS.items() if sys.platform.startswith(key)), None)
    machine = _MACHINES.get(platform.machine().lower())
    if system is None or machine is None:
        raise GeneratorError(
            f"{sys.platform} on {platform.machine()}: OpenTofu has no name for this system"
        )
    if sys.maxsize < 2**32:
        machine = _MACHINES_32_BIT.get(machine, machine)
    return f"{system}_{machine}"
