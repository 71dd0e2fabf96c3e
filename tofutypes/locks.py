"""Locks of states: who holds one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LockInfo:
    """Who holds a lock, as OpenTofu and Terraform say it.

    Attributes:
        id: The id of the lock.
        operation: What needs the lock: `OperationTypeApply`.
        who: `user@host`.
        version: The version of the program.
        created: The time, as text.
        info: More for people.
    """

    id: str
    operation: str = ""
    who: str = ""
    version: str = ""
    created: str = ""
    info: str = ""

    def __str__(self) -> str:
        more = ", ".join(filter(None, (self.operation, self.who, self.created, self.info)))
        return f"{self.id} ({more})" if more else self.id
