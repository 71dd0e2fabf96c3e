"""Names of a package that are imported on first use."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def import_on_use(
    package: str, modules: Mapping[str, str], before: Mapping[str, str]
) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package.

    Args:
        package: The name of the package.
        modules: The module of each name, relative to the package.
        before: Modules to import before others, by the first part of the others' names.
    """

    def get(name: str) -> Any:
        module = modules.get(name)
        if module is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        first = before.get(module.partition(".")[0])
        if first is not None:
            import_module(f"{package}.{first}")
        value = getattr(import_module(f"{package}.{module}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return get
