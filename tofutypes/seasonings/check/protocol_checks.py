"""Checks of the protocol itself: its messages, its forms and its end."""

from __future__ import annotations

import asyncio
from typing import Final

import msgpack

from tofutypes.seasonings.check.session import RawPlugin, Session
from tofutypes.seasonings.errors import CallError, ErrorCode
from tofutypes.seasonings.protocol.methods import (
    FUNCTIONS,
    RESOURCES,
    STORAGE,
    HookPoint,
    StagePoint,
    hook_capability,
)

_KNOWN: Final = frozenset(
    {FUNCTIONS, STORAGE, RESOURCES, "cancel", "log"}
    | {hook_capability(point) for point in (*HookPoint, *StagePoint)}
)
_MAX_ID: Final = 0xFFFFFFFF
_AT_ONCE: Final = 100


async def check_protocol(session: Session) -> bool:
    """Check what every plugin must do; whether the others can go on."""
    report = session.report
    async with session.checking("init"):
        info = (await session.client()).info
        listed = ", ".join(sorted(info.capabilities)) or "none"
        report.ok("init", f"{info.name} {info.version}, capabilities: {listed}")
        for name in sorted(info.capabilities - _KNOWN):
            report.warn("init", f"unknown capability {name!a}")
    if report.failed:
        return False
    await _check_calls(session)
    await _check_order(session)
    await _check_forms(session)
    await _check_pieces(session)
    await _check_ends(session)
    return True


async def _check_calls(session: Session) -> None:
    async with session.checking("ping"):
        answer = await session.call("ping", {})
        if isinstance(answer, CallError):
            raise answer
        if answer.get("status") != "ok":
            session.report.fail("ping", "wrong answer", 'Answer {"status": "ok"}.')
        else:
            session.report.ok("ping")
    async with session.checking("unknown method"):
        advice_code = ErrorCode.NO_SUCH_METHOD
        await session.expect_error("unknown method", "no/suchMethod", {}, advice_code)
    async with session.checking("unknown notification", "Ignore notifications that are unknown."):
        (await session.client()).peer.notify("no/suchNotification", {})
        await (await session.client()).ping()
        session.report.ok("unknown notification")
    async with session.checking("unknown members", "Ignore members of params that are unknown."):
        answer = await session.call("ping", {"tofutypes_large": b"x" * (1 << 20)})
        if isinstance(answer, CallError):
            raise answer
        session.report.ok("unknown members", "and a message of 1 MiB")


async def _check_order(session: Session) -> None:
    check = "before init"
    async with session.checking(check), RawPlugin(session.command) as raw:
        raw.send(0, 1, "functions/getSchema", {})
        error = (await raw.answer(1))[2]
        if error is None:
            advice = f"Answer calls before init with the error {ErrorCode.NOT_INITIALIZED:d}."
            session.report.fail(check, "a call was answered before init", advice)
        else:
            session.report.ok(check)
    check = f"{_AT_ONCE} calls at once"
    async with session.checking(check):
        client = await session.client()
        await asyncio.gather(*(client.ping() for _ in range(_AT_ONCE)))
        session.report.ok(check)


async def _check_forms(session: Session) -> None:
    forms: list[tuple[str, int, object, str]] = [
        ("the largest id", _MAX_ID, {}, "Ids are unsigned integers of 32 bits."),
        ("params in an array", 2, [{}], "Accept [params] for params: Neovim sends that."),
        ("no params in an array", 3, [], "Accept [] for no params: Neovim sends that."),
    ]
    for check, id, params, advice in forms:
        async with session.checking(check, advice), RawPlugin(session.command) as raw:
            raw.greet(session.config)
            await raw.answer(0)
            raw.send(0, id, "ping", params)
            error = (await raw.answer(id))[2]
            if error is None:
                session.report.ok(check)
            else:
                session.report.warn(check, "refused", advice)
    check = "message of an unknown kind"
    async with session.checking(check), RawPlugin(session.command) as raw:
        raw.greet(session.config)
        await raw.answer(0)
        raw.send(0, 4, 5, {})
        error = (await raw.answer(4))[2]
        if error is None:
            session.report.fail(check, "a method that is a number was answered with a result")
        else:
            session.report.ok(check)


async def _check_pieces(session: Session) -> None:
    advice = "Read messages from a stream: they arrive in any pieces, and several at once."
    check = "messages in pieces"
    async with session.checking(check, advice), RawPlugin(session.command) as raw:
        raw.greet(session.config)
        await raw.answer(0)
        for byte in msgpack.packb([0, 5, "ping", {"text": "split"}]):
            raw.send_bytes(bytes([byte]))
            await asyncio.sleep(0.002)
        await raw.answer(5)
        session.report.ok(check)
    check = "several messages at once"
    async with session.checking(check, advice), RawPlugin(session.command) as raw:
        raw.greet(session.config)
        await raw.answer(0)
        raw.send_bytes(b"".join(msgpack.packb([0, id, "ping", {}]) for id in (1, 2, 3)))
        missing = {1, 2, 3}
        while missing:
            missing -= await _answered(raw, missing)
        session.report.ok(check)


async def _answered(raw: RawPlugin, ids: set[int]) -> set[int]:
    message = await raw.any_answer()
    return {message[1]} & ids


async def _check_ends(session: Session) -> None:
    async with session.checking("shutdown"), RawPlugin(session.command) as raw:
        raw.greet(session.config)
        await raw.answer(0)
        raw.send(0, 6, "shutdown", {})
        await raw.answer(6)
        _judge_end(session, "shutdown", await raw.exit_code())
    async with session.checking("shutdown notification"), RawPlugin(session.command) as raw:
        raw.greet(session.config)
        await raw.answer(0)
        raw.send(2, "shutdown", {})
        _judge_end(session, "shutdown notification", await raw.exit_code())
    async with session.checking("end of standard input"), RawPlugin(session.command) as raw:
        raw.greet(session.config)
        await raw.answer(0)
        _judge_end(session, "end of standard input", await raw.end_of_input())


def _judge_end(session: Session, check: str, code: int | None) -> None:
    if code is None:
        advice = "Exit after shutdown and at the end of standard input, or hosts have to kill you."
        session.report.fail(
            check, f"the plugin did not exit within {session.patience:g} seconds", advice
        )
    elif code != 0:
        session.report.fail(check, f"exit code {code}, expected 0")
    else:
        session.report.ok(check)
