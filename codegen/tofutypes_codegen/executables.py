"""Schemas of provider executables, which are started as OpenTofu and Terraform do.

Needs the extra `tofutypes[provider]`, which is imported only when an executable is started.
"""

from __future__ import annotations

import re
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from tofutypes.schema.definitions import ProviderSchema
from tofutypes_codegen.errors import GeneratorError

_EXTRA: Final = frozenset({"cryptography", "google", "grpc"})
"""The top-level packages that the extra installs."""

_DEFAULT_NAMESPACE: Final = "registry.terraform.io/hashicorp"

_VERSION: Final = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+([-+].*)?")
_SYSTEM: Final = re.compile(r"[a-z0-9]+_[a-z0-9]+")
_PART: Final = r"[^\s/]+"
_ADDRESS: Final = re.compile(rf"{_PART}/{_PART}/{_PART}")

# The first bytes of executables: ELF, Windows, Mach-O (32 and 64 bit, universal), scripts.
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
    """Whether a file is an executable, by its first bytes. Pipes are not read."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(4).startswith(_MARKS)
    except (OSError, ValueError):
        return False  # the reader of the file reports the error


def ask_program(path: Path, address: str | None, timeout: float) -> dict[str, ProviderSchema]:
    """Start a provider and read its schemas; the result is by provider address.

    Args:
        path: The executable of the provider.
        address: The address of the provider; by default what the provider tells, which only
            providers written with this library do, else `address_of(path)`.
        timeout: The seconds that the start may take.

    Raises:
        GeneratorError: If the extra is not installed, the address is not valid, or the executable
            is not a provider.
        ProviderError: If the provider reports an error instead of its schemas.
        SchemaError: If the schemas are not valid. The message has the path.
    """
    if address is not None:
        check_address(address)
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
        schema = client.schema
        return {address or client.provider_address or address_of(path): schema}


def check_address(address: str) -> None:
    """Check the argument of `--address`.

    Raises:
        GeneratorError: If it is not the address of a provider.
    """
    if not _ADDRESS.fullmatch(address):
        raise GeneratorError(
            f'--address "{address}": expected an address such as registry.opentofu.org/acme/cloud'
        )


def address_of(path: Path) -> str:
    """The address of the provider with this executable, as far as its path tells.

    The address comes from the folders where OpenTofu and Terraform keep executables:
    `HOST/NAMESPACE/TYPE/VERSION/SYSTEM/terraform-provider-TYPE`. Elsewhere the name of the file is
    the type, in the namespace `hashicorp`.
    """
    from tofutypes.provider.client import provider_name

    name = provider_name(path)
    folders = [folder.name for folder in path.absolute().parents][:5]
    if len(folders) == 5:
        system, version, type_, namespace, host = folders
        if _SYSTEM.fullmatch(system) and _VERSION.fullmatch(version) and type_ == name:
            return f"{host}/{namespace}/{type_}"
    return f"{_DEFAULT_NAMESPACE}/{name}"
