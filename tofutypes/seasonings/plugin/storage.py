"""Storage of state: what an author writes, and the calls of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from tofutypes.locks import LockInfo
from tofutypes.seasonings.errors import CallError, ErrorCode
from tofutypes.seasonings.plugin.author import error_of, run_author
from tofutypes.seasonings.protocol.locks import read_lock_info, write_lock_info
from tofutypes.seasonings.protocol.values import bytes_param, optional_text_param, text_param
from tofutypes.seasonings.rpc.handlers import Call
from tofutypes.seasonings.rpc.messages import Params

T = TypeVar("T")
Result: TypeAlias = T | Awaitable[T]
"""What a method returns, at once or later."""


class LockedError(CallError):
    """A lock that is held: raised by [`Storage`][tofutypes.seasonings.plugin.storage.Storage].

    Args:
        holder: who holds the lock; None if nobody does, and a lock was needed.
    """

    def __init__(self, holder: LockInfo | None = None) -> None:
        self.holder = holder
        message = "the state is not locked by this lock"
        if holder is not None:
            message = "the state is locked" + (f" by {holder.who}" if holder.who else "")
        super().__init__(
            ErrorCode.LOCKED, message, None if holder is None else write_lock_info(holder)
        )

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return type(self), (self.holder,)


class Storage(ABC):
    """Keeps the state of configurations: one state for each path.

    Every method may be `async`. Methods run at the same time, in several threads. A method that
    returns has done its work durably: a state that was written is there after a crash.
    """

    @abstractmethod
    def read(self, path: str) -> Result[bytes | None]:
        """The state at a path; None if there is none."""

    @abstractmethod
    def write(self, path: str, state: bytes, lock_id: str | None) -> Result[None]:
        """Store a state.

        Raises:
            LockedError: If `lock_id` is not the lock of the state, also if it is None and the state
                is locked. Check and write must be one transaction.
        """

    @abstractmethod
    def delete(self, path: str, lock_id: str | None) -> Result[None]:
        """Delete a state. A state that is not there is no error. Locks as for `write`."""

    @abstractmethod
    def lock(self, path: str, info: LockInfo) -> Result[str]:
        """Lock a state, whether it exists or not, and return the id of the lock: `info.id` will do.

        Raises:
            LockedError: If the state is locked already, with the info of the holder.
        """

    @abstractmethod
    def unlock(self, path: str, lock_id: str | None) -> Result[None]:
        """Remove a lock; by force, whoever holds the lock, if `lock_id` is None.

        Raises:
            LockedError: If `lock_id` is not the lock of the state.
        """

    @abstractmethod
    def list(self, prefix: str) -> Result[Sequence[str]]:
        """The paths of all states whose path starts with the prefix, sorted."""


class StorageCalls:
    """Answers the calls `storage/…`."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    @property
    def methods(self) -> Mapping[str, Callable[[Params, Call], object]]:
        """What answers each method."""
        return {
            "storage/read": self._read,
            "storage/write": self._write,
            "storage/delete": self._delete,
            "storage/lock": self._lock,
            "storage/unlock": self._unlock,
            "storage/list": self._list,
        }

    def _read(self, params: Params, call: Call) -> object:
        state: object = self._run(call, self._storage.read, text_param(params, "path"))
        if state is not None and not isinstance(state, bytes):
            raise CallError(ErrorCode.INTERNAL, "storage.read: expected bytes or None")
        return {"state": state}

    def _write(self, params: Params, call: Call) -> object:
        path, state = text_param(params, "path"), bytes_param(params, "state")
        lock_id = optional_text_param(params, "lock_id")
        self._run(call, self._storage.write, path, state, lock_id)
        return {}

    def _delete(self, params: Params, call: Call) -> object:
        path, lock_id = text_param(params, "path"), optional_text_param(params, "lock_id")
        self._run(call, self._storage.delete, path, lock_id)
        return {}

    def _lock(self, params: Params, call: Call) -> object:
        path, info = text_param(params, "path"), read_lock_info(params.get("info"))
        lock_id = self._run(call, self._storage.lock, path, info)
        if not isinstance(lock_id, str):
            raise CallError(ErrorCode.INTERNAL, "storage.lock: expected the id of the lock")
        return {"lock_id": lock_id}

    def _unlock(self, params: Params, call: Call) -> object:
        path, lock_id = text_param(params, "path"), optional_text_param(params, "lock_id")
        self._run(call, self._storage.unlock, path, lock_id)
        return {}

    def _list(self, params: Params, call: Call) -> object:
        prefix = optional_text_param(params, "prefix") or ""
        return {"paths": list(self._run(call, self._storage.list, prefix))}

    def _run(self, call: Call, function: Callable[..., Any], *arguments: object) -> Any:
        try:
            return run_author(call, function, *arguments)
        except BaseException as raised:  # noqa: BLE001  # whatever the author's code raises
            raise error_of(raised, f"storage.{function.__name__}") from None
