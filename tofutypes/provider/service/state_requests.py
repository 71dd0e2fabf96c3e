"""The requests of `ProviderService` about state stores. See `requests`."""

from __future__ import annotations

from typing import NamedTuple

from tofutypes.provider.service.requests import without_bytes
from tofutypes.provider.service.wire_value import WireValue

_ABSENT = WireValue()


class StateStoreCapabilities(NamedTuple):
    """What one side of a state store proposes or chooses.

    Attributes:
        chunk_size: The size in bytes of all parts of a state but the last.
    """

    chunk_size: int = 0


class ConfigureStateStoreRequest(NamedTuple):
    """The configuration of a state store.

    Attributes:
        type_name: The state store.
        config: The configuration.
        capabilities: What the caller proposes.
    """

    type_name: str
    config: WireValue = _ABSENT
    capabilities: StateStoreCapabilities = StateStoreCapabilities()


class StateRange(NamedTuple):
    """The place of a chunk in a state.

    Source: observed, Terraform 1.15.5: `end` is the position of the last byte, not the one after.

    Attributes:
        start: The position of the first byte.
        end: The position of the last byte.
    """

    start: int = 0
    end: int = 0


class StateRequest(NamedTuple):
    """A state to read or to delete.

    Attributes:
        type_name: The state store.
        state_id: The state; the name of a workspace.
    """

    type_name: str
    state_id: str = ""


class StateChunk(NamedTuple):
    """A part of a state to write.

    Attributes:
        meta: The state store and the state; only in the first chunk.
        data: The bytes.
        total_length: The number of bytes of the entire state.
        range: The place of the bytes in the state.
    """

    meta: StateRequest | None = None
    data: bytes = b""
    total_length: int = 0
    range: StateRange = StateRange()

    def __repr__(self) -> str:
        return without_bytes(self)


class LockStateRequest(NamedTuple):
    """A state to lock.

    Attributes:
        type_name: The state store.
        state_id: The state.
        operation: What the lock is for, such as `plan`.
    """

    type_name: str
    state_id: str = ""
    operation: str = ""


class UnlockStateRequest(NamedTuple):
    """A state to unlock.

    Attributes:
        type_name: The state store.
        state_id: The state.
        lock_id: The id that `LockStateResponse` has.
    """

    type_name: str
    state_id: str = ""
    lock_id: str = ""


class GetStatesRequest(NamedTuple):
    """A state store whose states are wanted."""

    type_name: str
