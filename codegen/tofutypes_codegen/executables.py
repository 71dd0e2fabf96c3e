"""Asking the program of a provider for its schemas, as OpenTofu and Terraform do.

Needs the extra `tofutypes[provider]`; nothing of it is imported before it is needed.
"""

from __future__ import annotations

import re
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from tofutypes.schema.definitions import ProviderSchema
from tofutypes_codegen.errors import GeneratorError

_EXTRA: Final = frozenset({"cryptography", "google", "grpc"})
"""The packages that the extra installs."""

_DEFAULT_PLACE: Final = "registry.terraform.io/hashicorp"

_VERSION: Final = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+([-+].*)?")
_SYSTEM: Final = re.compile(r"[a-z0-9]+_[a-z0-9]+")
_PART: Final = r"[^\s/]+"
_ADDRESS: Final = re.compile(rf"{_PART}/{_PART}/{_PART}")

# How executable files begin: ELF, Windows, Mach-O (32 and 64 bit, universal), scripts.
_MARKS: Final = (
    b"\x7fELF",
    b"MZ",
    b"\xfe\xed\xfa\xce",
    b"\xfe\xed\xfa\xcf",
    b"\xce\xfa\xed\xfe",
    b"\xcf\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe",
    b"#!",
)


def is_program(path: Path) -> bool:
    """Whether a file is a program, by how it begins. A pipe is not looked into."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(4).startswith(_MARKS)
    except (OSError, ValueError):
        return False  # who reads it tells why it cannot be read


def ask_program(path: Path, address: str | None, timeout: float) -> dict[str, ProviderSchema]:
    """The schemas that a provider tells, by its address.

    Args:
        path: the program of the provider.
        address: the address of the provider; by default what the folders or the name tell.
        timeout: how many seconds it may take to start.

    Raises:
        GeneratorError: the extra is not installed, or the address is not valid.
        PluginError: the program is no provider, or does not work.
        ProviderError: the provider cannot tell its schemas.
        SchemaError: what it tells are no schemas; with the place.
    """
    if address is not None and not _ADDRESS.fullmatch(address):
        raise GeneratorError(
            f'--address "{address}": expected an address such as registry.opentofu.org/acme/cloud'
        )
    try:
        from tofutypes.provider import PluginError
        from tofutypes.provider.client import launch
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA:
            raise
        raise GeneratorError(
            f"{path}: to run the executable of a provider, pip install 'tofutypes[provider]'"
        ) from None
    with ExitStack() as running:
        try:
            client = running.enter_context(launch(path, timeout=timeout))
        except PluginError as error:
            raise GeneratorError(f"{error}; is this the executable of a provider?") from None
        return {address or address_of(path): client.schema}


def address_of(path: Path) -> str:
    """The address of the provider that a program is of.

    By the folders, if it lies where OpenTofu and Terraform put or look for programs:
    `HOST/NAMESPACE/TYPE/VERSION/SYSTEM/terraform-provider-TYPE`; else by its name alone.
    """
    from tofutypes.provider.client import provider_name

    name = provider_name(path)
    folders = [each.name for each in path.absolute().parents][:5]
    if len(folders) == 5:
        system, version, type_, namespace, host = folders
        if _SYSTEM.fullmatch(system) and _VERSION.fullmatch(version) and type_ == name:
            return f"{host}/{namespace}/{type_}"
    return f"{_DEFAULT_PLACE}/{name}"
