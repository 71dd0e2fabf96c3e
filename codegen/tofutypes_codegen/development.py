"""A command with the provider of a project, which runs from its sources: `tofutypes dev`."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tofutypes.narrowing import is_dict
from tofutypes.provider.client.attaching import REATTACH
from tofutypes.provider.client.logs import LOGGER
from tofutypes.seasonings.bridges.relay.chain import Chain
from tofutypes.seasonings.bridges.relay.installed import InstalledProvider
from tofutypes.seasonings.bridges.relay.record import Record
from tofutypes.seasonings.bridges.relay.relays import Relays
from tofutypes.seasonings.bridges.relay.wrapped_process import run_process
from tofutypes_codegen.errors import GeneratorError

_REGISTRIES: Final = ("registry.opentofu.org", "registry.terraform.io")


async def run_with_provider(words: Sequence[str], executable: Path, address: str) -> int:
    """Run a command of OpenTofu or Terraform with a provider that need not be installed.

    The provider starts anew for each configuration of it, as under `tofu` alone, and ends with the
    command. What the provider prints and logs goes to standard error.

    Args:
        words: The command.
        executable: The executable of the provider.
        address: The address of the provider. If it is in one of the two public registries, the
            provider is also that of the same name in the other.

    Returns:
        The exit code of the command.

    Raises:
        GeneratorError: If the environment has a `TF_REATTACH_PROVIDERS` that is not valid.
        PluginError: If the provider cannot be started.
        SeasoningsError: If the command cannot be started.
    """
    others = _running_providers(os.environ)
    async with Relays(Chain(()), Record(), redact=False) as relays:
        started = await relays.start([InstalledProvider(address, executable)])
        _show_log()
        provider = dict.fromkeys(_same_addresses(address), started[address])
        variable = {REATTACH: json.dumps({**others, **provider})}
        return await run_process(words, {**os.environ, **variable})


def _running_providers(environment: Mapping[str, str]) -> dict[object, object]:
    """The providers that run already, for example in a debugger."""
    try:
        providers: object = json.loads(environment.get(REATTACH) or "{}")
    except ValueError:
        providers = None
    if not is_dict(providers):
        raise GeneratorError(f"{REATTACH}: expected a JSON object")
    return providers


def _same_addresses(address: str) -> list[str]:
    """The addresses that a configuration can mean by the name of a provider."""
    host, _, name = address.partition("/")
    return [f"{registry}/{name}" for registry in _REGISTRIES] if host in _REGISTRIES else [address]


def _show_log() -> None:
    """Show what providers print and log. They choose by `TF_LOG` what they log."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Formatter())
    logger = logging.getLogger(LOGGER)
    logger.addHandler(handler)
    logger.setLevel(1)


class _Formatter(logging.Formatter):
    """Formats a record as `first: file written`."""

    def format(self, record: logging.LogRecord) -> str:
        return f"{record.name.removeprefix(f'{LOGGER}.')}: {record.getMessage()}"
