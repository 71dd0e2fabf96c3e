"""Paths into values as text: `disk[0].size`."""

from __future__ import annotations

from typing import TypeAlias

from tofutypes.errors import Path, TofuTypesError
from tofutypes.path_text import read_path_text

PathLike: TypeAlias = Path | str
"""A path, or its text: `disk[0].size`, `tags["Name"]`, by the names on the wire."""


def parse_path(text: str) -> Path:
    """Read a path from its text. The empty text is the path to the whole value.

        parse_path('disk[0].labels["env"]')

    Raises:
        TofuTypesError: If the text is not a path.
    """
    path = read_path_text(text)
    if path is None:
        raise _not_a_path(text)
    return path


def _not_a_path(value: object) -> TofuTypesError:
    return TofuTypesError(f"expected a path such as `disk[0].size`, got {value!r}")


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
