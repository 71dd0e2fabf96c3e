"""What is fuzzed of relays: bytes of Terraform Core and bytes of a provider, in HTTP/2."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable, Iterator
from typing import Any, Final, cast

from tests.fuzz.messages import PAUSE, event_loop
from tofutypes.seasonings import PeerError
from tofutypes.seasonings.bridges.relay.header_blocks import RESPONSE, SUCCESS, request
from tofutypes.seasonings.bridges.relay.http2 import PREFACE
from tofutypes.seasonings.bridges.relay.real_provider import RealProvider
from tofutypes.seasonings.bridges.relay.session import Forward, Session

_PIECE: Final = 100


class _Transport(asyncio.Transport):
    """Takes what is written, and is closed at once."""

    def __init__(self, protocol: asyncio.Protocol) -> None:
        super().__init__()
        self.protocol = protocol
        self.closed = False

    def write(self, data: Any) -> None:
        assert not self.closed

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self.protocol.connection_lost(None)

    abort = close


class _Process:
    def __init__(self) -> None:
        self.transport: _Transport | None = None

    async def connect(self, connection: asyncio.Protocol) -> None:
        self.transport = _Transport(connection)
        connection.connection_made(self.transport)

    async def status(self) -> str:
        return "has ended"


class _Processes:
    def __init__(self, process: _Process) -> None:
        self.process = process

    async def take(self, *, configured: bool) -> RealProvider:
        return cast(RealProvider, self.process)

    def leave(self, provider: RealProvider) -> None: ...

    def failed(self, message: str) -> None: ...


class _Calls:
    names = frozenset({"PlanResourceChange", "ReadResource"})

    def wants(self, name: str, request: bytes) -> bool:
        return name == "PlanResourceChange" or len(request) % 2 == 0

    def schema_read(self, response: bytes, major: int) -> None: ...

    def configured(self, request: bytes) -> None: ...

    async def call(self, name: str, request: bytes, forward: Forward) -> bytes:
        return b"refused" if request.endswith(b"!") else await forward(request) + b"added"


def check_relay(data: bytes) -> None:
    """Any bytes of Core and of a provider: each connection goes on, or ends."""
    event_loop().run_until_complete(_relay(data))


async def _relay(data: bytes) -> None:
    from_core, _, from_provider = data.partition(PAUSE)
    process = _Process()
    session = Session(_Processes(process), _Calls(), 6)
    core = _Transport(session.core)
    session.core.connection_made(core)
    await _feed(core, from_core)
    ended = core.closed
    if process.transport is not None:
        await _feed(process.transport, from_provider)
        ended = ended or process.transport.closed
    core.close()
    for _ in range(5):
        await asyncio.sleep(0)
    assert process.transport is None or process.transport.closed
    if ended:
        raise PeerError("a connection has ended")


async def _feed(transport: _Transport, data: bytes) -> None:
    receive: Callable[[bytes], None] = transport.protocol.data_received
    for start in range(0, len(data), _PIECE):
        if transport.closed:
            return
        receive(data[start : start + _PIECE])
        await asyncio.sleep(0)
        await asyncio.sleep(0)


def _frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    size = len(payload)
    return struct.pack(">HBBBL", size >> 8, size & 0xFF, kind, flags, stream) + payload


def _message(content: bytes) -> bytes:
    return b"\0" + len(content).to_bytes(4, "big") + content


def relay_seeds() -> Iterator[bytes]:
    """Calls with hooks and without, answered, refused and reset."""
    names = ("GetProviderSchema", "ConfigureProvider", "PlanResourceChange", "ReadResource", "Stop")
    for end in (b"", b"!"):
        core, provider = PREFACE + _frame(4, 0, 0), _frame(4, 0, 0)
        for number, name in enumerate(names):
            stream = 2 * number + 1
            core += _frame(1, 4, stream, request(f"/tfplugin6.Provider/{name}"))
            core += _frame(0, 1, stream, _message(b"\x0a\x03abc" + end))
            provider += _frame(1, 4, stream, RESPONSE)
            provider += _frame(0, 0, stream, _message(b"answer")) + _frame(1, 5, stream, SUCCESS)
        core += _frame(3, 0, 5, b"\0\0\0\x08") + _frame(8, 0, 0, b"\0\0\xff\xff")
        yield core + PAUSE + provider
        yield core + PAUSE + _frame(1, 5, 5, RESPONSE + SUCCESS) + _frame(3, 0, 7, bytes(4))
