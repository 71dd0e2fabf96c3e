"""A plugin with everything, for tests."""

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Annotated, Any

from tofutypes import Attr, Number, ProviderConfig, Resource, Unknown
from tofutypes.models import Parameter
from tofutypes.seasonings import (
    ArgumentError,
    Change,
    LockedError,
    LockInfo,
    Plugin,
    Stage,
    Storage,
)


class Config(ProviderConfig):
    region: Annotated[str | None, Attr(optional=True)] = "eu"
    retries: Annotated[int | None, Attr(optional=True)] = None


class Bucket(Resource, type_name="test_bucket"):
    name: str
    acl: str | None = None
    size: Annotated[Number | Unknown | None, Attr(computed=True)] = None


plugin = Plugin("toolkit", version="1.2.3", config=Config)


@plugin.function
def repeat(text: str, times: int) -> str:
    """Repeat a text."""
    if times < 0:
        raise ArgumentError("expected a number of at least 0", 1)
    return text * times


@plugin.function(summary="Their sum")
async def total(*numbers: Number) -> Number:
    await asyncio.sleep(0)
    return sum(numbers)


@plugin.function
def describe(value: Annotated[str | Unknown | None, Parameter(description="anything")]) -> str:
    return "null" if value is None else "unknown" if isinstance(value, Unknown) else value


@plugin.function
def region() -> str:
    return str(plugin.config.region)


@plugin.function
def wrong() -> str:
    return 3  # type: ignore[return-value]  # on purpose


@plugin.function
def crash(how: str) -> str:
    print("about to", how)
    match how:
        case "raise":
            raise RuntimeError("a secret")
        case "name":
            raise NameError("name 'x' is not defined")
        case "die":
            sys.stderr.write("the last words\n")
            sys.stderr.flush()
            os._exit(3)
        case "hang":
            time.sleep(600)
        case "exit":
            sys.exit("leaving")
        case "garbage":
            os.write(_protocol(), b"Traceback (most recent call last):\n")
    return how


def _protocol() -> int:
    """The descriptor that the SDK keeps for messages: the only pipe for writing but 1 and 2."""
    import fcntl

    for descriptor in range(3, 40):
        try:
            flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
            target = str(Path(f"/proc/self/fd/{descriptor}").readlink())
        except OSError:
            continue
        if flags & os.O_ACCMODE == os.O_WRONLY and target.startswith("pipe:"):
            return descriptor
    raise LookupError


@plugin.post_plan(Bucket)
def no_public_buckets(change: Change[Bucket]) -> None:
    if change.after is not None and change.after.acl == "public-read":
        change.fail("public bucket", path="acl", detail="Set it to private.")


@plugin.post_plan("test_*")
def count(change: Change[dict[str, Any]]) -> None:
    change.add_metadata(seen=change.resource_type, before=sorted(change.metadata))


@plugin.post_plan
async def warn(change: Change[dict[str, Any]]) -> None:
    await asyncio.sleep(0)
    if change.action == "delete":
        change.warn(f"{change.address} goes")


@plugin.pre_apply
def first(change: Change[dict[str, Any]]) -> None:
    change.fail("never")


@plugin.pre_apply
def second(change: Change[dict[str, Any]]) -> None:
    raise AssertionError("not reached")


@plugin.plan_stage_complete
def sum_up(stage: Stage) -> None:
    sizes = [change.after.size for change in stage.changes_of(Bucket) if change.after]
    stage.add_metadata(sizes=sizes, command=list(stage.command))


@plugin.storage
class Memory(Storage):
    def __init__(self) -> None:
        self.states: dict[str, bytes] = {}
        self.locks: dict[str, LockInfo] = {}

    def _check(self, path: str, lock_id: str | None) -> None:
        holder = self.locks.get(path)
        if (holder.id if holder else None) != lock_id:
            raise LockedError(holder)

    def read(self, path: str) -> bytes | None:
        return self.states.get(path)

    def write(self, path: str, state: bytes, lock_id: str | None) -> None:
        self._check(path, lock_id)
        self.states[path] = state

    async def delete(self, path: str, lock_id: str | None) -> None:
        self._check(path, lock_id)
        self.states.pop(path, None)

    def lock(self, path: str, info: LockInfo) -> str:
        holder = self.locks.setdefault(path, info)
        if holder is not info:
            raise LockedError(holder)
        return info.id

    def unlock(self, path: str, lock_id: str | None) -> None:
        if lock_id is not None:
            self._check(path, lock_id)
        self.locks.pop(path, None)

    def list(self, prefix: str) -> list[str]:
        return sorted(path for path in self.states if path.startswith(prefix))


if __name__ == "__main__":
    plugin.run()
