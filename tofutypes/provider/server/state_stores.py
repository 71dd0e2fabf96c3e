"""State stores: their configuration, and the states that they keep.

Source: the protocol, `ConfigureStateStore` and what follows it.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterable, AsyncIterator, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import chain
from typing import Any, cast

from tofutypes.errors import describe
from tofutypes.limits import current_limits
from tofutypes.locks import LockInfo
from tofutypes.models import StateStore
from tofutypes.provider.server.configuration import check_configuration
from tofutypes.provider.server.context import Context, StateStoreContext
from tofutypes.provider.server.endpoint import Endpoint
from tofutypes.provider.server.provider_bugs import provider_bug
from tofutypes.provider.server.reporting import Report, diagnostics_of, reporting
from tofutypes.provider.server.runner import Runner
from tofutypes.provider.server.state_store_handler import StateReader, StateStoreHandler
from tofutypes.provider.service import requests, responses, state_requests
from tofutypes.provider.service.diagnostics import ProviderError
from tofutypes.provider.service.state_chunks import (
    DEFAULT_CHUNK_SIZE,
    MAX_CHUNK_SIZE,
    ChunkCheck,
    ChunkError,
    StateContent,
)
from tofutypes.provider.service.unsupported import UnsupportedCalls, no_such_type


class StateStoreEndpoint(Endpoint[StateStore]):
    """A state store of the provider.

    Attributes:
        handler: The author's handler.
    """

    def __init__(self, name: str, handler: StateStoreHandler[Any, Any], run: Runner):
        super().__init__(name, handler, handler.model, run)
        self.handler = handler
        self._configured: tuple[StateStore, int] | None = None  # with the size of chunks

    def configure(
        self, request: state_requests.ConfigureStateStoreRequest
    ) -> responses.ConfigureStateStoreResponse:
        """Configure the state store, and choose the size of chunks."""
        context = Context(stopping=self.stopping)
        response = responses.ConfigureStateStoreResponse()
        with self._reporting("configuration", context) as report:
            config = self.decode(request.config, "configuration")
            self.run(self.handler.configure(config, context))
            if not context.failed:
                size = self._chunk_size(request.capabilities.chunk_size)
                self._configured = config, size
                response = responses.ConfigureStateStoreResponse(
                    capabilities=state_requests.StateStoreCapabilities(size)
                )
        return response._replace(diagnostics=report.diagnostics)

    def read(self, state_id: str) -> Iterator[responses.ReadStateChunk]:
        """Read a state; no chunk means no state."""
        content: StateContent | None = None
        chunk_size = 0
        with self._reporting("reading of a state") as report:
            report.context = context = self._context(state_id)
            chunk_size = self._chunk_size_agreed
            returned = self.run(self.handler.read(state_id, context))
            content = self._content(returned)
            if content is not None and context.failed:
                content.close()
                content = None
        diagnostics = report.diagnostics
        if content is None:
            if diagnostics:
                yield responses.ReadStateChunk(diagnostics=diagnostics)
            return
        try:
            for data, place in content.chunks(chunk_size):
                yield responses.ReadStateChunk(data, content.size, place, diagnostics)
                diagnostics = ()
        except Exception as error:  # noqa: BLE001  # of a file that the author opened
            raised = tuple(diagnostics_of(_read_failure(error), f"reading of {self.name}"))
            yield responses.ReadStateChunk(diagnostics=raised)
        finally:
            content.close()

    def write(
        self, state_id: str, size: int, chunks: Iterator[state_requests.StateChunk]
    ) -> responses.DiagnosticsResponse:
        """Write a state of a number of bytes, which arrives in chunks."""
        with self._reporting("writing of a state") as report:
            report.context = context = self._context(state_id)
            state = StateReader(_checked(chunks, self._chunk_size_agreed), size)
            try:
                self.run(self.handler.write(state_id, state, context))
                _ensure_complete(state, self.author)
            except Exception:
                if state.error is not None:  # whatever the author made of it
                    raise state.error from None
                raise
        return responses.DiagnosticsResponse(report.diagnostics)

    def lock(self, request: state_requests.LockStateRequest) -> responses.LockStateResponse:
        """Lock a state."""
        lock_id = ""
        info = _new_lock(request.operation)
        with self._reporting("locking of a state") as report:
            report.context = context = self._context(request.state_id)
            lock = self.run(self.handler.lock(request.state_id, info, context))
            returned = cast("object", lock)  # whatever the author returned
            if not isinstance(returned, str):
                raise self._returned("lock", "the id of the lock", returned)
            lock_id = returned
        return responses.LockStateResponse(lock_id, report.diagnostics)

    def unlock(self, request: state_requests.UnlockStateRequest) -> responses.DiagnosticsResponse:
        """Remove a lock."""
        with self._reporting("unlocking of a state") as report:
            report.context = context = self._context(request.state_id)
            self.run(self.handler.unlock(request.state_id, request.lock_id, context))
        return responses.DiagnosticsResponse(report.diagnostics)

    def states(self) -> responses.GetStatesResponse:
        """Return the ids of all states."""
        states: tuple[str, ...] = ()
        with self._reporting("listing of the states") as report:
            report.context = context = self._context()
            returned = cast("object", self.run(self.handler.states(context)))
            if isinstance(returned, str) or not isinstance(returned, Iterable):
                raise self._returned("states", "the ids of states", returned)
            ids = tuple(cast("Iterable[object]", returned))
            for state_id in ids:
                if not isinstance(state_id, str):
                    raise self._returned("states", "strings", state_id)
            states = cast("tuple[str, ...]", ids)
        return responses.GetStatesResponse(states, report.diagnostics)

    def delete(self, state_id: str) -> responses.DiagnosticsResponse:
        """Delete a state."""
        with self._reporting("deletion of a state") as report:
            report.context = context = self._context(state_id)
            self.run(self.handler.delete(state_id, context))
        return responses.DiagnosticsResponse(report.diagnostics)

    @contextmanager
    def _reporting(self, what: str, context: Context | None = None) -> Generator[Report]:
        what = f"{what} of {self.name}"
        with reporting(what, context, self.parts) as report:
            try:
                yield report
            except OSError as error:
                raise _system_error(what, error) from error

    def _chunk_size(self, proposed: int) -> int:
        limit = min(MAX_CHUNK_SIZE, current_limits().size)
        wanted = self.handler.chunk_size or proposed
        return min(wanted if wanted > 0 else DEFAULT_CHUNK_SIZE, limit)

    @property
    def _chunk_size_agreed(self) -> int:
        assert self._configured is not None  # a context was made of it
        return self._configured[1]

    def _context(self, state_id: str | None = None) -> StateStoreContext[Any]:
        if self._configured is None:
            raise ProviderError(f"The state store {self.name} is not configured")
        if state_id == "":
            raise ProviderError("The call names no state")
        return StateStoreContext(self._configured[0], stopping=self.stopping)

    def _content(self, returned: object) -> StateContent | None:
        if returned is None:
            return None
        if isinstance(returned, AsyncIterable):
            returned = self._pieces(cast("AsyncIterable[object]", returned))
        try:
            return StateContent(cast("Iterable[bytes]", returned), owned=True)
        except ChunkError as error:
            raise provider_bug(f"{self.author}.read: {error}.") from None

    def _pieces(self, pieces: AsyncIterable[object]) -> Iterator[object]:
        iterator = aiter(pieces)
        while True:
            following: list[object] = self.run(_next(iterator))
            if not following:
                return
            yield from following

    def _returned(self, method: str, expected: str, got: object) -> ProviderError:
        return provider_bug(f"{self.author}.{method} must return {expected}, got {describe(got)}.")


async def _next(iterator: AsyncIterator[object]) -> list[object]:
    """Return the next piece; nothing in the end."""
    async for piece in iterator:
        return [piece]
    return []


def _checked(chunks: Iterator[state_requests.StateChunk], chunk_size: int) -> Iterator[bytes]:
    """Return the bytes of chunks that follow one another and make up a state."""
    check = ChunkCheck(chunk_size)
    for count, chunk in enumerate(chunks):
        if count and chunk.meta is not None:
            raise ChunkError(f"chunk {count + 1}: only the first chunk names the state")
        check.add(chunk.data, chunk.total_length, chunk.range)
        yield chunk.data
    check.finish()


def _ensure_complete(state: StateReader, author: str) -> None:
    """Refuse to call a state written whose end the author's code did not wait for."""
    if not state.complete and next(iter(state), None) is not None:
        raise provider_bug(f"{author}.write returned before it had read the entire state.")


def _read_failure(error: Exception) -> Exception:
    match error:
        case ChunkError():
            return ProviderError("The state cannot be read", f"{error}.")
        case OSError():
            return _system_error("reading of a state", error)
        case _:
            return error


def _system_error(what: str, error: OSError) -> Exception:
    """Report what the system says: a full disk is no fault of the provider."""
    if error.errno is None:
        return error
    return ProviderError(f"The {what} failed", f"{os.strerror(error.errno)}.")


def _new_lock(operation: str) -> LockInfo:
    import getpass
    import socket
    import uuid

    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a user without a name
        user = "?"
    who = f"{user}@{socket.gethostname()}"
    created = datetime.now(UTC).isoformat(timespec="seconds")
    return LockInfo(str(uuid.uuid4()), operation, who, created=created)


class StateStoreCalls(UnsupportedCalls):
    """The calls of `ProviderService` about state stores.

    Attributes:
        state_stores: The state stores by type name.
    """

    state_stores: Mapping[str, StateStoreEndpoint]

    def validate_state_store_config(
        self, request: requests.ValidateConfigRequest, /
    ) -> responses.DiagnosticsResponse:
        """Validate the configuration of a state store."""
        endpoint = self._state_store(request.type_name)
        return check_configuration(endpoint, request, endpoint.handler)

    def configure_state_store(
        self, request: state_requests.ConfigureStateStoreRequest, /
    ) -> responses.ConfigureStateStoreResponse:
        """Configure a state store."""
        return self._state_store(request.type_name).configure(request)

    def read_state_bytes(
        self, request: state_requests.StateRequest, /
    ) -> Iterator[responses.ReadStateChunk]:
        """Read a state in chunks; no chunk means no state."""
        return self._state_store(request.type_name).read(request.state_id)

    def write_state_bytes(
        self, chunks: Iterator[state_requests.StateChunk], /
    ) -> responses.DiagnosticsResponse:
        """Write a state that arrives in chunks."""
        first = next(chunks, None)
        if first is None or first.meta is None:
            raise ProviderError("Nothing was written", "The first chunk names no state.")
        endpoint, all_chunks = self._state_store(first.meta.type_name), chain([first], chunks)
        return endpoint.write(first.meta.state_id, first.total_length, all_chunks)

    def lock_state(
        self, request: state_requests.LockStateRequest, /
    ) -> responses.LockStateResponse:
        """Lock a state."""
        return self._state_store(request.type_name).lock(request)

    def unlock_state(
        self, request: state_requests.UnlockStateRequest, /
    ) -> responses.DiagnosticsResponse:
        """Unlock a state."""
        return self._state_store(request.type_name).unlock(request)

    def get_states(
        self, request: state_requests.GetStatesRequest, /
    ) -> responses.GetStatesResponse:
        """Return the states of a state store."""
        return self._state_store(request.type_name).states()

    def delete_state(
        self, request: state_requests.StateRequest, /
    ) -> responses.DiagnosticsResponse:
        """Delete a state."""
        return self._state_store(request.type_name).delete(request.state_id)

    def _state_store(self, type_name: str) -> StateStoreEndpoint:
        endpoint = self.state_stores.get(type_name)
        if endpoint is None:
            no_such_type(type_name)
        return endpoint
