"""What the author of a provider writes for a state store. Every method may be `async`."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import ClassVar, Generic, TypeAlias

from typing_extensions import TypeVar

from tofutypes.locks import LockInfo
from tofutypes.models import StateStore
from tofutypes.provider.server.context import Context, StateStoreContext, ValidateContext
from tofutypes.provider.server.handlers import Handler, P, Result
from tofutypes.provider.service.diagnostics import ProviderError
from tofutypes.provider.service.state_chunks import ChunkError, StateData
from tofutypes.provider.service.state_files import replace_file

S = TypeVar("S", bound=StateStore)

StoredBytes: TypeAlias = StateData | AsyncIterable[bytes]
"""What `read` returns: bytes, an open binary file, or pieces."""


class LockedError(ProviderError):
    """A lock that somebody else holds: raised by the methods of a `StateStoreHandler`.

    Args:
        holder: Who holds the lock; None if nobody does, and a lock was expected.
    """

    def __init__(self, holder: LockInfo | None = None) -> None:
        self.holder = holder
        if holder is None:
            super().__init__("The state is not locked by this lock")
        else:
            super().__init__("The state is locked", f"Lock {holder}.")

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return type(self), (self.holder,)


class StateReader:
    """A state that arrives. Iterate over the chunks with `for` or `async for`.

    The iteration ends only when the entire state has arrived, and raises an exception if it does
    not: whatever was stored until then must not replace the state before. `save` takes care of
    that for files.

    Args:
        chunks: The chunks.
        size: The number of bytes of the state.

    Attributes:
        size: The number of bytes of the state, as the caller promised.
        complete: Whether the entire state has arrived and was read.
        error: Why the state did not arrive; None if nothing went wrong so far.
    """

    def __init__(self, chunks: Iterable[bytes], size: int) -> None:
        self.size = size
        self.complete = False
        self.error: Exception | None = None
        self._chunks = iter(chunks)

    def __iter__(self) -> Iterator[bytes]:
        while (chunk := self._next()) is not None:
            yield chunk

    async def __aiter__(self) -> AsyncIterator[bytes]:
        import asyncio  # not needed by most providers

        while (chunk := await asyncio.to_thread(self._next)) is not None:
            yield chunk

    def read(self) -> bytes:
        """Return the entire state.

        Raises:
            ProviderError: If it does not arrive.
        """
        return b"".join(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the state to a file, which is replaced once the entire state is on the disk.

        Raises:
            ProviderError: If the state does not arrive.
            OSError: If it cannot be written. The file is as it was.
        """
        replace_file(path, self)

    def _next(self) -> bytes | None:
        if self.error is not None:
            raise self.error
        try:
            chunk = next(self._chunks, None)
        except ChunkError as error:
            self.error = ProviderError("The state did not arrive as a whole", f"{error}.")
            raise self.error from None
        except Exception as error:
            self.error = error
            raise
        self.complete = chunk is None
        return chunk


class StateStoreHandler(Handler[P], ABC, Generic[S, P]):
    """Keeps states: `class Buckets(StateStoreHandler[Bucket, Nimbus])`.

    Methods run at the same time, in several threads. A method that returns has done its work
    durably: a state that was written is there after a crash. Errors such as `OSError` are reported
    by their names alone; raise `ProviderError` to say more.

    A state id is the name of a workspace. It may have any characters, `..` too.

    Attributes:
        model: The class of the configuration, taken from the brackets.
        chunk_size: The bytes of a chunk on the way to Terraform, at most 128 MiB; None for what
            Terraform proposes, which is 8 MiB.
    """

    chunk_size: ClassVar[int | None] = None

    def validate(self, config: S, context: ValidateContext) -> Result[None]:
        """Check a configuration beyond its schema. Anything may be unknown."""
        return None

    def configure(self, config: S, context: Context) -> Result[None]:
        """Take the configuration, which all later calls have in `context.config`."""
        return None

    @abstractmethod
    def read(
        self, state_id: str, context: StateStoreContext[S]
    ) -> Result[StoredBytes | None] | AsyncIterable[bytes]:
        """Return a state: bytes, an open binary file, or pieces of any size; None without a state.

        A file is closed when it was read. Pieces go through a temporary file, for the number of
        bytes goes ahead of them.
        """

    @abstractmethod
    def write(
        self, state_id: str, state: StateReader, context: StateStoreContext[S]
    ) -> Result[None]:
        """Store a state, or nothing if it does not arrive as a whole: replace it in the end.

        Terraform locks the state before, and sends no lock id.
        """

    @abstractmethod
    def delete(self, state_id: str, context: StateStoreContext[S]) -> Result[None]:
        """Delete a state. A state that is not there is no error."""

    @abstractmethod
    def lock(self, state_id: str, info: LockInfo, context: StateStoreContext[S]) -> Result[str]:
        """Lock a state, whether it exists or not, and return the id of the lock: `info.id` will do.

        Return "" if the store has no locks.

        Raises:
            LockedError: If the state is locked already, with the info of the holder.
        """

    @abstractmethod
    def unlock(self, state_id: str, lock_id: str, context: StateStoreContext[S]) -> Result[None]:
        """Remove a lock.

        Raises:
            LockedError: If `lock_id` is not the lock of the state.
        """

    @abstractmethod
    def states(self, context: StateStoreContext[S]) -> Result[Iterable[str]]:
        """Return the ids of all states that were written, sorted."""
