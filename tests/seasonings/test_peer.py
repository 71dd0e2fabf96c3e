"""Peers of msgpack-rpc: calls, answers, limits, and the other side's mistakes."""

import asyncio
import threading
import time
from typing import Any

import msgpack
import pytest

from tests.seasonings.peers import Raw, pair, raised, run
from tofutypes.seasonings.errors import CallError, CallTimeoutError, ErrorCode, PeerError
from tofutypes.seasonings.rpc.limits import MessageLimits


def echo(params: Any, _call: Any) -> Any:
    return params


async def late_echo(params: Any, _call: Any) -> Any:
    await asyncio.sleep(params["after"])
    return params["after"]


def fail(_params: Any, _call: Any) -> Any:
    raise CallError(ErrorCode.INVALID_PARAMS, "wrong", {"argument": 1})


def crash(_params: Any, _call: Any) -> Any:
    raise ValueError("secret")


def leave(_params: Any, _call: Any) -> Any:
    raise SystemExit


HANDLERS = {"echo": echo, "late": late_echo, "fail": fail, "crash": crash, "leave": leave}


def test_calls_are_answered_out_of_order() -> None:
    async def main() -> None:
        async with pair(HANDLERS) as (near, _):
            slow = asyncio.ensure_future(near.call("late", {"after": 0.05}))
            assert await near.call("late", {"after": 0}) == 0
            assert not slow.done()
            assert await slow == 0.05

    run(main())


def test_handlers_that_wait_do_not_hold_up_others() -> None:
    together = threading.Barrier(20)

    def meet(_params: Any, _call: Any) -> int:
        return together.wait(timeout=20)

    async def main() -> None:
        async with pair({"meet": meet}) as (near, _):
            got = await asyncio.gather(*(near.call("meet", {}) for _ in range(20)))
            assert sorted(map(int, map(str, got))) == list(range(20))

    run(main())


@pytest.mark.parametrize(
    ("params", "result"),
    [
        ({"a": 1}, {"a": 1}),
        ([{"a": 1}], {"a": 1}),
        ([], {}),
        (None, {}),
    ],
)
def test_both_forms_of_params(params: object, result: object) -> None:
    async def main() -> None:
        raw = Raw(HANDLERS)
        assert await raw.ask(0, 7, "echo", params) == [1, 7, None, result]

    run(main())


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ([{}, {}], "params: expected one map, got 2 values"),
        ("x", "params: expected a map, got a string"),
        ([3], "params: expected a map, got a number"),
        ({b"a": 1}, "params: expected string keys, got bytes"),
    ],
)
def test_params_that_are_no_map(params: object, message: str) -> None:
    async def main() -> None:
        _, id, error, _ = await Raw(HANDLERS).ask(0, 7, "echo", params)
        assert (id, error["code"], error["message"]) == (7, ErrorCode.INVALID_PARAMS, message)

    run(main())


def test_a_peer_is_called_in_the_form_that_it_uses() -> None:
    async def main() -> None:
        raw = Raw(HANDLERS)
        await raw.ask(0, 7, "echo", [{}])
        raw.peer.notify("log", {"message": "m"})
        assert await raw.sent.get() == [2, "log", [{"message": "m"}]]
        await raw.ask(0, 8, "echo", {})
        raw.peer.notify("log", {"message": "m"})
        assert await raw.sent.get() == [2, "log", {"message": "m"}]

    run(main())


@pytest.mark.parametrize(
    ("method", "error"),
    [
        ("fail", {"code": -32602, "message": "wrong", "data": {"argument": 1}}),
        ("none", {"code": -32601, "message": "no such method: 'none'", "data": None}),
    ],
)
def test_errors(method: str, error: object) -> None:
    async def main() -> None:
        assert await Raw(HANDLERS).ask(0, 1, method, {}) == [1, 1, error, None]

    run(main())


@pytest.mark.parametrize("method", ["crash", "leave"])
def test_handlers_that_raise(method: str, caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        raw = Raw(HANDLERS)
        _, _, error, _ = await raw.ask(0, 1, method, {})
        assert error["code"] == ErrorCode.INTERNAL
        assert "test_peer.py, line " in error["message"]
        assert "secret" not in error["message"]
        assert await raw.ask(0, 1, "echo", {}) == [1, 1, None, {}]

    run(main())
    assert f"{method}: unexpected error" in caplog.text


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        ("no", ErrorCode.INTERNAL, "no"),
        ([1, "no"], 1, "no"),
        ({"code": -5, "message": "no", "data": 3}, -5, "no"),
        ({"message": "no"}, ErrorCode.INTERNAL, "no"),
        ({"code": True}, ErrorCode.INTERNAL, "an error without a message"),
        (7, ErrorCode.INTERNAL, "an error that is a number"),
        ("a\nb" + "x" * 5000, ErrorCode.INTERNAL, r"a\nb" + "x" * 1996 + "…"),
    ],
)
def test_all_forms_of_errors(error: object, code: int, message: str) -> None:
    async def main() -> None:
        raw = Raw({})
        call = asyncio.ensure_future(raised(raw.peer.call("m", {})))
        _, id, *_ = await raw.sent.get()
        raw.send(1, id, error, None)
        got = await call
        assert (got.code, str(got)) == (code, message)

    run(main())


def test_a_timeout_cancels_and_a_late_answer_is_ignored() -> None:
    async def main() -> None:
        raw = Raw({}, name="plugin cost")
        with pytest.raises(CallTimeoutError, match=r"plugin cost: m: no answer within 0.01 sec"):
            await raw.peer.call("m", {}, timeout=0.01)
        _, id, *_ = await raw.sent.get()
        assert await raw.sent.get() == [2, "cancel", {"id": id}]
        raw.send(1, id, None, 3)
        assert not raw.peer.ended.done()

    run(main())


def test_no_cancel_for_who_does_not_understand_it() -> None:
    async def main() -> None:
        raw = Raw({}, cancels=False)
        with pytest.raises(CallTimeoutError):
            await raw.peer.call("m", {}, timeout=0)
        raw.peer.notify("after", {})
        assert [(await raw.sent.get())[0], await raw.sent.get()] == [0, [2, "after", {}]]

    run(main())


def test_cancelled_calls() -> None:
    started, seen = threading.Event(), threading.Event()

    def wait(_params: Any, call: Any) -> bool:
        started.set()
        if call.cancelled.wait(20):
            seen.set()
        return True

    async def main() -> None:
        raw = Raw({**HANDLERS, "wait": wait})
        raw.send(0, 1, "late", {"after": 20})
        raw.send(0, 2, "wait", {})
        await asyncio.to_thread(started.wait, 20)
        for id in (1, 2):
            raw.send(2, "cancel", {"id": id})
            _, answered, error, _ = await raw.sent.get()
            assert (answered, error["code"]) == (id, ErrorCode.CANCELLED)
        raw.send(2, "cancel", {"id": 9})
        assert await raw.ask(0, 1, "echo", {}) == [1, 1, None, {}]
        assert raw.peer.running == 0

    run(main())
    assert seen.wait(20)


def test_calls_from_threads() -> None:
    async def main() -> None:
        raw = Raw(HANDLERS)

        def call(timeout: float | None = None) -> Any:
            return asyncio.to_thread(raw.peer.call_from_thread, "far", {"a": 1}, timeout)

        for error, result in ((None, {"b": 2}), ([1, "no"], None)):
            calling = asyncio.ensure_future(call())
            kind, id, method, params = await raw.sent.get()
            assert (kind, method, params) == (0, "far", {"a": 1})
            raw.send(1, id, error, result)
            if error is None:
                assert await calling == result
            else:
                with pytest.raises(CallError, match="no"):
                    await calling
        with pytest.raises(CallTimeoutError, match=r"far: no answer within 0\.01 seconds"):
            await call(0.01)
        _, id, *_ = await raw.sent.get()
        assert await raw.sent.get() == [2, "cancel", {"id": id}]
        raw.send(1, id, None, {})  # late
        calling = asyncio.ensure_future(call())
        await raw.sent.get()
        raw.peer.end(PeerError("gone"))
        with pytest.raises(PeerError, match="gone"):
            await calling
        with pytest.raises(PeerError, match="gone"):
            await call()

    run(main())


def test_an_answer_that_is_being_written_is_waited_for() -> None:
    writing, written = threading.Event(), threading.Event()

    class Slow(Raw):
        def write(self, data: bytes | memoryview) -> int:
            writing.set()
            assert written.wait(20)
            return super().write(data)

    async def main() -> None:
        raw = Slow(HANDLERS)
        raw.send(0, 1, "echo", {})
        await asyncio.to_thread(writing.wait, 20)
        assert raw.peer.running == 1
        written.set()
        assert await raw.sent.get() == [1, 1, None, {}]
        while raw.peer.running:
            await asyncio.sleep(0.001)

    run(main())


@pytest.mark.parametrize(
    ("stream", "message"),
    [
        (
            b"hello world\nmore",
            "on its standard output, got text: 'hello world'",
        ),
        (b"\xc1", "protocol error: invalid MessagePack"),
        (b"\x80", "protocol error: expected a message, which is an array"),
        (b"\x90", r"protocol error: expected \[0, id, method, params\], "),
        (msgpack.packb([1, 5, None, 1]), "answer to a call that was never sent, or twice"),
        (msgpack.packb([1, None, "why", 1]), "refused a message of ours: why"),
        (msgpack.packb([False, 5, "m", {}]), r"protocol error: expected \[0"),
        (msgpack.packb([3, 5, "m", {}]), r"protocol error: expected \[0"),
        (msgpack.packb([0, -1, "m", {}]), r"protocol error: expected \[0"),
        (msgpack.packb([0, 2**32, "m", {}]), r"protocol error: expected \[0"),
        (msgpack.packb([2, 5, {}]), r"protocol error: expected \[0"),
    ],
)
def test_streams_that_break_the_protocol(stream: bytes, message: str) -> None:
    async def main() -> None:
        raw = Raw(HANDLERS, name="plugin cost")
        call = asyncio.ensure_future(raw.peer.call("m", {}))
        await asyncio.sleep(0)
        raw.peer.receive(stream)
        with pytest.raises(PeerError, match=f"plugin cost: .*{message}"):
            await call
        with pytest.raises(PeerError, match=message):
            await raw.peer.call("m", {})

    run(main())


@pytest.mark.parametrize(
    ("stream", "code"),
    [
        (msgpack.packb([0, 5, 7, {}]), ErrorCode.INVALID_REQUEST),
        (msgpack.packb([0, 5, "m"]), ErrorCode.INVALID_REQUEST),
        (b"\x94\x00\x05\xa1m\x81\xa1a\xa1\xff", ErrorCode.PARSE),
        (b"\x94\x00\x05\xa1m\x81\x01\x01", ErrorCode.PARSE),
        (msgpack.packb([0, 5, "m", {"a": eval("[" * 90 + "]" * 90)}]), ErrorCode.LIMIT),
    ],
)
def test_requests_that_are_refused_alone(stream: bytes, code: ErrorCode) -> None:
    async def main() -> None:
        raw = Raw(HANDLERS, limits=MessageLimits(depth=50))
        raw.peer.receive(stream + msgpack.packb([0, 6, "echo", {}]))
        _, id, error, _ = await raw.sent.get()
        assert (id, error["code"]) == (5, code)
        assert await raw.sent.get() == [1, 6, None, {}]

    run(main())


def test_an_answer_that_cannot_be_read_fails_its_call_alone() -> None:
    async def main() -> None:
        raw = Raw(HANDLERS, name="plugin cost")
        call = asyncio.ensure_future(raw.peer.call("m", {}))
        _, id, *_ = await raw.sent.get()
        raw.peer.receive(b"\x94\x01" + bytes([id]) + b"\xc0\xa1\xff")
        with pytest.raises(PeerError, match="plugin cost: m: invalid answer: a string is not val"):
            await call
        assert not raw.peer.ended.done()

    run(main())


def test_an_id_in_flight_is_refused() -> None:
    async def main() -> None:
        raw = Raw(HANDLERS)
        raw.send(0, 5, "late", {"after": 20})
        raw.send(0, 5, "echo", {})
        assert "id 5 is the id of a call in flight" in await raw.error()

    run(main())


def test_a_stream_that_ends() -> None:
    async def main() -> None:
        raw = Raw({}, name="plugin cost")
        call = asyncio.ensure_future(raw.peer.call("m", {}))
        await asyncio.sleep(0)
        raw.peer.receive(b"")
        with pytest.raises(PeerError, match="plugin cost: ended before it answered m"):
            await call
        assert await raw.peer.ended is None

    run(main())


def test_a_stream_that_ends_inside_a_message() -> None:
    async def main() -> None:
        raw = Raw({})
        raw.peer.receive(b"\x94\x00")
        raw.peer.receive(b"")
        assert "the stream ended inside a message" in await raw.error()

    run(main())


def test_calls_in_flight_have_a_limit() -> None:
    async def main() -> None:
        raw = Raw(HANDLERS, limits=MessageLimits(in_flight=2))
        for id in (1, 2, 3):
            raw.send(0, id, "late", {"after": 20})
        _, id, error, _ = await raw.sent.get()
        assert (id, error["code"]) == (3, ErrorCode.LIMIT)
        assert error["message"] == "too many calls in flight: the limit is 2"
        calls = [asyncio.ensure_future(raw.peer.call("m", {}, timeout=20)) for _ in range(2)]
        await asyncio.sleep(0)
        assert "the limit is 2" in str(await raised(raw.peer.call("m", {})))
        raw.peer.end(None)
        await asyncio.gather(*calls, return_exceptions=True)

    run(main())


def test_messages_have_a_limit_in_both_directions() -> None:
    def large(_params: Any, _call: Any) -> bytes:
        return b"\0" * 300

    async def main() -> None:
        async with pair({**HANDLERS, "large": large}, MessageLimits(size=200)) as (near, far):
            assert "message is too large: " in str(
                await raised(near.call("echo", {"a": b"\0" * 300}))
            )
            assert (await raised(near.call("large", {}))).code == ErrorCode.LIMIT
            assert await near.call("echo", {}) == {}
            far.receive(msgpack.packb([0, 1, "echo", {"a": b"\0" * 300}]))
            assert "message is too large: the limit is 200 bytes" in str(await far.ended)

    run(main())


def test_results_that_messagepack_cannot_carry() -> None:
    async def main() -> None:
        raw = Raw({"odd": lambda *_: object()})
        _, _, error, _ = await raw.ask(0, 1, "odd", {})
        assert error["code"] == ErrorCode.INTERNAL
        assert "cannot be written as MessagePack" in error["message"]

    run(main())


def test_a_peer_that_does_not_read() -> None:
    async def main() -> None:
        raw = Raw({}, name="plugin cost", limits=MessageLimits(size=100))
        raw.backlog = 301
        raw.peer.notify("log", {})
        assert "plugin cost: does not read what is sent to it" in await raw.error()

    run(main())


def test_notifications() -> None:
    async def main() -> None:
        raw = Raw({})
        raw.send(2, "log", {"message": "m"})
        raw.send(2, "log", "odd")
        assert raw.notified == [("log", {"message": "m"})]
        assert not raw.peer.ended.done()

    run(main())


def test_a_thousand_calls_at_once() -> None:
    def work(params: Any, _call: Any) -> Any:
        time.sleep(0.0001)
        return params["n"]

    async def main() -> None:
        async with pair({"work": work}) as (near, _):
            got = await asyncio.gather(*(near.call("work", {"n": n}) for n in range(1000)))
            assert got == list(range(1000))

    run(main())
