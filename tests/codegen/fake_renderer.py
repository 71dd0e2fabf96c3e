"""A renderer that writes a line for each type, and what the tests ask of it besides."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from tofutypes.models.labels import MARKER
from tofutypes.schema.definitions import ProviderSchema


@dataclass(frozen=True)
class FakeModule:
    path: PurePosixPath
    text: str


def module(path: str, body: str = "") -> FakeModule:
    return FakeModule(PurePosixPath(path), f"{MARKER}.\n{body}")


def nothing() -> None:
    pass


@dataclass
class FakeRenderer:
    """Renders `__init__.py`, and a module for each resource, data source and function.

    Attributes:
        body: what stands in every module.
        before_each: is called before each module.
    """

    body: str = ""
    before_each: Callable[[], None] = nothing

    def package_modules(
        self, schemas: Mapping[str, ProviderSchema], package: str
    ) -> Iterator[FakeModule]:
        for path in self.paths(schemas):
            self.before_each()
            yield module(path, f"# {package}\n{self.body}")

    def count_modules(self, schemas: Mapping[str, ProviderSchema]) -> int:
        return len(self.paths(schemas))

    def paths(self, schemas: Mapping[str, ProviderSchema]) -> list[str]:
        paths = ["__init__.py"]
        for address, schema in schemas.items():
            name = address.rpartition("/")[2]
            paths.append(f"{name}/__init__.py")
            for kind, types in (
                ("resources", schema.resources),
                ("data_sources", schema.data_sources),
                ("functions", schema.functions),
            ):
                paths += [f"{name}/{kind}/{type_name}.py" for type_name in sorted(types)]
        return paths
