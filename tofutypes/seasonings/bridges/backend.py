"""A server for the `http` backend: `tofutypes plugin backend --port N -- COMMAND`."""

from __future__ import annotations

import asyncio
import ipaddress
import signal
import ssl
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from aiohttp import web

from tofutypes.seasonings.bridges.http_state import HttpState
from tofutypes.seasonings.bridges.keeper import PluginKeeper
from tofutypes.seasonings.errors import SeasoningsError
from tofutypes.seasonings.protocol.methods import STORAGE

LOOPBACK: Final = "127.0.0.1"

_GRACE: Final = 30.0
"""Seconds that requests have to finish when the server ends."""


class BackendError(SeasoningsError):
    """A server that cannot start."""


@dataclass(frozen=True)
class BackendOptions:
    """How the server listens.

    Attributes:
        host, port: where; a port of 0 means any that is free.
        credentials: passwords by user.
        certificate, key: files of TLS; None for plain HTTP.
        timeout: the seconds that a call of the plugin may take.
    """

    host: str = LOOPBACK
    port: int = 0
    credentials: Mapping[str, str] | None = None
    certificate: str | None = None
    key: str | None = None
    timeout: float = 60.0


def is_loopback(host: str) -> bool:
    """Whether only programs on this machine can connect to a host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


async def serve_backend(
    command: Sequence[str],
    config: Mapping[str, object] | None,
    options: BackendOptions,
    started: Callable[[str], None],
) -> None:
    """Serve until SIGINT or SIGTERM; requests in flight are finished.

    Args:
        command: the storage plugin.
        config: its configuration.
        options: how the server listens.
        started: is called with the address when the server listens.

    Raises:
        BackendError: If the server cannot start.
        PeerError: If the plugin cannot be started.
    """
    if not is_loopback(options.host) and not options.credentials:
        raise BackendError(
            f"{options.host}: everybody in the network could read the states: "
            "give --credentials, or listen on 127.0.0.1"
        )
    tls = _tls(options)
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    keeper = PluginKeeper(command, config, options.timeout)
    try:
        client = await keeper.client()
        if STORAGE not in client.info.capabilities:
            raise BackendError(f"{client.name}: does not declare the capability storage")
        application = HttpState(keeper, options.credentials).application()
        runner = web.AppRunner(application, access_log=None, shutdown_timeout=_GRACE)
        await runner.setup()
        try:
            started(await _listen(runner, options, tls))
            await stop.wait()
        finally:
            await runner.cleanup()
    finally:
        await keeper.close()


def _tls(options: BackendOptions) -> ssl.SSLContext | None:
    if options.certificate is None:
        if options.key is not None:
            raise BackendError(f"{options.key}: a key without --tls-certificate")
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(options.certificate, options.key)
    except (OSError, ssl.SSLError) as error:
        raise BackendError(f"{options.certificate}: cannot be used for TLS ({error})") from None
    return context


async def _listen(
    runner: web.AppRunner, options: BackendOptions, tls: ssl.SSLContext | None
) -> str:
    site = web.TCPSite(runner, options.host, options.port, ssl_context=tls)
    try:
        await site.start()
    except (OSError, OverflowError) as error:
        where = f"{options.host}:{options.port}"
        raise BackendError(
            f"cannot listen on {where}: {getattr(error, 'strerror', None) or error}"
        ) from None
    port = runner.addresses[0][1]
    host = f"[{options.host}]" if ":" in options.host else options.host
    return f"{'https' if tls else 'http'}://{host}:{port}"
