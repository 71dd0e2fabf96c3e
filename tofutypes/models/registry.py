"""Classes by type name, imported on demand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, TypeVar

T_co = TypeVar("T_co", covariant=True)


class Registry(Mapping[str, T_co]):
    """Classes by type name. The module of a class is imported when the class is looked up.

        >>> RESOURCES["nimbus_server"]
        <class 'infra.nimbus.resources.nimbus_server.NimbusServer'>

    Args:
        module: The name of a module in the package that has the classes.
        places: The place of each class in the package, by type name:
            `resources.nimbus_server:NimbusServer`.
    """

    def __init__(self, module: str, places: Mapping[str, str]) -> None:
        self._package = module.rpartition(".")[0]
        self._places = places

    def __getitem__(self, name: str) -> T_co:
        module, _, attribute = self._places[name].partition(":")
        registered: Any = getattr(import_module(f"{self._package}.{module}"), attribute)
        value: T_co = registered
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __repr__(self) -> str:
        return f"<{len(self)} of {self._package}>"
