"""Paths into values as text: `disk[0].size`."""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from tofutypes.errors import AttributeStep, IndexStep, KeyStep, Path, Step, TofuTypesError

PathLike: TypeAlias = Path | str
"""A path, or its text: `disk[0].size`, `tags["Name"]`, by the names on the wire."""

_STEP: Final = re.compile(
    r"""(?P<dot>\.)?(?P<name>[^.\[\]"]+)|\[(?P<index>\d{1,18})\]|\["(?P<key>(?:[^"\\]|\\.)*)"\]"""
)


def parse_path(text: str) -> Path:
    """Read a path from its text. The empty text is the path to the whole value.

        parse_path('disk[0].labels["env"]')

    Raises:
        TofuTypesError: If the text is not a path.
    """
    steps: list[Step] = []
    position = 0
    while position < len(text):
        match = _STEP.match(text, position)
        if match is None or (match["name"] is not None and bool(match["dot"]) != bool(steps)):
            raise _not_a_path(text)
        steps.append(_step(match))
        position = match.end()
    return Path(tuple(steps))


def _not_a_path(value: object) -> TofuTypesError:
    return TofuTypesError(f"expected a path such as `disk[0].size`, got {value!r}")


def _step(match: re.Match[str]) -> Step:
    if match["name"] is not None:
        return AttributeStep(match["name"])
    if match["index"] is not None:
        return IndexStep(int(match["index"]))
    return KeyStep(re.sub(r"\\(.)", r"\1", match["key"]))


def to_path(path: object) -> Path:
    """Return a path as it is, and text as the path it stands for.

    Raises:
        TofuTypesError: If it is neither.
    """
    if isinstance(path, Path):
        return path
    if isinstance(path, str):
        return parse_path(path)
    raise _not_a_path(path)
