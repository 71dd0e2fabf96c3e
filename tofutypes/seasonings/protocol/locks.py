"""Who holds the lock of a state, in messages."""

from __future__ import annotations

from dataclasses import asdict, fields

from tofutypes.errors import describe
from tofutypes.locks import LockInfo
from tofutypes.narrowing import is_dict
from tofutypes.seasonings.errors import CallError, ErrorCode

_NAMES = tuple(field.name for field in fields(LockInfo))


def write_lock_info(info: LockInfo) -> dict[str, object]:
    """A lock's info as a message holds it."""
    return asdict(info)


def read_lock_info(value: object) -> LockInfo:
    """The lock's info that a message held.

    Raises:
        CallError: If it is none.
    """
    if not is_dict(value):
        raise CallError(ErrorCode.INVALID_PARAMS, f"info: expected a map, got {describe(value)}")
    members = {name: value.get(name) or "" for name in _NAMES}
    for name, member in members.items():
        if not isinstance(member, str):
            raise CallError(ErrorCode.INVALID_PARAMS, f"info.{name}: expected a string")
    if not members["id"]:
        raise CallError(ErrorCode.INVALID_PARAMS, "info.id: expected a string")
    return LockInfo(**{name: str(member) for name, member in members.items()})
