"""What is fuzzed of plugins on stdio: bytes to a plugin, and bytes to its host."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import msgpack

from tests.seasonings.plugins.toolkit import plugin
from tofutypes import TofuTypesError
from tofutypes.seasonings import ErrorCode, HookPoint, LockInfo
from tofutypes.seasonings.errors import no_such_method
from tofutypes.seasonings.host.client import AsyncPluginClient
from tofutypes.seasonings.plugin.service import PluginService
from tofutypes.seasonings.rpc.handlers import Handler
from tofutypes.seasonings.rpc.peer import Peer

PAUSE: Final = b"\xc1\xc1"
"""Between what a plugin writes after one call and after the next; no message holds it."""


class _Line:
    """Collects what a peer writes."""

    def __init__(self) -> None:
        self.written: list[bytes] = []

    def write(self, data: bytes | memoryview) -> int:
        self.written.append(bytes(data))
        return 0

    def close(self) -> None: ...


@cache
def event_loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


def check_plugin(data: bytes) -> None:
    """A host that sends any bytes: every answer is one, and no error is our fault."""
    event_loop().run_until_complete(_plugin(data))


async def _plugin(data: bytes) -> None:
    service = PluginService(plugin, lambda: None)

    def serve(method: str) -> Handler:
        if method.replace(".", "/") == "functions/call":  # its functions hang and die on purpose
            method = "functions/getSchema"
        return service.serve(method)

    peer = Peer(serve, service.notified, name="host")
    line = _Line()
    peer.start(line)
    peer.receive(data)
    peer.receive(b"")
    deadline = peer.loop.time() + 5
    while peer.running:
        assert peer.loop.time() < deadline, "a call has no answer"
        await asyncio.sleep(0.0001)
    for answer in line.written:
        kind, _, error, _ = msgpack.unpackb(answer)
        assert kind == 1
        if error is not None and error["code"] == ErrorCode.INTERNAL:
            # Hooks of the plugin are its author's, and raise on purpose.
            assert error["message"].startswith("hook "), error["message"]
    error = await peer.ended
    if error is not None:
        raise error


def check_host(data: bytes) -> None:
    """A plugin that answers any bytes: every call ends, in a value or in an error of ours."""
    event_loop().run_until_complete(_host(data))


async def _host(data: bytes) -> None:
    pieces = iter(data.split(PAUSE))

    def serve(method: str) -> Handler:
        raise no_such_method(method)

    peer = Peer(serve, lambda *_: None, name="plugin")
    peer.start(_Line())

    async def close() -> None:
        return

    client = AsyncPluginClient(peer, close)
    calls: list[Any] = [
        client.init,
        client.functions,
        lambda: client.call_function("repeat", "ab", 2),
        lambda: client.hook(HookPoint.POST_PLAN, {}),
        lambda: client.read_state("path"),
        lambda: client.lock_state("path", LockInfo("id")),
        lambda: client.list_states("path"),
    ]
    failed: TofuTypesError | None = None
    for call in calls:
        answer = asyncio.ensure_future(call())
        await asyncio.sleep(0)
        while not answer.done():
            peer.receive(next(pieces, b""))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        try:
            await answer
        except TofuTypesError as error:
            failed = error
    peer.end(None)
    if failed is not None:
        raise failed


def _packed(*messages: object) -> bytes:
    return b"".join(map(msgpack.packb, messages))


_INIT: Final = [0, 0, "init", {"protocol_version": "1.0", "capabilities": ["log"]}]
_CHANGE: Final = {
    "address": "test_bucket.a",
    "resource_type": "test_bucket",
    "type": ["object", {"name": "string", "acl": "string", "size": "number"}],
    "after": {"name": "n", "acl": "public-read", "size": msgpack.ExtType(0, b"\0")},
    "redacted": [["name", 0]],
    "metadata": {"other": {"n": 1}},
}


def plugin_seeds() -> Iterator[bytes]:
    """What hosts send."""
    yield _packed([0, 1, "ping", {}])
    yield _packed(_INIT, [0, 1, "functions/getSchema", [{}]], [2, "cancel", {"id": 1}])
    yield _packed(_INIT, [0, 2, "middleware/postPlan", _CHANGE], [0, 3, "no/such", None])
    yield _packed(_INIT, [0, 2, "middleware/planStageComplete", {"resources": [_CHANGE]}])
    info = {"id": "l", "who": "me"}
    yield _packed(
        _INIT,
        [0, 1, "storage/lock", {"path": "a", "info": info}],
        [0, 2, "storage/write", {"path": "a", "state": b"x", "lock_id": "l"}],
        [0, 3, "storage/unlock", {"path": "a", "lock_id": "l"}],
        [2, "shutdown", {}],
    )


def host_seeds() -> Iterator[bytes]:
    """What plugins answer to the calls in `check_host`."""
    schema = {"parameters": [{"name": "text", "type": "string"}], "return_type": "string"}
    schema["parameters"] = [*schema["parameters"], {"name": "times", "type": "number"}]
    answers: list[object] = [
        {"plugin": {"name": "p", "version": "1"}, "capabilities": ["hooks.postPlan"]},
        {"functions": {"repeat": schema}},
        {"result": "abab"},
        {"status": "fail", "diagnostics": [{"severity": "error", "path": ["a", 0]}]},
        {"state": b"state"},
        {"lock_id": "id"},
        {"paths": ["a"]},
    ]
    good = [_packed([1, id, None, answer]) for id, answer in enumerate(answers, 1)]
    yield PAUSE.join(good)
    yield PAUSE.join([good[0], *(_packed([1, id, [1, "no"], None]) for id in range(2, 8))])
    error = {"code": -32010, "message": "locked", "data": {"id": "x"}}
    yield PAUSE.join([good[0] + _packed([2, "log", {}]), _packed([1, 2, error, None])])
    yield PAUSE.join([good[0], *good[1:3], _packed([0, 9, "ping", {}]) + good[3], *good[4:]])
