"""Responses of calls that have several, made as they are read."""

from __future__ import annotations

from collections.abc import Generator
from threading import Event
from typing import Generic, TypeVar

T = TypeVar("T")


class EventStream(Generic[T]):
    """The events of a call.

    Args:
        events: The events.
        stopping: Tells the author's code to end early.
    """

    def __init__(self, events: Generator[T], stopping: Event) -> None:
        self._events = events
        self._stopping = stopping

    def __iter__(self) -> EventStream[T]:
        return self

    def __next__(self) -> T:
        return next(self._events)

    def close(self) -> None:
        """Tell the author's code that nobody wants the rest. Any thread may do so, at any time."""
        self._stopping.set()

    def finish(self) -> None:
        """Wait until the author's code has ended. Only for the thread that reads the events."""
        self._stopping.set()
        self._events.close()
