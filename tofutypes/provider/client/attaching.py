"""Connecting to a provider that already runs."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Final

from tofutypes.narrowing import is_mapping
from tofutypes.provider.client.client import Client
from tofutypes.provider.client.connection import Connection, open_channel
from tofutypes.provider.messages.protocol import protocol_of
from tofutypes.provider.messages.versions import SUPPORTED
from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.provider.transport.addresses import TCP, UNIX, Address

REATTACH: Final = "TF_REATTACH_PROVIDERS"
"""The variable that tells Terraform Core and OpenTofu of providers that already run."""


def connect(
    address: Address,
    protocol: int = max(SUPPORTED),
    *,
    call_timeout: float | None = None,
    deferral_allowed: bool = False,
) -> Client:
    """Connect to a provider at an address, without TLS. Closing the client does not end it.

    Args:
        address: Where the provider listens.
        protocol: The protocol version that the provider speaks, 5 or 6.
        call_timeout: How many seconds the provider has for a call; None for no limit.
        deferral_allowed: Whether the provider may defer calls, as in some versions of Terraform.

    Raises:
        PluginError: If the protocol version is not supported.
    """
    connection = Connection(
        open_channel(address),
        protocol_of(protocol),
        timeout=call_timeout,
        call_timeout=call_timeout,
    )
    return Client(connection, deferral_allowed=deferral_allowed)


def attach(
    reattach: str | Mapping[str, object] | None = None,
    address: str | None = None,
    *,
    call_timeout: float | None = None,
    deferral_allowed: bool = False,
) -> Client:
    """Connect to a provider that already runs, for example in a debugger.

    Closing the client does not end the provider.

        with attach(address="example/nimbus") as provider: ...

    Args:
        reattach: The value of `TF_REATTACH_PROVIDERS`, as JSON or parsed; by default that of the
            environment.
        address: The address of one of the providers in it, or the end of the address
            (`example/nimbus`). Not needed if there is only one.
        call_timeout: How many seconds the provider has for a call; None for no limit.
        deferral_allowed: Whether the provider may defer calls, as in some versions of Terraform.

    Raises:
        PluginError: If the value cannot be read, or does not have exactly one such provider.
    """
    entry = _choose(_parse_reattach(reattach), address)
    version, place = entry.get("ProtocolVersion"), entry.get("Addr")
    major = min(SUPPORTED) if version in (0, None) else version
    fields = dict(place) if is_mapping(place) else {}
    network, text = fields.get("Network"), fields.get("String")
    if (
        entry.get("Protocol") != "grpc"
        or not (isinstance(major, int) and major in SUPPORTED)
        or network not in (UNIX, TCP)
        or not isinstance(text, str)
    ):
        raise PluginError(
            f'{REATTACH}: "Protocol" must be "grpc", "ProtocolVersion" 5 or 6, and "Addr" an '
            'object with "Network" ("unix" or "tcp") and "String"'
        )
    return connect(
        Address(str(network), text),
        major,
        call_timeout=call_timeout,
        deferral_allowed=deferral_allowed,
    )


def _parse_reattach(reattach: str | Mapping[str, object] | None) -> Mapping[str, object]:
    value: object = os.environ.get(REATTACH, "") if reattach is None else reattach
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise PluginError(f"{REATTACH}: expected a JSON object") from None
    if not is_mapping(value):
        raise PluginError(f"{REATTACH}: expected a JSON object")
    return {str(name): entry for name, entry in value.items()}


def _choose(providers: Mapping[str, object], address: str | None) -> Mapping[str, object]:
    entries = [
        entry
        for name, entry in providers.items()
        if address is None or name == address or name.endswith(f"/{address}")
    ]
    if len(entries) != 1:
        names = ", ".join(sorted(providers)) or "none"
        expected = "exactly one provider" if address is None else f"one provider {address}"
        raise PluginError(f"{REATTACH}: expected {expected}, got {names}")
    entry = entries[0]
    if not is_mapping(entry):
        raise PluginError(f"{REATTACH}: expected an object for each provider")
    return {str(name): value for name, value in entry.items()}
