"""Calls about state stores: their configuration, and the states that they keep."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager

from tofutypes.models import StateStore
from tofutypes.provider.client.conversion import has_errors
from tofutypes.provider.client.remote_service import remote_service
from tofutypes.provider.client.session import Session, type_name
from tofutypes.provider.service.closing import close_iterator
from tofutypes.provider.service.diagnostics import Diagnostic, PluginError, ProviderError
from tofutypes.provider.service.responses import ReadStateChunk
from tofutypes.provider.service.service import ProviderService
from tofutypes.provider.service.state_chunks import (
    DEFAULT_CHUNK_SIZE,
    MAX_CHUNK_SIZE,
    ChunkCheck,
    ChunkError,
    StateContent,
    StateData,
)
from tofutypes.provider.service.state_files import replace_file
from tofutypes.provider.service.state_requests import (
    ConfigureStateStoreRequest,
    GetStatesRequest,
    LockStateRequest,
    StateChunk,
    StateRequest,
    StateStoreCapabilities,
    UnlockStateRequest,
)
from tofutypes.provider.service.wire_value import WireValue


class StateStoreCalls:
    """The calls of a [`Client`][tofutypes.provider.client.client.Client] about state stores."""

    _session: Session

    def configure_state_store(
        self, config: StateStore, *, chunk_size: int = DEFAULT_CHUNK_SIZE
    ) -> StateStoreClient:
        """Configure a state store. The provider must be configured before.

            store = provider.configure_state_store(Bucket(name="states"))
            with store.locked("default", "apply"):
                store.write("default", b"...")

        Args:
            config: The configuration. All values in it must be known.
            chunk_size: The bytes of a chunk, as a proposal to the provider.

        Raises:
            UnsupportedCallError: If the provider speaks protocol 5, which has no state stores.
        """
        service, name = remote_service(self._session.connection), type_name(type(config))
        response = service.configure_state_store(
            ConfigureStateStoreRequest(
                name, WireValue.of(config), StateStoreCapabilities(chunk_size)
            )
        )
        if has_errors(response.diagnostics):
            raise ProviderError.of(response.diagnostics)
        chosen = response.capabilities.chunk_size
        if not 0 < chosen <= MAX_CHUNK_SIZE:
            raise PluginError(
                f"{name}: expected a chunk size of 1 to {MAX_CHUNK_SIZE} bytes, got {chosen}"
            )
        return StateStoreClient(service, name, chosen, response.diagnostics)


class StateStoreClient:
    """A configured state store of a provider. Threads may share it.

    Attributes:
        type_name: The type name of the state store.
        chunk_size: The bytes of a chunk, as the provider chose.
        diagnostics: The warnings of all calls so far.
    """

    def __init__(
        self,
        service: ProviderService,
        type_name: str,
        chunk_size: int,
        diagnostics: Iterable[Diagnostic] = (),
    ) -> None:
        self._service = service
        self.type_name = type_name
        self.chunk_size = chunk_size
        self.diagnostics = [*diagnostics]

    def read(self, state_id: str) -> bytes | None:
        """Read a state; None if there is none."""
        return b"".join(self.chunks(state_id)) or None

    def chunks(self, state_id: str) -> Generator[bytes]:
        """Read a state in chunks, without having it in memory; no chunk means no state.

        Raises:
            PluginError: If the chunks are not an entire state. Those before were a part of it.
        """
        check = ChunkCheck(self.chunk_size)
        received = self._service.read_state_bytes(StateRequest(self.type_name, state_id))
        try:
            for chunk in received:
                self._take(chunk.diagnostics)
                if chunk == ReadStateChunk(diagnostics=chunk.diagnostics):
                    continue  # warnings alone
                check.add(chunk.data, chunk.total_length, chunk.range)
                yield chunk.data
            check.finish()
        except ChunkError as error:
            raise PluginError(f"ReadStateBytes: {error}") from None
        finally:
            close_iterator(received)

    def save(self, state_id: str, path: str | os.PathLike[str]) -> bool:
        """Read a state into a file, which is replaced once the entire state has arrived.

        Returns:
            Whether there is a state; if not, the file is as it was.
        """
        return replace_file(path, self.chunks(state_id)) > 0

    def write(self, state_id: str, state: StateData) -> None:
        """Write a state.

        Args:
            state_id: The state.
            state: The bytes, an open binary file (from where it stands), or pieces of any size. The
                number of bytes goes ahead of them: pieces are kept in a temporary file until then.

        Raises:
            PluginError: If the state is empty.
        """
        try:
            with closing(StateContent(state)) as content:
                if not content.size:
                    raise PluginError("a state cannot be empty")
                sent = self._service.write_state_bytes(self._sent(state_id, content))
        except ChunkError as error:
            raise PluginError(f"WriteStateBytes: {error}") from None
        self._take(sent.diagnostics)

    def lock(self, state_id: str, operation: str = "") -> str:
        """Lock a state, and return the id of the lock.

        Args:
            state_id: The state.
            operation: What the lock is for, such as `OperationTypeApply`.
        """
        response = self._service.lock_state(LockStateRequest(self.type_name, state_id, operation))
        self._take(response.diagnostics)
        return response.lock_id

    def unlock(self, state_id: str, lock_id: str) -> None:
        """Unlock a state."""
        request = UnlockStateRequest(self.type_name, state_id, lock_id)
        self._take(self._service.unlock_state(request).diagnostics)

    @contextmanager
    def locked(self, state_id: str, operation: str = "") -> Generator[str]:
        """Hold the lock of a state; see `lock`."""
        lock_id = self.lock(state_id, operation)
        try:
            yield lock_id
        finally:
            self.unlock(state_id, lock_id)

    def states(self) -> list[str]:
        """Return the ids of all states."""
        response = self._service.get_states(GetStatesRequest(self.type_name))
        self._take(response.diagnostics)
        return list(response.state_ids)

    def delete(self, state_id: str) -> None:
        """Delete a state."""
        self._take(self._service.delete_state(StateRequest(self.type_name, state_id)).diagnostics)

    def _sent(self, state_id: str, content: StateContent) -> Iterator[StateChunk]:
        meta: StateRequest | None = StateRequest(self.type_name, state_id)
        for data, place in content.chunks(self.chunk_size):
            yield StateChunk(meta, data, content.size, place)
            meta = None  # only in the first chunk

    def _take(self, diagnostics: Iterable[Diagnostic]) -> None:
        taken = tuple(diagnostics)
        if has_errors(taken):
            raise ProviderError.of(taken)
        self.diagnostics += taken
