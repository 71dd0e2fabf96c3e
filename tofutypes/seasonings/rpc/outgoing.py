"""Calls to the other side of a connection, until they are answered."""

from __future__ import annotations

import asyncio
import itertools
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final, TypeAlias

from tofutypes.seasonings.errors import CallError, ErrorCode, PeerError
from tofutypes.seasonings.rpc.answers import read_error
from tofutypes.seasonings.rpc.messages import Response

Answer: TypeAlias = asyncio.Future[object] | Future[object]
"""Where an answer is awaited: in the event loop, or in another thread."""

_MAX_ID: Final = 0xFFFFFFFF


@dataclass(eq=False, slots=True)
class _Waiting:
    """A call without an answer."""

    method: str
    answer: Answer


class OutgoingCalls:
    """The calls of one peer. They begin in any thread, and are answered in the event loop.

    Args:
        limit: how many there may be at the same time.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._ids = itertools.count(1)
        self._waiting: dict[int, _Waiting] = {}
        self._abandoned: set[int] = set()
        """Calls that timed out, of which the answer may still come."""

    def begin(self, method: str, answer: Answer) -> int:
        """Begin a call; its id.

        Raises:
            CallError: If there are too many.
        """
        if len(self._waiting) + len(self._abandoned) >= self._limit:
            limit = f"the limit is {self._limit:,}"
            raise CallError(ErrorCode.LIMIT, f"too many calls in flight: {limit}")
        id = next(self._ids) & _MAX_ID
        while id in self._waiting or id in self._abandoned:
            id = next(self._ids) & _MAX_ID
        self._waiting[id] = _Waiting(method, answer)
        return id

    def forget(self, id: int) -> None:
        """End a call that was not sent."""
        self._waiting.pop(id, None)

    def abandon(self, id: int) -> bool:
        """Wait for an answer no longer; whether it was still to come."""
        if self._waiting.pop(id, None) is None:
            return False
        self._abandoned.add(id)
        return True

    def take(self, response: Response) -> bool:
        """Take an answer; whether it is one to a call."""
        waiting = None if response.id is None else self._waiting.pop(response.id, None)
        if waiting is None:
            was_abandoned = response.id in self._abandoned
            self._abandoned.discard(-1 if response.id is None else response.id)
            return was_abandoned
        if waiting.answer.done():
            pass
        elif response.error is None:
            waiting.answer.set_result(response.result)
        else:
            waiting.answer.set_exception(read_error(response.error))
        return True

    def refuse(self, id: int | None, peer: str, error: CallError) -> bool:
        """Take an answer that cannot be read; whether it is one to a call."""
        waiting = None if id is None else self._waiting.pop(id, None)
        if waiting is None:
            return False
        if not waiting.answer.done():
            message = f"{peer}: {waiting.method}: invalid answer: {error}"
            waiting.answer.set_exception(PeerError(message))
        return True

    def end(self, peer: str, error: PeerError | None) -> None:
        """Fail all calls."""
        all_waiting, self._waiting = self._waiting, {}
        for waiting in all_waiting.values():
            if not waiting.answer.done():
                text = f"{peer}: ended before it answered {waiting.method}"
                waiting.answer.set_exception(PeerError(text if error is None else str(error)))
