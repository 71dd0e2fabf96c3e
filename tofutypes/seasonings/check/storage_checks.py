"""Checks of storage: what was written is read again, and locks hold."""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import Awaitable
from typing import Final

from tofutypes.locks import LockInfo
from tofutypes.narrowing import is_dict
from tofutypes.seasonings.check.session import Session
from tofutypes.seasonings.errors import CallError, ErrorCode

_LARGE: Final = 8 << 20
_RIVALS: Final = 10


async def check_storage(session: Session) -> None:
    """Check the storage, at paths that are deleted afterwards."""
    path = f"tofutypes-check/{uuid.uuid4()}"
    await _check_states(session, path)
    await _check_locks(session, path)
    await _check_rivals(session, path)
    async with session.checking("storage: clean up"):
        client = await session.client()
        await client.unlock_state(path, None)
        await client.delete_state(path)


async def _check_states(session: Session, path: str) -> None:
    report = session.report
    async with session.checking("storage/read: no state"):
        if await (await session.client()).read_state(path) is None:
            report.ok("storage/read: no state")
        else:
            report.fail("storage/read: no state", "expected nil for a path that was never written")
    for check, state in [
        ("storage/write: any bytes", bytes(range(256))),
        ("storage/write: again", b'{"version": 4}'),
        ("storage/write: 8 MiB", os.urandom(_LARGE)),
    ]:
        async with session.checking(check):
            client = await session.client()
            await client.write_state(path, state)
            if await client.read_state(path) == state:
                report.ok(check)
            else:
                report.fail(check, "what is read is not what was written")
    async with session.checking("storage/list"):
        client = await session.client()
        if path in await client.list_states("tofutypes-check/"):
            report.ok("storage/list")
        else:
            report.fail("storage/list", "a path that was written is not listed")
    async with session.checking("storage: kept"):
        await session.close()
        if await (await session.client()).read_state(path) is None:
            report.warn("storage: kept", "the state is gone when the plugin is started again")
        else:
            report.ok("storage: kept", "the state is there when the plugin is started again")
    async with session.checking("storage/delete"):
        client = await session.client()
        await client.write_state(path, b"{}")
        await client.delete_state(path)
        await client.delete_state(path)
        if await client.read_state(path) is None:
            report.ok("storage/delete")
        else:
            report.fail("storage/delete", "a state that was deleted is still there")


async def _check_locks(session: Session, path: str) -> None:
    holder = LockInfo("holder", "OperationTypeApply", "tofutypes plugin check", "1", "", "")
    async with session.checking("storage/lock"):
        client = await session.client()
        lock_id = await client.lock_state(path, holder)
        session.report.ok("storage/lock")
        error = await session.expect_error(
            "storage/lock: held",
            "storage/lock",
            {"path": path, "info": {"id": "rival"}},
            ErrorCode.LOCKED,
        )
        if error is not None and (not is_dict(error.data) or error.data.get("who") != holder.who):
            advice = "Put the info of the holder into the error's data."
            session.report.fail("storage/lock: held", "the error does not say by whom", advice)
        state = {"path": path, "state": b"lost", "lock_id": None}
        for check, wrong in [("without a lock", None), ("with another lock", "rival")]:
            await session.expect_error(
                f"storage/write: {check}", "storage/write", {**state, "lock_id": wrong}
            )
        await client.write_state(path, b"kept", lock_id)
        if await client.read_state(path) == b"kept":
            session.report.ok("storage/write: with the lock")
        else:
            session.report.fail("storage/write: with the lock", "the state is not what was written")
        params = {"path": path, "lock_id": "rival"}
        await session.expect_error("storage/unlock: another lock", "storage/unlock", params)
        await client.unlock_state(path, lock_id)
        await client.lock_state(path, holder)
        await client.unlock_state(path, None)
        session.report.ok("storage/unlock", "and by force")


async def _check_rivals(session: Session, path: str) -> None:
    check = f"storage/lock: {_RIVALS} at once"
    async with session.checking(check):
        client = await session.client()
        locks = (
            _locked(client.lock_state(path, LockInfo(f"rival {number}")))
            for number in range(_RIVALS)
        )
        locked = [lock_id for lock_id in await asyncio.gather(*locks) if lock_id is not None]
        if len(locked) == 1:
            session.report.ok(check)
        else:
            session.report.fail(check, f"{len(locked)} of them got the lock, expected 1")


async def _locked(lock: Awaitable[str]) -> str | None:
    try:
        return await lock
    except CallError:
        return None
