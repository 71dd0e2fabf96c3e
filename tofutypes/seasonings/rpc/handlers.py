"""Calls of the other side while they run, and what answers them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tofutypes.seasonings.rpc.messages import Params


@dataclass(eq=False, slots=True)
class Call:
    """A call of the other side, while it runs.

    Attributes:
        loop: the event loop of the peer that serves it.
        cancelled: set when nobody waits for the answer any more.
    """

    loop: asyncio.AbstractEventLoop
    id: int
    method: str
    size: int
    cancelled: threading.Event = field(default_factory=threading.Event)
    task: asyncio.Task[None] | None = None


HandlerFunction: TypeAlias = Callable[[Params, Call], Any]


@dataclass(frozen=True, slots=True)
class Handler:
    """What answers the calls of a method.

    Attributes:
        function: takes the params and returns the result, or raises `CallError`.
        inline: whether it runs in the event loop, as what never waits may. Functions that are not
            `async` run in threads otherwise.
    """

    function: HandlerFunction
    inline: bool = False


def describe_raised(error: BaseException) -> str:
    """An unexpected exception of a handler, without its message: that may hold values."""
    place = ""
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    if frame is not None:
        code = frame.tb_frame.f_code
        file = code.co_filename.replace("\\", "/").rpartition("/")[2]
        place = f" ({file}, line {frame.tb_lineno})"
    return f"{type(error).__name__}{place}"
