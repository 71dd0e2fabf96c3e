"""Names of a package that are imported on first use."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import Any


def import_on_use(
    package: str,
    modules: Mapping[str, str],
    before: Mapping[str, str] | None = None,
    rooms: Collection[str] = (),
) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package.

    Args:
        package: The name of the package.
        modules: The module of each name, relative to the package or with its full name.
        before: Modules to import before others, by the first part of the others' names.
        rooms: Modules of the package that are attributes of it at once.
    """

    def get(name: str) -> Any:
        module = modules.get(name)
        if name in rooms:
            return import_module(f"{package}.{name}")
        if module is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        first = (before or {}).get(module.partition(".")[0])
        if first is not None:
            import_module(f"{package}.{first}")
        full_name = module if module.startswith("tofutypes.") else f"{package}.{module}"
        value = getattr(import_module(full_name), name)
        setattr(sys.modules[package], name, value)
        return value

    return get
