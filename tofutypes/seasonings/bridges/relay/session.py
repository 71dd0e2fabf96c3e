"""One connection of Terraform Core to a relay, and one of the relay to the real provider.

What no hook wants to see is passed on as it comes. A call with hooks waits in the relay until its
request is complete, and again until its response is.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

from tofutypes.provider.messages.versions import name_in, service_name
from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.seasonings.bridges.relay.header_blocks import (
    INTERNAL,
    RESPONSE,
    SUCCESS,
    UNAVAILABLE,
    MethodReader,
    failure,
)
from tofutypes.seasonings.bridges.relay.http2 import CANCEL, Events, Http2Connection
from tofutypes.seasonings.bridges.relay.real_provider import RealProvider

Forward = Callable[[bytes], Awaitable[bytes]]
"""Calls the real provider."""

_SCHEMA: Final = "GetProviderSchema"
_CONFIGURE: Final = "ConfigureProvider"
_PREFIX_SIZE: Final = 5
_NEED_CONFIGURATION: Final = (
    "ReadResource",
    "PlanResourceChange",
    "ApplyResourceChange",
    "ImportResourceState",
    "ReadDataSource",
    "OpenEphemeralResource",
    "RenewEphemeralResource",
    "CloseEphemeralResource",
)

_log: Final = logging.getLogger("tofutypes.seasonings")


class HookedCalls(Protocol):
    """What answers the calls with hooks."""

    @property
    def names(self) -> frozenset[str]:
        """The calls that hooks want to see."""
        ...

    def wants(self, name: str, request: bytes) -> bool:
        """Whether hooks want to see a call."""
        ...

    def schema_read(self, response: bytes, major: int) -> None:
        """Take the schemas of the provider."""
        ...

    def configured(self, request: bytes) -> None:
        """Take the configuration of the provider."""
        ...

    async def call(self, name: str, request: bytes, forward: Forward) -> bytes:
        """Answer a call."""
        ...


class Processes(Protocol):
    """Where the real providers come from."""

    async def take(self, *, configured: bool) -> RealProvider:
        """A process for a connection."""
        ...

    def leave(self, provider: RealProvider) -> None:
        """Keep a configured process whose connection was closed."""
        ...

    def failed(self, message: str) -> None:
        """Note that a process has ended, or could not be started."""
        ...


class _UnansweredError(Exception):
    """The real provider has answered with no message, but an error of gRPC."""


@dataclass(eq=False, slots=True)
class _Call:
    """A call that the relay takes part in.

    Attributes:
        name: of the call, as in protocol 6.
        request, response: what has come of the messages.
        trailers: the header block at the end of the response.
    """

    name: str
    request: bytearray = field(default_factory=bytearray)
    response: bytearray = field(default_factory=bytearray)
    trailers: bytes = SUCCESS
    answered: asyncio.Future[None] | None = None
    task: asyncio.Task[None] | None = None


class Session:
    """One connection.

    Args:
        processes: where the real provider comes from.
        calls: the calls with hooks.
        major: the protocol version.

    Attributes:
        core: the end of the connection of Terraform Core.
    """

    def __init__(self, processes: Processes, calls: HookedCalls, major: int) -> None:
        self._processes = processes
        self._hooked = calls
        self._major = major
        self._names = {
            f"/{service_name(major)}/{name_in(major, name)}": name
            for name in (_SCHEMA, _CONFIGURE, *calls.names)
        }
        self._configured_names = {
            f"/{service_name(major)}/{name_in(major, name)}" for name in _NEED_CONFIGURATION
        }
        self._methods = MethodReader()
        self._calls: dict[int, _Call] = {}
        self._open: dict[int, bool] = {}
        """Calls without an answer, and whether the first header block of the answer was sent."""
        self._connecting: asyncio.Task[None] | None = None
        self._process: RealProvider | None = None
        self._configured = False
        self._failure: str | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.core: Final = Http2Connection(
            Events(self._core_headers, self._core_data, self._core_reset, self._core_ended),
            is_server=True,
        )
        self._real = Http2Connection(
            Events(self._real_headers, self._real_data, self._real_reset, self._real_ended),
            is_server=False,
        )

    # What Terraform Core sends.

    def _core_headers(self, stream: int, block: bytes, end: bool) -> None:
        method = self._methods.method(block)
        if self._connecting is None:
            self._connecting = self._spawn(self._connect(method in self._configured_names))
        self._open[stream] = False
        if self._failure is not None:
            self._refuse(stream, UNAVAILABLE, self._failure)
            return
        name = self._names.get(method)
        if name is not None and not end:
            self._calls[stream] = _Call(name)
        self._real.send_headers(stream, block, end)

    def _core_data(self, stream: int, data: bytes, end: bool) -> None:
        call = self._calls.get(stream)
        if call is None or call.name == _SCHEMA:
            if self._failure is None:
                self._real.send_data(stream, data, end)
            return
        call.request += data
        if not end:
            return
        request = bytes(call.request)
        if call.name == _CONFIGURE:
            self._configured = True
            self._hooked.configured(request[_PREFIX_SIZE:])
        elif self._hooked.wants(call.name, request[_PREFIX_SIZE:]):
            call.task = self._spawn(self._answer(stream, call, request))
            return
        del self._calls[stream]
        self._real.send_data(stream, request, True)

    def _core_reset(self, stream: int, code: int) -> None:
        self._forget(stream)
        if self._failure is None:
            self._real.reset(stream, code)

    def _core_ended(self) -> None:
        for stream in list(self._calls):
            self._forget(stream)
        if self._process is not None and self._configured and self._failure is None:
            self._processes.leave(self._process)
        self._failure = self._failure or "the connection was closed"
        self._real.close()

    # What the real provider sends.

    def _real_headers(self, stream: int, block: bytes, end: bool) -> None:
        call = self._calls.get(stream)
        if not end:
            self._open[stream] = True
        elif call is not None and call.answered is not None:
            call.trailers = block
            _settle(call.answered)
            return
        else:
            self._open.pop(stream, None)
            if call is not None and call.name == _SCHEMA:
                self._hooked.schema_read(bytes(call.response[_PREFIX_SIZE:]), self._major)
            self._calls.pop(stream, None)
        self.core.send_headers(stream, block, end)

    def _real_data(self, stream: int, data: bytes, end: bool) -> None:
        call = self._calls.get(stream)
        if call is not None:
            call.response += data
        if call is None or call.answered is None:
            self.core.send_data(stream, data, end)
        elif end:
            _settle(call.answered)

    def _real_reset(self, stream: int, code: int) -> None:
        if stream in self._open:
            self._forget(stream)
            self.core.reset(stream, code)

    def _real_ended(self) -> None:
        if self._failure is None:
            self._spawn(self._describe_end())

    async def _describe_end(self) -> None:
        status = "has ended" if self._process is None else await self._process.status()
        self._fail(f"the provider {status}")

    # The connection.

    async def _connect(self, configured: bool) -> None:
        try:
            self._process = await self._processes.take(configured=configured)
            self._configured = configured
            await self._process.connect(self._real)
            if self._failure is not None:  # Terraform Core has gone meanwhile
                self._real.close()
        except (PluginError, OSError) as error:
            self._fail(str(error))

    def _fail(self, message: str) -> None:
        """Answer all calls with an error from now on."""
        if self._failure is None:
            self._failure = message
            self._processes.failed(message)
            for stream in list(self._open):
                self._refuse(stream, UNAVAILABLE, message)

    def _refuse(self, stream: int, status: int, message: str) -> None:
        headers_sent = self._open.get(stream, False)
        self._forget(stream)
        self.core.send_headers(stream, failure(status, message, alone=not headers_sent), True)

    def _forget(self, stream: int) -> None:
        self._open.pop(stream, None)
        call = self._calls.pop(stream, None)
        if call is not None and call.task is not None:
            call.task.cancel()

    def _spawn(self, work: Awaitable[None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # Calls with hooks.

    async def _answer(self, stream: int, call: _Call, request: bytes) -> None:
        async def forward(message: bytes) -> bytes:
            call.answered = asyncio.get_running_loop().create_future()
            self._real.send_data(stream, _prefixed(message), True)
            await call.answered
            return _message(call.response)

        try:
            response = await self._hooked.call(call.name, _message(request), forward)
        except _UnansweredError:
            if self._finish(stream):
                self.core.send_headers(stream, call.trailers, True)
            return
        except Exception as error:  # noqa: BLE001  # what goes wrong with one call ends this call alone
            _log.exception("relay: %s", call.name)
            call.task = None
            self._refuse(stream, INTERNAL, f"relay: {call.name}: {type(error).__name__}")
            self._real.reset(stream, CANCEL)
            return
        headers_sent = self._open.get(stream)
        if not self._finish(stream):
            return
        if call.answered is None:
            self._real.reset(stream, CANCEL)
        if not headers_sent:
            self.core.send_headers(stream, RESPONSE, False)
        self.core.send_data(stream, _prefixed(response), False)
        self.core.send_headers(stream, call.trailers, True)

    def _finish(self, stream: int) -> bool:
        """Note that a call is answered; whether somebody still waits for the answer."""
        self._calls.pop(stream, None)
        return self._open.pop(stream, None) is not None


def _settle(answered: asyncio.Future[None]) -> None:
    if not answered.done():
        answered.set_result(None)


def _prefixed(message: bytes) -> bytes:
    """A message as gRPC sends it, not compressed."""
    return b"\0" + len(message).to_bytes(4, "big") + message


def _message(data: bytes | bytearray) -> bytes:
    """The one message that was sent.

    Raises:
        _UnansweredError: If there is none.
        PluginError: If it is compressed, which nobody asked for, or there are several.
    """
    if not data:
        raise _UnansweredError
    if data[0] or int.from_bytes(data[1:_PREFIX_SIZE], "big") != len(data) - _PREFIX_SIZE:
        raise PluginError("expected one message that is not compressed")
    return bytes(data[_PREFIX_SIZE:])
