"""Lines of text with styles: coloured on a terminal, plain elsewhere."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from typing import TextIO, TypeAlias

Span: TypeAlias = tuple[str, str]
"""A text and its style, in the words of `rich`: `bold green`; empty for none."""

Line: TypeAlias = list[Span]


def render(lines: Iterable[Line], stream: TextIO | None) -> Iterator[str]:
    """The lines as they are printed: with colours if the stream is a terminal that shows them."""
    if stream is None or not stream.isatty() or "NO_COLOR" in os.environ or not find_spec("rich"):
        for line in lines:
            yield "".join(text for text, _ in line)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, highlight=False)
    for line in lines:
        with console.capture() as captured:
            console.print(Text.assemble(*line), soft_wrap=True, end="")
        yield captured.get()
