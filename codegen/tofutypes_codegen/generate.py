"""From a request to a package on disk: read, select, render, write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol, TypeVar

from tofutypes.errors import (
    AttributeStep,
    InvalidSchemaError,
    KeyStep,
    Path,
    SchemaProblem,
)
from tofutypes.schema.definitions import ProviderSchema, Schema
from tofutypes.schema.validity import check_schema
from tofutypes_codegen import output
from tofutypes_codegen.configuration import Mention
from tofutypes_codegen.output import Changes, GeneratedFile
from tofutypes_codegen.progress import Progress, Silence
from tofutypes_codegen.selection import Selection, find_missing, select
from tofutypes_codegen.sources import load_schemas
from tofutypes_codegen.target import Target, choose_target

T = TypeVar("T")


class Renderer(Protocol):
    """What turns schemas into the files of a package; the module `package` is one."""

    def package_modules(
        self, schemas: Mapping[str, ProviderSchema], package: str
    ) -> Iterator[GeneratedFile]:
        """The files, one by one, always in the same order."""
        ...

    def count_modules(self, schemas: Mapping[str, ProviderSchema]) -> int:
        """How many there will be."""
        ...


class Mode(Enum):
    """What to do with the generated files."""

    WRITE = "write"
    CHECK = "check"
    DRY_RUN = "dry run"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to generate from what, and where to.

    Attributes:
        source: a schema file, `-` for standard input, a folder with a configuration, or the
            program of a provider.
        output: the folder of the package, or with `package` the folder to put it into.
        package: its import name.
        selection: what of the schemas.
        mode: what to do with it.
        address: the address of the provider, if the source is its program.
    """

    source: str
    output: str
    package: str | None = None
    selection: Selection = field(default_factory=Selection)
    mode: Mode = Mode.WRITE
    address: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was done, or what there is to do.

    Attributes:
        target: the package.
        changes: its files.
        missing: what configurations use and no schema has.
    """

    target: Target
    changes: Changes
    missing: Sequence[Mention] = ()


def generate(request: Request, renderer: Renderer, progress: Progress | None = None) -> Outcome:
    """Do what a request asks for.

    Raises:
        TofuTypesError: the source, the selection or the output folder cannot be used. Then
            nothing was changed.
    """
    progress = progress or Silence()
    target = choose_target(request.output, request.package)
    with progress.step("reading the schemas"):
        everything = load_schemas(request.source, address=request.address)
        missing = find_missing(everything, request.selection)
        schemas = select(everything, request.selection)
        _refuse_invalid(schemas)
    with progress.step(f"generating {target.package}", renderer.count_modules(schemas)) as advance:
        files = _counted(renderer.package_modules(schemas, target.package), advance)
        if request.mode is not Mode.WRITE:
            return Outcome(target, output.compare(target.folder, files), missing)
        wait = f"waiting for another run that writes beside {target.folder}"
        changes = output.write(target.folder, files, lambda: progress.note(wait))
        return Outcome(target, changes, missing)


def _refuse_invalid(schemas: Mapping[str, ProviderSchema]) -> None:
    """Refuse schemas that break rules, with all problems of all of them."""
    problems = [
        SchemaProblem(place + problem.path, problem.message)
        for address, provider in schemas.items()
        for place, schema in _places(address, provider)
        for problem in check_schema(schema)
    ]
    if problems:
        raise InvalidSchemaError(problems)


def _places(address: str, provider: ProviderSchema) -> Iterator[tuple[Path, Schema]]:
    """The schemas of a provider, and where they stand in the document."""
    top = Path((AttributeStep("provider_schemas"), KeyStep(address)))
    if provider.provider is not None:
        yield top + Path((AttributeStep("provider"),)), provider.provider
    for kind, schemas in (
        ("resource_schemas", provider.resources),
        ("data_source_schemas", provider.data_sources),
        ("ephemeral_resource_schemas", provider.ephemeral_resources),
        ("list_resource_schemas", provider.list_resources),
        ("action_schemas", provider.actions),
        ("state_store_schemas", provider.state_stores),
    ):
        for name, schema in schemas.items():
            yield top + Path((AttributeStep(kind), AttributeStep(name))), schema


def _counted(items: Iterable[T], advance: Callable[[], None]) -> Iterator[T]:
    for item in items:
        yield item
        advance()
