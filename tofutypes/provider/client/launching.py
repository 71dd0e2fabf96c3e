"""Starting a provider and connecting to it."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final, TextIO

import grpc

from tofutypes.provider.client.client import Client
from tofutypes.provider.client.connection import Connection, open_channel
from tofutypes.provider.client.plugin_environment import plugin_environment
from tofutypes.provider.client.process import PluginProcess
from tofutypes.provider.client.remote_service import remote_service
from tofutypes.provider.messages.protocol import protocol_of
from tofutypes.provider.messages.versions import SUPPORTED
from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.provider.service.service import ProviderService
from tofutypes.provider.transport.addresses import UNIX, has_unix_sockets, restrict
from tofutypes.provider.transport.certificates import (
    Certificate,
    client_context,
    make_certificate,
)
from tofutypes.provider.transport.folders import (
    CLIENT_PREFIX,
    private_folder,
    remove_abandoned_folders,
)
from tofutypes.provider.transport.handshake import DISABLE_TLS, Handshake
from tofutypes.provider.transport.inner_hop import inner_hop
from tofutypes.provider.transport.relay import Relay

START_TIMEOUT: Final = 60.0
"""Seconds that a provider has to start, as in Terraform Core and OpenTofu."""

_GRACE: Final = 2.0  # seconds that a provider has to end, as in Terraform Core and OpenTofu
_SOCKET_PREFIX: Final = "plugin"
"""go-plugin's sockets have this prefix."""


def launch(
    executable: str | os.PathLike[str],
    *,
    tls: bool | None = None,
    timeout: float = START_TIMEOUT,
    call_timeout: float | None = None,
    environment: Mapping[str, str] | None = None,
    protocols: Collection[int] = SUPPORTED,
    deferral_allowed: bool = False,
) -> Client:
    """Start a provider's executable, as Terraform Core and OpenTofu do, and connect to it.

        with launch("./terraform-provider-null") as provider:
            print(provider.schema.resources)

    The provider's log lines go to the logger `tofutypes.provider.NAME`. The provider ends when the
    client is closed, at the latest with this process.

    Args:
        executable: The path of the executable.
        tls: Whether to use mutual TLS; by default yes, unless the environment has
            `TF_DISABLE_PLUGIN_TLS`.
        timeout: How many seconds the provider has to start, and then to answer with its schemas.
        call_timeout: How many seconds the provider has for any other call; None for no limit.
        environment: The environment of the provider, by default that of this process. The variables
            of the plugin handshake are added.
        protocols: The protocol versions to offer.
        deferral_allowed: Whether the provider may defer calls, as in some versions of Terraform.

    Raises:
        PluginError: If the provider cannot be started, takes too long, or does not print a
            handshake.
    """
    base = os.environ if environment is None else environment
    launched = _launched(
        Path(executable),
        plugin_tls=not base.get(DISABLE_TLS) if tls is None else tls,
        timeouts=(timeout, call_timeout),
        environment=base,
        protocols=protocols,
    )
    return Client(*launched, deferral_allowed=deferral_allowed)


def launch_service(executable: Path, *, log_to: TextIO | None = None) -> ProviderService:
    """Start a provider's executable, and put it behind the interface of services.

    The connection is a Unix socket that only this user can use; where there are none, it has
    mutual TLS. Closing the service ends the provider.

    Args:
        executable: The path of the executable.
        log_to: Gets the provider's log lines as they are; by default its logger gets them.

    Raises:
        PluginError: As `launch` does.
    """
    launched = _launched(
        executable,
        plugin_tls=not has_unix_sockets(),
        timeouts=(START_TIMEOUT, None),
        environment=os.environ,
        protocols=SUPPORTED,
        log_to=log_to,
    )
    return remote_service(*launched)


def _launched(
    executable: Path,
    *,
    plugin_tls: bool,
    timeouts: tuple[float, float | None],
    environment: Mapping[str, str],
    protocols: Collection[int],
    log_to: TextIO | None = None,
) -> tuple[Connection, Callable[[], None]]:
    """Start a provider; return the connection to it, and what ends both.

    Args:
        executable: The path of the executable.
        plugin_tls: Whether to use mutual TLS.
        timeouts: The `timeout` and the `call_timeout` of `launch`.
        environment: The environment without the variables of the handshake.
        protocols: The protocol versions to offer.
        log_to: Gets the provider's log lines as they are; by default its logger gets them.
    """
    own = make_certificate() if plugin_tls else None
    remove_abandoned_folders()
    with ExitStack() as stack:
        folder = stack.enter_context(private_folder(CLIENT_PREFIX))
        launched = folder.stat().st_mtime_ns
        variables = plugin_environment(environment, own, folder, protocols)
        process = PluginProcess(executable, variables, folder, log_to)
        stack.callback(process.end, 0)
        handshake = process.handshake(timeouts[0])
        stack.callback(_remove_socket, handshake, launched)
        if handshake.protocol not in protocols:
            raise PluginError(
                f"{executable}: the provider chose protocol {handshake.protocol}, which was not "
                "offered"
            )
        channel, status = _open(stack, process, handshake, own, folder)
        connection = Connection(channel, protocol_of(handshake.protocol), status, *timeouts)
        process.log_printed(connection.printed())
        stack.callback(process.end, _GRACE)
        stack.callback(connection.close)
        stack.callback(connection.shut_down, _GRACE)
        return connection, stack.pop_all().close


def _open(
    stack: ExitStack,
    process: PluginProcess,
    handshake: Handshake,
    own: Certificate | None,
    folder: Path,
) -> tuple[grpc.Channel, Callable[[], str]]:
    """A channel to a plugin, directly or through a relay that adds TLS, and the plugin's status."""
    if own is None:
        with suppress(OSError):  # old plugins ignore `PLUGIN_UNIX_SOCKET_DIR`
            restrict(handshake.listens_on)
        return open_channel(handshake.listens_on), process.status
    if handshake.certificate is None:
        raise PluginError(
            f"{process.executable}: the provider does not support TLS; use `tls=False`"
        )
    tls = client_context(own, handshake.certificate)
    hop = inner_hop(folder)
    relay = stack.enter_context(
        Relay(hop.address, handshake.listens_on, inward=hop.listening_tls(), outward=tls)
    )
    channel = open_channel(relay.address, hop.channel_credentials())
    return channel, lambda: process.status(relay.trouble)


def _remove_socket(handshake: Handshake, launched: int) -> None:
    """Remove the socket that a killed plugin left outside of its folder.

    Old plugins ignore `PLUGIN_UNIX_SOCKET_DIR`. Whatever the handshake names, the only
    thing removed is a socket of this user, with go-plugin's prefix, newer than the launch.

    Args:
        handshake: Where the plugin listened.
        launched: When it was launched, in nanoseconds of the file system's clock.
    """
    path = Path(handshake.address)
    if not has_unix_sockets() or handshake.network != UNIX:
        return
    if not path.name.startswith(_SOCKET_PREFIX):
        return
    with suppress(OSError):  # gone already
        status = path.lstat()
        own = status.st_uid == os.geteuid() and status.st_mtime_ns >= launched
        if own and stat.S_ISSOCK(status.st_mode):
            path.unlink()
