"""A provider with a state store in memory, whose code each test may replace."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from tofutypes import Attr, Number, ProviderConfig, StateStore
from tofutypes.provider import (
    Context,
    LockedError,
    LockInfo,
    Provider,
    StateReader,
    StateStoreContext,
    StateStoreHandler,
    ValidateContext,
)
from tofutypes.provider.client import StateStoreClient, host

Code = Callable[..., Any]


class Memory(StateStore, type_name="toy_memory"):
    name: Attr[str] = Attr(required=True)
    limit: Attr[Number | None] = Attr(optional=True, default=None)


class Toy(Provider[ProviderConfig]):
    """Runs the code that a test gives for a call; without it, what works.

    Attributes:
        states: The states.
        locks: Who holds the lock of a state.
    """

    address = "registry.opentofu.org/example/toy"

    def __init__(self, **code: Code) -> None:
        self.code = code
        self.states: dict[str, bytes] = {}
        self.locks: dict[str, LockInfo] = {}


class Memories(StateStoreHandler[Memory, Toy]):
    def validate(self, config: Memory, context: ValidateContext) -> Any:
        return self._run("validate", config, context, default=lambda *_: None)

    def configure(self, config: Memory, context: Context) -> Any:
        return self._run("configure", config, context, default=lambda *_: None)

    def read(self, state_id: str, context: StateStoreContext[Memory]) -> Any:
        return self._run("read", state_id, context, default=self._read)

    def write(self, state_id: str, state: StateReader, context: StateStoreContext[Memory]) -> Any:
        return self._run("write", state_id, state, context, default=self._write)

    def delete(self, state_id: str, context: StateStoreContext[Memory]) -> Any:
        return self._run(
            "delete", state_id, context, default=lambda name, _: self._states.pop(name, None)
        )

    def lock(self, state_id: str, info: LockInfo, context: StateStoreContext[Memory]) -> Any:
        return self._run("lock", state_id, info, context, default=self._lock)

    def unlock(self, state_id: str, lock_id: str, context: StateStoreContext[Memory]) -> Any:
        return self._run("unlock", state_id, lock_id, context, default=self._unlock)

    def states(self, context: StateStoreContext[Memory]) -> Any:
        return self._run("states", context, default=lambda _: sorted(self._states))

    @property
    def _states(self) -> dict[str, bytes]:
        return self.provider.states

    def _run(self, call: str, *arguments: Any, default: Code) -> Any:
        return self.provider.code.get(call, default)(*arguments)

    def _read(self, state_id: str, _: object) -> bytes | None:
        return self._states.get(state_id)

    def _write(self, state_id: str, state: StateReader, _: object) -> None:
        self._states[state_id] = state.read()

    def _lock(self, state_id: str, info: LockInfo, _: object) -> str:
        holder = self.provider.locks.setdefault(state_id, info)
        if holder is not info:
            raise LockedError(holder)
        return info.id

    def _unlock(self, state_id: str, lock_id: str, _: object) -> None:
        holder = self.provider.locks.get(state_id)
        if holder is None or holder.id != lock_id:
            raise LockedError(holder)
        del self.provider.locks[state_id]


Toy.state_stores = (Memories,)


@contextmanager
def stored(toy: Toy, chunk_size: int = 4) -> Generator[StateStoreClient]:
    """The configured state store of a provider."""
    with host(toy) as provider:
        yield provider.configure_state_store(Memory(name="a"), chunk_size=chunk_size)
