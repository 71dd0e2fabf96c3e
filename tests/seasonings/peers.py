"""Peers in this process, and raw messages to talk to them."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import msgpack

from tofutypes.seasonings.errors import CallError, no_such_method
from tofutypes.seasonings.rpc.handlers import Call, Handler
from tofutypes.seasonings.rpc.limits import DEFAULT_LIMITS, MessageLimits
from tofutypes.seasonings.rpc.peer import Peer

Serving = Mapping[str, Callable[[Mapping[str, Any], Call], Any]]


def run(main: Coroutine[Any, Any, None]) -> None:
    """Run a test, which fails rather than hangs."""
    asyncio.run(asyncio.wait_for(main, 30))


class Raw:
    """The far side of a peer, as a test plays it: raw messages in and out."""

    def __init__(self, handlers: Serving, **options: Any) -> None:
        def serve(method: str) -> Handler:
            if method not in handlers:
                raise no_such_method(method)
            return Handler(handlers[method])

        self.notified: list[tuple[str, Mapping[str, object]]] = []
        self.peer = Peer(serve, lambda *each: self.notified.append(each), **options)
        self.peer.start(self)
        self.sent: asyncio.Queue[Any] = asyncio.Queue()
        self.backlog = 0
        self._unpacker = msgpack.Unpacker()
        self._loop = asyncio.get_running_loop()

    def write(self, data: bytes | memoryview) -> int:
        self._loop.call_soon_threadsafe(self._arrived, bytes(data))
        return self.backlog

    def close(self) -> None: ...

    def _arrived(self, data: bytes) -> None:
        self._unpacker.feed(data)
        for message in self._unpacker:
            self.sent.put_nowait(message)

    def send(self, *message: object) -> None:
        self.peer.receive(msgpack.packb(list(message)))

    async def ask(self, *message: object) -> Any:
        self.send(*message)
        return await self.sent.get()

    async def error(self) -> str:
        """The error in which the connection ended."""
        return str(await self.peer.ended)


@asynccontextmanager
async def pair(
    handlers: Serving, limits: MessageLimits = DEFAULT_LIMITS
) -> AsyncGenerator[tuple[Peer, Peer]]:
    """Two peers that hear each other; the second serves the handlers."""
    loop = asyncio.get_running_loop()

    def serve(method: str) -> Handler:
        return Handler(handlers[method])

    def refuse(method: str) -> Handler:
        raise no_such_method(method)

    near = Peer(refuse, lambda *_: None, name="plugin test", limits=limits)
    far = Peer(serve, lambda *_: None, limits=limits)

    class Line:
        def __init__(self, to: Peer) -> None:
            self.to = to

        def write(self, data: bytes | memoryview) -> int:
            loop.call_soon_threadsafe(partial(self.to.receive, bytes(data)))
            return 0

        def close(self) -> None: ...

    near.start(Line(far))
    far.start(Line(near))
    yield near, far
    near.end(None)
    far.end(None)


async def raised(call: Coroutine[Any, Any, object]) -> CallError:
    try:
        await call
    except CallError as error:
        return error
    raise AssertionError("no error")
