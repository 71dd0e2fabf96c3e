"""Paths into values, as people write them and as messages hold them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from tofutypes.errors import AttributeStep, IndexStep, Path, Step
from tofutypes.narrowing import is_list
from tofutypes.path_text import read_path_text
from tofutypes.seasonings.errors import SeasoningsError

PathLike: TypeAlias = str | Sequence[str | int] | Path
"""`disk[0].size`, `tags["Name"]`, or the steps: `["disk", 0, "size"]`."""


def to_path(path: PathLike) -> Path:
    """The path that somebody wrote.

    Raises:
        SeasoningsError: If it is not one.
    """
    if isinstance(path, Path):
        return path
    if not isinstance(path, str):
        return Path(tuple(map(_step, path)))
    parsed = read_path_text(path)
    if parsed is None:
        raise SeasoningsError(f"expected a path such as disk[0].size, got {path!a}")
    return parsed


def _step(step: str | int) -> Step:
    return AttributeStep(step) if isinstance(step, str) else IndexStep(step)


def read_path(value: object) -> Path:
    """The path that a message held; what is no path is the empty one."""
    if not is_list(value):
        return Path()
    steps = [step for step in value if isinstance(step, str | int) and not isinstance(step, bool)]
    return Path(tuple(map(_step, steps))) if len(steps) == len(value) else Path()
