"""Generation of a package: read schemas, select, render, write."""

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
from tofutypes.schema.definitions import ProviderSchema
from tofutypes.schema.validity import check_provider_schema
from tofutypes_codegen import output
from tofutypes_codegen.configuration import Mention
from tofutypes_codegen.output import Changes, GeneratedFile
from tofutypes_codegen.progress import Progress, Silence
from tofutypes_codegen.selection import Selection, find_missing, select
from tofutypes_codegen.sources import load_schemas
from tofutypes_codegen.target import Target, choose_target

T = TypeVar("T")


class Renderer(Protocol):
    """Renders the files of a package; the module `package` is one."""

    def package_modules(
        self, schemas: Mapping[str, ProviderSchema], package: str
    ) -> Iterator[GeneratedFile]:
        """Render the files one by one, always in the same order."""
        ...

    def count_modules(self, schemas: Mapping[str, ProviderSchema]) -> int:
        """The number of files."""
        ...


class Mode(Enum):
    """What `generate` does with the files."""

    WRITE = "write"
    CHECK = "check"
    DRY_RUN = "dry run"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The arguments of `generate`.

    Attributes:
        source: A schema file, `-` for standard input, a folder with a configuration, or the
            executable of a provider.
        output: The folder of the package, or with `package` the folder to put it into.
        package: The import name.
        selection: The part of the schemas to generate.
        mode: Whether to write, to check, or to list changes.
        address: The address of the provider, if the source is an executable.
    """

    source: str
    output: str
    package: str | None = None
    selection: Selection = field(default_factory=Selection)
    mode: Mode = Mode.WRITE
    address: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of `generate`.

    Attributes:
        target: The package.
        changes: The changes that were made, or that would be made.
        missing: What configurations use and no schema has.
    """

    target: Target
    changes: Changes
    missing: Sequence[Mention] = ()


def generate(request: Request, renderer: Renderer, progress: Progress | None = None) -> Outcome:
    """Generate a package.

    Raises:
        TofuTypesError: If the source, the selection or the output folder cannot be used. Nothing
            was changed then.
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
    """Refuse schemas that break rules; the error has the problems of all schemas."""
    problems = [
        SchemaProblem(
            Path((AttributeStep("provider_schemas"), KeyStep(address))) + problem.path,
            problem.message,
        )
        for address, provider in schemas.items()
        for problem in check_provider_schema(provider)
    ]
    if problems:
        raise InvalidSchemaError(problems)


def _counted(items: Iterable[T], advance: Callable[[], None]) -> Iterator[T]:
    for item in items:
        yield item
        advance()
