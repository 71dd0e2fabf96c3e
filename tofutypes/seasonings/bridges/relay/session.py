"""One connection of Terraform Core to a relay.

Terraform Core makes a connection for each instance of a provider: for each alias, and for each
walk. A configured instance gets a real provider of its own. What needs no configuration is answered
by one real provider that all connections share.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import grpc
import grpc.aio
from google.protobuf.message import DecodeError as MessageError

from tofutypes.provider.messages.versions import name_in
from tofutypes.seasonings.bridges.relay.chain import Chain
from tofutypes.seasonings.bridges.relay.installed import InstalledProvider
from tofutypes.seasonings.bridges.relay.real_provider import UNLIMITED, RealProvider
from tofutypes.seasonings.bridges.relay.resource_calls import HOOKED, ResourceCalls
from tofutypes.seasonings.bridges.relay.schemas import ProviderSchemas

T = TypeVar("T")

_CONTROLLER: Final = "/plugin.GRPCController/Shutdown"
_DOWNLOADS: Final = frozenset({"ListResource", "InvokeAction", "ReadStateBytes"})
_UPLOADS: Final = frozenset({"WriteStateBytes"})

Context = grpc.aio.ServicerContext[bytes, bytes]


class Provider:
    """A provider behind a relay: its real processes.

    Args:
        installed: its executable.
        chain: the plugins.
        calls: the calls with hooks.
    """

    def __init__(self, installed: InstalledProvider, chain: Chain, calls: ResourceCalls) -> None:
        self.installed = installed
        self.chain = chain
        self.calls = calls
        self._schemas: ProviderSchemas | None = None
        self._shared: RealProvider | None = None
        self._shared_taken = False
        self._started: list[RealProvider] = []

    async def start(self) -> int:
        """Start the shared process; the protocol version that it speaks."""
        self._shared = await RealProvider.start(self.installed)
        self._started.append(self._shared)
        return self._shared.major

    @property
    def shared(self) -> RealProvider:
        """The process that all connections share."""
        if self._shared is None:
            raise RuntimeError("the provider is not started")
        return self._shared

    async def own(self) -> RealProvider:
        """A process for one connection; the first is the shared one."""
        if not self._shared_taken:
            self._shared_taken = True
            return self.shared
        provider = await RealProvider.start(self.installed)
        self._started.append(provider)
        return provider

    async def release(self, provider: RealProvider) -> None:
        """End the process of a connection that has ended."""
        if provider is not self._shared:
            self._started.remove(provider)
            await provider.close()

    async def schemas(self) -> ProviderSchemas:
        """The provider's schemas."""
        if self._schemas is None:
            self._schemas = ProviderSchemas(await self.shared.schema(), self.shared.major)
        return self._schemas

    async def close(self) -> None:
        """End all processes."""
        await asyncio.gather(*(provider.close() for provider in self._started))
        self._started.clear()


class Session(grpc.GenericRpcHandler):
    """Answers the calls of one connection, on a socket of its own.

    Args:
        provider: the provider behind.
        socket: the path of the socket.
    """

    def __init__(self, provider: Provider, socket: Path) -> None:
        self._provider = provider
        self._real = provider.shared
        self._owns = False
        self._configuring = asyncio.Lock()
        self._server = grpc.aio.server(options=UNLIMITED)
        self._server.add_generic_rpc_handlers([self])
        self._server.add_insecure_port(f"unix:{socket}")
        major = provider.shared.major
        hooked = [
            name for name, kind in HOOKED.items() if provider.chain.wants(kind.pre, kind.post)
        ]
        self._special: dict[str, Callable[[bytes, Context], Awaitable[bytes]]] = {
            name_in(major, "GetProviderSchema"): self._get_schema,
            name_in(major, "ConfigureProvider"): self._configure,
            **{name: self._hooked(name) for name in hooked},
        }

    async def start(self) -> None:
        """Listen."""
        await self._server.start()

    async def close(self) -> None:
        """Stop listening, and end the real provider of this connection."""
        await self._server.stop(None)
        if self._owns:
            await self._provider.release(self._real)

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        """Find what answers a call; part of gRPC's interface."""
        path = handler_call_details.method
        if path == _CONTROLLER:
            return grpc.unary_unary_rpc_method_handler(_nothing)
        service, _, name = path.removeprefix("/").rpartition("/")
        if not service.startswith("tfplugin"):
            return None
        if name in _DOWNLOADS:
            return grpc.unary_stream_rpc_method_handler(self._download(path))
        if name in _UPLOADS:
            return grpc.stream_unary_rpc_method_handler(self._upload(path))
        special = self._special.get(name)
        if special is not None:
            return grpc.unary_unary_rpc_method_handler(special)

        async def forward(request: bytes, context: Context) -> bytes:
            return await self._guard(context, self._real.call(path, request))

        return grpc.unary_unary_rpc_method_handler(forward)

    async def _get_schema(self, _request: bytes, context: Context) -> bytes:
        return await self._guard(context, self._provider.shared.schema())

    async def _configure(self, request: bytes, context: Context) -> bytes:
        async def configure() -> bytes:
            async with self._configuring:
                if not self._owns:
                    self._real = await self._provider.own()
                    self._owns = True
            self._provider.calls.configured(request, await self._provider.schemas())
            return await self._real.call(self._path("ConfigureProvider"), request)

        return await self._guard(context, configure())

    def _hooked(self, name: str) -> Callable[[bytes, Context], Awaitable[bytes]]:
        path = self._path(name)

        async def call(request: bytes, context: Context) -> bytes:
            async def forward(request: bytes) -> bytes:
                return await self._real.call(path, request)

            async def answer() -> bytes:
                schemas = await self._provider.schemas()
                try:
                    return await self._provider.calls.call(name, request, schemas, forward)
                except MessageError:
                    return await forward(request)

            return await self._guard(context, answer())

        return call

    def _path(self, name: str) -> str:
        major = self._provider.shared.major
        return f"/tfplugin{major}.Provider/{name_in(major, name)}"

    def _download(self, path: str) -> Callable[[bytes, Context], AsyncIterator[bytes]]:
        async def download(request: bytes, context: Context) -> AsyncIterator[bytes]:
            try:
                async for message in self._real.stream(path, request):
                    yield message
            except grpc.aio.AioRpcError as error:
                await self._abort(context, error)

        return download

    def _upload(self, path: str) -> Callable[[AsyncIterator[bytes], Context], Awaitable[bytes]]:
        async def upload(requests: AsyncIterator[bytes], context: Context) -> bytes:
            return await self._guard(context, self._real.upload(path, requests))

        return upload

    async def _guard(self, context: Context, call: Awaitable[T]) -> T:
        """Hand on how a call of the real provider fails."""
        try:
            return await call
        except grpc.aio.AioRpcError as error:
            await self._abort(context, error)
            raise

    async def _abort(self, context: Context, error: grpc.aio.AioRpcError) -> None:
        details = error.details() or ""
        if error.code() is grpc.StatusCode.UNAVAILABLE:
            details = f"the provider {await self._real.status()}"
        await context.abort(error.code(), details)


async def _nothing(_request: bytes, _context: Context) -> bytes:
    return b""
