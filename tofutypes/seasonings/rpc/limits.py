"""How much a peer accepts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tofutypes.limits import Limits


@dataclass(frozen=True)
class MessageLimits:
    """What a peer accepts and sends at most. What goes beyond is an error that names the limit.

    Attributes:
        size: the bytes of one message.
        depth: the levels of nested arrays and maps in one message: those of a value, and a few
            around it. MessagePack itself is read down to 1,024 levels.
        in_flight: the calls in flight, in each direction.
    """

    size: int = 64 << 20
    depth: int = Limits.depth + 20
    in_flight: int = 1024


DEFAULT_LIMITS: Final = MessageLimits()
