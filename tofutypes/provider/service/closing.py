"""Ending iterators of `ProviderService` before their end."""

from __future__ import annotations

from collections.abc import Iterator


def close_iterator(records: Iterator[object]) -> None:
    """Close what a method of `ProviderService` returned, if it has a method `close`.

    Raises:
        ValueError: If it is a generator that is running.
    """
    close = getattr(records, "close", None)
    if close is not None:
        close()
