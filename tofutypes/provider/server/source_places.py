"""Where classes and fields stand in the author's files."""

from __future__ import annotations

import inspect
import re


def place_in(cls: type, name: str = "") -> str:
    """Return where a class, or the line in it that begins with a name, is: ` (file, line 3)`.

    Empty for a class that is in no file.
    """
    try:
        lines, first = inspect.getsourcelines(cls)
        file = inspect.getsourcefile(cls)
    except (OSError, TypeError):
        return ""
    pattern = re.compile(rf"\s+{re.escape(name)}\b")
    fitting = (at for at, line in enumerate(lines) if name and pattern.match(line))
    return f" ({file}, line {max(first, 1) + next(fitting, 0)})"


def place_of_field(cls: type, field: str) -> str:
    """Return where the field of a class or of one of its bases is."""
    owners = (each for each in cls.__mro__ if field in vars(each).get("__annotations__", {}))
    return place_in(next(owners, cls), field)
