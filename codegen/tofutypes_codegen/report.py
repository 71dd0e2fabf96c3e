"""The lines that `tofutypes generate` prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

from tofutypes_codegen.generate import Mode, Outcome
from tofutypes_codegen.output import Changes, Difference, is_module

_LISTED: Final = 10
_WIDTH: Final = 100


def report(outcome: Outcome, mode: Mode) -> Iterator[str]:
    """The lines for an outcome."""
    match mode:
        case Mode.WRITE:
            yield from _written(outcome)
        case Mode.CHECK:
            yield from _checked(outcome)
        case Mode.DRY_RUN:
            yield from _planned(outcome)
    missing = [f"{kind} {name}" for kind, name in outcome.missing]
    yield from _some("used, but not in the schemas", missing)


def _written(outcome: Outcome) -> Iterator[str]:
    package, changes = outcome.target.package, outcome.changes
    yield (
        f"{package}: {_modules(_written_count(changes))} written, "
        f"{changes.unchanged} unchanged, {len(changes.stale)} removed; "
        f"next: {_import(package, changes.example)}"
    )


def _planned(outcome: Outcome) -> Iterator[str]:
    changes, folder = outcome.changes, outcome.target.folder
    for word, paths in (
        ("create", changes.missing),
        ("change", changes.changed),
        ("remove", changes.stale),
    ):
        yield from (f"{word} {folder / path}" for path in paths)
    yield (
        f"{outcome.target.package}: {_modules(_written_count(changes))} would be written, "
        f"{changes.unchanged} unchanged, {len(changes.stale)} would be removed"
    )


def _checked(outcome: Outcome) -> Iterator[str]:
    package, changes = outcome.target.package, outcome.changes
    if not changes:
        yield f"{package}: up to date, {_modules(changes.unchanged)}"
        return
    yield (
        f"{package}: stale: {len(changes.missing)} missing, {len(changes.changed)} changed, "
        f"{len(changes.stale)} no longer generated; generate it again without --check"
    )
    yield from _some("missing", changes.missing)
    yield from _some("changed", changes.changed)
    for sample in changes.samples:
        yield from _sample(sample)
    yield from _some("no longer generated", changes.stale)


def _some(word: str, paths: Sequence[object]) -> Iterator[str]:
    yield from (f"  {word}: {path}" for path in paths[:_LISTED])
    if len(paths) > _LISTED:
        yield f"  {word}: and {len(paths) - _LISTED} more"


def _sample(difference: Difference) -> Iterator[str]:
    yield f"  {difference.path}, from line {difference.line}:"
    for sign, lines in (("-", difference.found), ("+", difference.wanted)):
        yield from (f"    {sign} {_shown(line)}" for line in lines)


def _shown(line: str) -> str:
    """A line of a file, cut and without control characters."""
    return "".join(c if c.isprintable() else "�" for c in line[:_WIDTH])


def _written_count(changes: Changes) -> int:
    return _count(changes.missing) + _count(changes.changed)


def _count(paths: Iterable[PurePosixPath]) -> int:
    return sum(map(is_module, paths))


def _modules(count: int) -> str:
    return f"{count} module{'' if count == 1 else 's'}"


def _import(package: str, example: PurePosixPath) -> str:
    names = [package, *example.parent.parts]
    if example.stem == "__init__":
        return f"import {'.'.join(names)}"
    return f"from {'.'.join(names)} import {example.stem}"
