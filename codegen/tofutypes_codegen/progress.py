"""Progress of long steps on standard error, if it is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

Advance = Callable[[], None]


class Progress(Protocol):
    """Shows the progress of long steps."""

    def step(self, text: str, total: int | None = None) -> AbstractContextManager[Advance]:
        """Show a step; the function that it yields advances the bar, `total` times."""
        ...

    def note(self, text: str) -> None:
        """Show a line between the steps."""
        ...


class Silence:
    """Shows nothing."""

    @contextmanager
    def step(self, text: str, total: int | None = None) -> Generator[Advance, None, None]:
        yield lambda: None

    def note(self, text: str) -> None:
        pass


class Terminal:
    """Shows bars on a terminal."""

    def __init__(self) -> None:
        self._bar: Bar | None = None

    @contextmanager
    def step(self, text: str, total: int | None = None) -> Generator[Advance, None, None]:
        from rich.console import Console
        from rich.progress import Progress as Bar

        with Bar(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(text, total=total)
            self._bar = bar
            try:
                yield lambda: bar.advance(task)
            finally:
                self._bar = None

    def note(self, text: str) -> None:
        if self._bar is not None:
            self._bar.console.print(text, markup=False, highlight=False)


def choose_progress(*, quiet: bool) -> Progress:
    """Bars if standard error is a terminal and `rich` is installed, unless `quiet` is set."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        return Silence()
    return Terminal() if find_spec("rich") else Silence()
