"""A plugin as a provider: `tofutypes plugin provider`, and the executable that starts it."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NoReturn

from tofutypes.provider.server.serve import serve_service
from tofutypes.seasonings.errors import SeasoningsError
from tofutypes.seasonings.host.launching import launch
from tofutypes.seasonings.resources.remote import PluginService

_ADDRESS: Final = re.compile(r"[\w.-]+(:\d+)?/[\w-]+/([\w-]+)")


def serve_plugin(
    command: Sequence[str], address: str, config: Mapping[str, object] | None = None
) -> NoReturn:
    """Serve a plugin as a provider until Terraform Core ends it.

    Args:
        command: the plugin.
        address: of the provider.
        config: the configuration of the plugin.

    Raises:
        SeasoningsError: If the address is none.
    """
    provider_name(address)
    serve_service(lambda: PluginService(launch(command, config=config)), address)


def write_launcher(
    folder: str, address: str, command: Sequence[str], config: str | None = None
) -> Path:
    """Write the executable of a provider, for `dev_overrides` or a mirror.

    The plugin is started in the working directory of OpenTofu or Terraform, so files in its command
    get absolute paths.

    Raises:
        SeasoningsError: If the address is none.
        OSError: If the file cannot be written.
    """
    name = provider_name(address)
    words = [sys.executable, "-m", "tofutypes_codegen", "plugin", "provider", "--address", address]
    if config is not None:
        words += ["--config", str(Path(config).absolute())]
    words += ["--", shutil.which(command[0]) or command[0]]
    words += [str(Path(word).absolute()) if Path(word).is_file() else word for word in command[1:]]
    file = Path(folder) / f"terraform-provider-{name}"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\nexec {shlex.join(words)}\n")
    file.chmod(0o755)
    return file.absolute()


def provider_name(address: str) -> str:
    """The last part of a provider's address.

    Raises:
        SeasoningsError: If it is no address.
    """
    match = _ADDRESS.fullmatch(address)
    if match is None:
        example = "registry.opentofu.org/acme/cloud"
        raise SeasoningsError(f"{address!a}: expected the address of a provider: {example}")
    return match[2]
