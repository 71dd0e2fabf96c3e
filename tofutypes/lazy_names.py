"""Names of a package that are imported on first use.

Providers start in a fraction of a second, and a command starts them several times: a module that
the start does not need is not imported before something uses it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any


def import_on_use(
    package: str,
    modules: Mapping[str, Iterable[str]],
    *,
    submodules: Iterable[str] = (),
    before: Mapping[str, str] | None = None,
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__getattr__` and the `__dir__` of a package.

    Args:
        package: The name of the package.
        modules: The names that each module has.
        submodules: Modules of the package that are names of it themselves.
        before: Modules to import before those whose names begin so.
    """
    module_of = {name: module for module, names in modules.items() for name in names}

    def get(name: str) -> Any:
        if name in submodules:
            return import_module(f"{package}.{name}")
        module = module_of.get(name)
        if module is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        for start, first in (before or {}).items():
            if module.startswith(start):
                import_module(first)
        value = getattr(import_module(module), name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *module_of})

    return get, names
