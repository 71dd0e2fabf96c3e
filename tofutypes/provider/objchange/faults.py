"""Faults: what Core would refuse in a plan or a result."""

from __future__ import annotations

from collections.abc import Iterator, Sized
from dataclasses import dataclass
from typing import TypeAlias

from tofutypes.errors import Path
from tofutypes.provider.objchange.traversal import Steps


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that Core would refuse: the path and the reason, never a value."""

    path: Path
    message: str

    def __str__(self) -> str:
        return f"{self.path} {self.message}" if self.path else self.message


Faults: TypeAlias = Iterator[Fault]


def fault(at: Steps, message: str) -> Fault:
    """The fault at a place."""
    return Fault(Path(at), message)


def presence(value: object) -> str:
    """Whether there is an object, in words."""
    return "null" if value is None else "an object"


def count(elements: Sized) -> str:
    """How many elements there are."""
    return f"{len(elements)} element{'' if len(elements) == 1 else 's'}"
