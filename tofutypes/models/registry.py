"""Classes by type name, imported when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, TypeVar

T_co = TypeVar("T_co", covariant=True)


class Registry(Mapping[str, T_co]):
    """Classes by type name. Knows all of them, and imports a module when its class is looked up.

    Args:
        module: the name of a module; what is registered is in the package around it.
        places: the place of each class, `resources.nimbus_server:NimbusServer`, by type name.
    """

    def __init__(self, module: str, places: Mapping[str, str]) -> None:
        self._package = module.rpartition(".")[0]
        self._places = places

    def __getitem__(self, name: str) -> T_co:
        module, _, attribute = self._places[name].partition(":")
        found: Any = getattr(import_module(f"{self._package}.{module}"), attribute)
        value: T_co = found
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __repr__(self) -> str:
        return f"<{len(self)} of {self._package}>"
