"""Paths into values as people write them: `disk[0].size`, `tags["Name"]`."""

from __future__ import annotations

import re
from typing import Final

from tofutypes.errors import AttributeStep, IndexStep, KeyStep, Path, Step

_STEP: Final = re.compile(
    r'(?P<dot>\.)?(?P<name>[^\s.\[\]"]+)|\[(?P<index>[0-9]{1,18})\]|\["(?P<key>(?:[^"\\]|\\.)*)"\]',
    re.DOTALL,
)


def read_path_text(text: str) -> Path | None:
    """The path that a text stands for, the empty one of an empty text; None if it is no path."""
    steps: list[Step] = []
    position = 0
    while position < len(text):
        match = _STEP.match(text, position)
        if match is None or (match["name"] is not None and bool(match["dot"]) != bool(steps)):
            return None
        steps.append(_step(match))
        position = match.end()
    return Path(tuple(steps))


def _step(match: re.Match[str]) -> Step:
    if match["name"] is not None:
        return AttributeStep(match["name"])
    if match["index"] is not None:
        return IndexStep(int(match["index"]))
    return KeyStep(re.sub(r"\\(.)", r"\1", match["key"], flags=re.DOTALL))
