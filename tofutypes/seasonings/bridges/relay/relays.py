"""Relays before providers."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from tofutypes.provider.transport.folders import CLIENT_PREFIX, private_folder
from tofutypes.seasonings.bridges.relay.chain import Chain
from tofutypes.seasonings.bridges.relay.installed import InstalledProvider
from tofutypes.seasonings.bridges.relay.record import Record
from tofutypes.seasonings.bridges.relay.redaction import Redaction
from tofutypes.seasonings.bridges.relay.relayed_provider import RelayedProvider
from tofutypes.seasonings.bridges.relay.resource_calls import ResourceCalls


class Relays:
    """Relays, until they are closed.

    Args:
        chain: the plugins.
        record: keeps what was seen.
        redact: whether plugins get to see no secrets.
    """

    def __init__(self, chain: Chain, record: Record, *, redact: bool) -> None:
        self._chain = chain
        self._record = record
        self._redaction = Redaction() if redact else None
        self._providers: list[RelayedProvider] = []
        self._resources = ExitStack()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        with self._resources:
            await asyncio.gather(*(provider.close() for provider in self._providers))

    async def start(self, providers: Sequence[InstalledProvider]) -> Mapping[str, object]:
        """Put a relay before each provider; what Terraform Core has to know of them.

        Args:
            providers: the providers, by addresses that differ.

        Raises:
            PluginError: If a provider cannot be started.
        """
        sockets = self._resources.enter_context(private_folder(CLIENT_PREFIX))
        relays = [
            self._start(provider, sockets / f"s{number}")
            for number, provider in enumerate(providers)
        ]
        reattach = await asyncio.gather(*relays)
        return dict(zip((provider.address for provider in providers), reattach, strict=True))

    async def _start(self, installed: InstalledProvider, socket: Path) -> Mapping[str, object]:
        calls = ResourceCalls(installed.address, self._chain, self._redaction, self._record)
        provider = RelayedProvider(installed, calls, self._record.failures.append)
        self._providers.append(provider)
        return {
            "Protocol": "grpc",
            "ProtocolVersion": await provider.start(socket),
            "Pid": os.getpid(),
            "Test": True,  # Terraform Core does not end the relay
            "Addr": {"Network": "unix", "String": str(socket)},
        }
