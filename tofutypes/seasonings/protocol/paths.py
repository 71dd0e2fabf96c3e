"""Paths into values, as people write them and as messages hold them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, TypeAlias

from tofutypes.errors import AttributeStep, IndexStep, KeyStep, Path, Step
from tofutypes.narrowing import is_list
from tofutypes.seasonings.errors import SeasoningsError

PathLike: TypeAlias = str | Sequence[str | int] | Path
"""`disk[0].size`, `tags["Name"]`, or the steps: `["disk", 0, "size"]`."""

_STEP: Final = re.compile(r'\.?([^.\[\]"]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]')


def to_path(path: PathLike) -> Path:
    """The path that somebody wrote.

    Raises:
        SeasoningsError: If it is not one.
    """
    if isinstance(path, Path):
        return path
    if not isinstance(path, str):
        return Path(tuple(map(_step, path)))
    steps: list[Step] = []
    position = 0
    while position < len(path):
        match = _STEP.match(path, position)
        if match is None or (position == 0 and path.startswith(".")):
            raise SeasoningsError(f"expected a path such as disk[0].size, got {path!a}")
        name, index, key = match.groups()
        if name is not None:
            steps.append(AttributeStep(name))
        elif index is not None:
            steps.append(IndexStep(int(index)))
        else:
            steps.append(KeyStep(re.sub(r"\\(.)", r"\1", key)))
        position = match.end()
    return Path(tuple(steps))


def _step(step: str | int) -> Step:
    return AttributeStep(step) if isinstance(step, str) else IndexStep(step)


def read_path(value: object) -> Path:
    """The path that a message held; what is no path is the empty one."""
    if not is_list(value):
        return Path()
    steps = [step for step in value if isinstance(step, str | int) and not isinstance(step, bool)]
    return Path(tuple(map(_step, steps))) if len(steps) == len(value) else Path()
