"""A real provider: its process, and calls that pass bytes."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import ExitStack, suppress
from pathlib import Path

import grpc
import grpc.aio

from tofutypes.provider.client.launching import plugin_environment
from tofutypes.provider.client.process import PluginProcess
from tofutypes.provider.messages.protocol import protocol_of
from tofutypes.provider.messages.versions import SUPPORTED
from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.provider.transport.folders import CLIENT_PREFIX, private_folder
from tofutypes.provider.transport.handshake import Handshake
from tofutypes.seasonings.bridges.relay.installed import InstalledProvider

_START_TIMEOUT = 60.0
_GRACE = 2.0

UNLIMITED = [
    ("grpc.max_receive_message_length", -1),
    ("grpc.max_send_message_length", -1),
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.enable_http_proxy", 0),
]


class RealProvider:
    """A running provider.

    Attributes:
        major: the protocol version that it speaks.
    """

    def __init__(self, process: PluginProcess, handshake: Handshake, resources: ExitStack) -> None:
        self._process = process
        self._resources = resources
        self.major = handshake.protocol
        self._channel = grpc.aio.insecure_channel(handshake.listens_on.target, UNLIMITED)
        self._calls: dict[str, grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]] = {}
        self._schema: asyncio.Future[bytes] | None = None

    @classmethod
    async def start(cls, provider: InstalledProvider) -> RealProvider:
        """Start a provider as Terraform Core does, without TLS: its socket is this user's alone.

        Raises:
            PluginError: If it cannot be started.
        """
        process, handshake, resources = await asyncio.to_thread(_start, provider.executable)
        return cls(process, handshake, resources)

    async def call(self, path: str, request: bytes) -> bytes:
        """Call a method.

        Raises:
            grpc.aio.AioRpcError: If the call fails.
        """
        method = self._calls.get(path)
        if method is None:
            method = self._calls[path] = self._channel.unary_unary(path)
        return await method(request)

    def stream(self, path: str, request: bytes) -> AsyncIterator[bytes]:
        """Call a method that answers with a stream."""
        method: grpc.aio.UnaryStreamMultiCallable[bytes, bytes] = self._channel.unary_stream(path)
        return aiter(method(request))

    async def upload(self, path: str, requests: AsyncIterator[bytes]) -> bytes:
        """Call a method that takes a stream."""
        method: grpc.aio.StreamUnaryMultiCallable[bytes, bytes] = self._channel.stream_unary(path)
        return await method(requests)

    async def schema(self) -> bytes:
        """The response of `GetProviderSchema`; asked for once.

        Raises:
            grpc.aio.AioRpcError: If the call fails.
        """
        if self._schema is None:
            path = protocol_of(self.major).calls["GetProviderSchema"].path
            self._schema = asyncio.ensure_future(self.call(path, b""))
        try:
            return await asyncio.shield(self._schema)
        except grpc.aio.AioRpcError:
            self._schema = None
            raise

    async def status(self) -> str:
        """What became of the provider, in a few words."""
        return await asyncio.to_thread(self._process.status)

    async def close(self) -> None:
        """End the provider as Terraform Core does."""
        shut_down: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = self._channel.unary_unary(
            "/plugin.GRPCController/Shutdown"
        )
        with suppress(grpc.aio.AioRpcError):
            await shut_down(b"", timeout=_GRACE)
        await self._channel.close()
        await asyncio.to_thread(self._process.end, _GRACE)
        self._resources.close()


def _start(executable: Path) -> tuple[PluginProcess, Handshake, ExitStack]:
    with ExitStack() as stack:
        folder = stack.enter_context(private_folder(CLIENT_PREFIX))
        environment = plugin_environment(os.environ, None, folder, SUPPORTED)
        process = PluginProcess(executable, environment, folder)
        failed = stack.enter_context(ExitStack())
        failed.callback(process.end, 0)
        handshake = process.handshake(_START_TIMEOUT)
        if handshake.protocol not in SUPPORTED:
            raise PluginError(f"{executable}: unsupported protocol version {handshake.protocol}")
        failed.pop_all()
        return process, handshake, stack.pop_all()
