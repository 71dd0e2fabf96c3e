"""Starting a provider's program and connecting to it; connecting to one that runs already."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Collection, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from tofutypes.narrowing import is_mapping
from tofutypes.provider.client.client import Client
from tofutypes.provider.client.connection import Connection, open_channel
from tofutypes.provider.client.process import PluginProcess
from tofutypes.provider.messages.protocol import protocol_of
from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.provider.transport.addresses import TCP, UNIX, Address, new_address
from tofutypes.provider.transport.certificates import (
    Certificate,
    client_context,
    make_certificate,
)
from tofutypes.provider.transport.handshake import (
    CLIENT_CERTIFICATE,
    COOKIE,
    COOKIE_NAME,
    DISABLE_TLS,
    MAX_PORT,
    MIN_PORT,
    MULTIPLEX,
    PROTOCOL_VERSIONS,
    SOCKET_FOLDER,
    SUPPORTED,
    Handshake,
)
from tofutypes.provider.transport.relay import Relay

START_TIMEOUT: Final = 60.0
"""Seconds that a provider has to start, with the core as well."""

REATTACH: Final = "TF_REATTACH_PROVIDERS"
"""Tells the core of providers that run already."""

_GRACE: Final = 2.0  # seconds that a provider has to end, with the core as well
_PORTS: Final = {MIN_PORT: "10000", MAX_PORT: "25000"}


def launch(
    executable: str | os.PathLike[str],
    *,
    tls: bool | None = None,
    timeout: float = START_TIMEOUT,
    environment: Mapping[str, str] | None = None,
    protocols: Collection[int] = SUPPORTED,
) -> Client:
    """Start the program of a provider as the core does, and connect to it.

        with launch("./terraform-provider-null") as provider:
            print(provider.schema.resources)

    What it logs goes to the logger `tofutypes.provider.NAME`. It ends when the client is closed, at
    the latest with this process.

    Args:
        executable: the path of the program.
        tls: whether to talk by TLS, in which each side proves who it is; by default unless the
            environment has `TF_DISABLE_PLUGIN_TLS`.
        timeout: how many seconds it may take to start, and then to tell its schemas.
        environment: its environment, by default that of this process. What tells it that it is a
            plugin is added.
        protocols: the majors of the protocol to offer.

    Raises:
        PluginError: it cannot be started, or does not say where it listens.
    """
    base = os.environ if environment is None else environment
    own = make_certificate() if (tls if tls is not None else not base.get(DISABLE_TLS)) else None
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="tofutypes-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        started = _environment(base, own, folder, protocols)
        process = PluginProcess(Path(executable), started, folder)
        stack.callback(process.end, 0)
        handshake = process.handshake(timeout)
        stack.callback(_remove_socket, handshake)
        if handshake.protocol not in protocols:
            raise PluginError(
                f"{executable}: the provider chose protocol {handshake.protocol}, which was not "
                "offered"
            )
        relay = None
        if own is not None:
            relay = stack.enter_context(_relay(handshake, own, folder, os.fspath(executable)))
        connection = _connection(process, handshake, relay, timeout)
        stack.callback(process.end, _GRACE)
        stack.callback(connection.close)
        stack.callback(connection.shut_down, _GRACE)
        return Client(connection, stack.pop_all().close)


def _environment(
    base: Mapping[str, str], own: Certificate | None, folder: Path, protocols: Collection[int]
) -> dict[str, str]:
    """The environment of a plugin. Source: go-plugin, `client.go`."""
    told = {
        **base,
        **_PORTS,
        COOKIE_NAME: COOKIE,
        PROTOCOL_VERSIONS: ",".join(map(str, sorted(protocols))),
        SOCKET_FOLDER: str(folder),  # for this user only, and gone with the client
    }
    told.pop(MULTIPLEX, None)
    told.pop(CLIENT_CERTIFICATE, None)
    if own is not None:
        told[CLIENT_CERTIFICATE] = own.certificate_pem.decode("ascii")
    return told


def _connection(
    process: PluginProcess, handshake: Handshake, relay: Relay | None, timeout: float
) -> Connection:
    """The connection to a plugin, through the relay if there is one."""
    return Connection(
        open_channel(handshake.listens_on if relay is None else relay.address),
        protocol_of(handshake.protocol),
        lambda: process.how_it_is("" if relay is None else relay.trouble),
        timeout,
    )


def _relay(handshake: Handshake, own: Certificate, folder: Path, name: str) -> Relay:
    """What speaks TLS with the provider that a handshake tells of."""
    if handshake.certificate is None:
        raise PluginError(f"{name}: the provider does not do TLS; `tls=False` goes without it")
    tls = client_context(own, handshake.certificate)
    return Relay(new_address(folder, "client"), handshake.listens_on, outward=tls)


def _remove_socket(handshake: Handshake) -> None:
    """Remove the socket that a plugin leaves behind if it is killed, wherever it put it.

    Nothing else, whatever the handshake names: sockets that go-plugin makes are called so.
    """
    path = Path(handshake.address)
    if handshake.network == UNIX and path.name.startswith("plugin") and path.is_socket():
        path.unlink(missing_ok=True)


def connect(address: Address, protocol: int = max(SUPPORTED)) -> Client:
    """Connect to a provider that listens at an address, in plain.

    It is not ended when the client is closed.

    Args:
        address: where it listens.
        protocol: the major of the protocol that it speaks, 5 or 6.

    Raises:
        PluginError: there is no such protocol.
    """
    connection = Connection(open_channel(address), protocol_of(protocol))
    return Client(connection)


def attach(
    reattach: str | Mapping[str, object] | None = None, address: str | None = None
) -> Client:
    """Connect to a provider that runs already, in a debugger for example.

    It is not ended when the client is closed.

    Args:
        reattach: what `TF_REATTACH_PROVIDERS` is to be for the core: JSON, or what was parsed of
            it; by default this variable.
        address: which of the providers in it, by its address or the end of it (`example/nimbus`);
            not needed if there is one only.

    Raises:
        PluginError: there is no such provider in it, or it cannot be understood.
    """
    found = _choose(_parse_reattach(reattach), address)
    given, where = found.get("ProtocolVersion"), found.get("Addr")
    major = min(SUPPORTED) if given in (0, None) else given
    place = dict(where) if is_mapping(where) else {}
    network, text = place.get("Network"), place.get("String")
    if (
        found.get("Protocol") != "grpc"
        or not (isinstance(major, int) and major in SUPPORTED)
        or network not in (UNIX, TCP)
        or not isinstance(text, str)
    ):
        raise PluginError(
            f'{REATTACH}: "Protocol" must be "grpc", "ProtocolVersion" 5 or 6, and "Addr" an '
            'object with "Network" ("unix" or "tcp") and "String"'
        )
    return connect(Address(str(network), text), major)


def _parse_reattach(reattach: str | Mapping[str, object] | None) -> Mapping[str, object]:
    given: object = os.environ.get(REATTACH, "") if reattach is None else reattach
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            raise PluginError(f"{REATTACH}: a JSON object is required") from None
    if not is_mapping(given):
        raise PluginError(f"{REATTACH}: a JSON object is required")
    return {str(name): each for name, each in given.items()}


def _choose(providers: Mapping[str, object], address: str | None) -> Mapping[str, object]:
    fitting = [
        each
        for name, each in providers.items()
        if address is None or name == address or name.endswith(f"/{address}")
    ]
    if len(fitting) != 1:
        has = ", ".join(sorted(providers)) or "none"
        wanted = "one provider" if address is None else address
        raise PluginError(f"{REATTACH}: {wanted} is required, and it has {has}")
    found = fitting[0]
    if not is_mapping(found):
        raise PluginError(f"{REATTACH}: an object is required for each provider")
    return {str(name): each for name, each in found.items()}
