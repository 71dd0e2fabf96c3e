"""The files of a package: which files are generated, which differ, and writing them.

After a run the folder has exactly the generated files: stale ones are removed. A file counts as
generated if it begins with the marker, or is the empty `py.typed` of the package. No other file is
ever overwritten or removed.
"""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final, Protocol

from tofutypes.models.labels import MARKER
from tofutypes_codegen.errors import GeneratorError
from tofutypes_codegen.staging import Staging, locked, made_folders

PY_TYPED: Final = PurePosixPath("py.typed")
"""Tells type checkers to look into the package (PEP 561). Empty, so that it has no marker."""

_SAMPLES: Final = 3
_SAMPLE_LINES: Final = 3
_MARK: Final = MARKER.encode()
_ROOT: Final = PurePosixPath("__init__.py")
_PYCACHE: Final = "__pycache__"

Produced = dict[str, list[PurePosixPath]]
"""The generated paths, by their form in a file system that ignores case."""

Keep = Callable[[PurePosixPath, bytes], None]


class GeneratedFile(Protocol):
    """A generated file: its path inside the package, and its text."""

    @property
    def path(self) -> PurePosixPath: ...
    @property
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference between a file on disk and the generated file.

    Attributes:
        path: The file.
        line: The number of the first line that differs, from 1.
        found: The first few lines from there on disk.
        wanted: The first few lines from there as generated.
    """

    path: PurePosixPath
    line: int
    found: tuple[str, ...]
    wanted: tuple[str, ...]


@dataclass(slots=True)
class Changes:
    """The changes that a folder needs to have exactly the generated files.

    Attributes:
        missing: Generated files that are not on disk.
        changed: Files on disk with other content.
        stale: Files of an earlier run that are no longer generated.
        unchanged: The number of modules without a change.
        samples: The differences in the first changed files.
        example: A module to suggest for an import.
    """

    missing: list[PurePosixPath] = field(default_factory=list[PurePosixPath])
    changed: list[PurePosixPath] = field(default_factory=list[PurePosixPath])
    stale: list[PurePosixPath] = field(default_factory=list[PurePosixPath])
    unchanged: int = 0
    samples: list[Difference] = field(default_factory=list[Difference])
    example: PurePosixPath = _ROOT

    def __bool__(self) -> bool:
        return bool(self.missing or self.changed or self.stale)


def write(
    folder: Path,
    files: Iterable[GeneratedFile],
    waiting: Callable[[], None] = lambda: None,
) -> Changes:
    """Write the generated files into a folder and remove stale ones, or change nothing.

    Unchanged files are not written. Concurrent runs wait for each other.

    Args:
        folder: The folder of the package; it need not exist.
        files: The generated files; consumed one by one.
        waiting: Called if another run writes into the folder at the moment.

    Raises:
        GeneratorError: If a file that is not generated is in the way, or writing fails.
    """
    folder = _straight(folder)
    real = Path(os.path.realpath(folder))
    try:
        with made_folders(real.parent), locked(real.parent, waiting) as alone:
            with Staging(real) as staging:
                if alone:
                    staging.remove_leftovers()
                changes = compare(folder, files, staging.keep)
                staging.commit(changes.stale)
            return changes
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise GeneratorError(
            f"{folder}: cannot write the package: {reason}; nothing was changed"
        ) from error


def compare(
    folder: Path,
    files: Iterable[GeneratedFile],
    keep: Keep = lambda path, content: None,
) -> Changes:
    """Compare a folder with the generated files.

    Args:
        folder: The folder of the package; it need not exist.
        files: The generated files; consumed one by one.
        keep: Called with every file that is missing or changed.

    Raises:
        GeneratorError: If a file that is not generated is in the way.
    """
    folder = _straight(folder)
    _refuse_foreign_folder(folder)
    changes = Changes()
    produced: Produced = {}
    plain_folders = {PurePosixPath()}
    for path, content in _contents(files):
        _refuse_twin(folder, path, produced)
        on_disk = _read_generated(folder, path, plain_folders)
        if on_disk is None:
            changes.missing.append(path)
            keep(path, content)
        elif on_disk not in (content, content.replace(b"\n", b"\r\n")):  # git may convert line ends
            changes.changed.append(path)
            if len(changes.samples) < _SAMPLES:
                changes.samples.append(_difference(path, on_disk, content))
            keep(path, content)
        else:
            changes.unchanged += is_module(path)
        if _is_better_example(path, changes.example):
            changes.example = path
    changes.stale = [
        path
        for path in _modules(folder)
        if not _is_among(folder, path, produced) and _is_generated(folder / path)
    ]
    return changes


def _straight(folder: Path) -> Path:
    """The folder without `..`, which cannot be resolved behind a folder that does not exist."""
    return Path(os.path.realpath(folder)) if ".." in folder.parts else folder


def _contents(files: Iterable[GeneratedFile]) -> Iterator[tuple[PurePosixPath, bytes]]:
    typed = False
    for file in files:
        if file.path.is_absolute() or ".." in file.path.parts:
            raise GeneratorError(f"{file.path}: the module would be outside the package")
        typed = typed or file.path == PY_TYPED
        yield file.path, file.text.encode()
    if not typed:
        yield PY_TYPED, b""


def _is_better_example(path: PurePosixPath, example: PurePosixPath) -> bool:
    if not is_module(path) or path.name.startswith("_"):
        return False
    return example.name.startswith("_") or (
        "resources" in path.parts and "resources" not in example.parts
    )


def is_module(path: PurePosixPath) -> bool:
    """Whether a file is a Python module."""
    return path.suffix == ".py"


def _difference(path: PurePosixPath, found: bytes, wanted: bytes) -> Difference:
    old, new = (text.decode("utf-8", "replace").splitlines() for text in (found, wanted))
    pairs = enumerate(zip(old, new, strict=False))
    start = next((i for i, (a, b) in pairs if a != b), min(len(old), len(new)))
    lines = slice(start, start + _SAMPLE_LINES)
    return Difference(path, start + 1, tuple(old[lines]), tuple(new[lines]))


# Generated files and other files


def _refuse_foreign_folder(folder: Path) -> None:
    """Refuse a folder that has files, but no generated one."""
    if not folder.exists():
        if folder.is_symlink():
            raise GeneratorError(f"{folder}: the symbolic link is broken; remove it")
        return
    if not folder.is_dir():
        raise GeneratorError(f"{folder}: expected a folder, got a file")
    entries = [entry for entry in sorted(folder.iterdir()) if not _is_ignored(entry)]
    if not entries or any(_is_generated(entry) for entry in entries):
        return
    names = ", ".join(entry.name for entry in entries[:3]) + (", …" if len(entries) > 3 else "")
    raise GeneratorError(
        f"{folder}: the folder has files that tofutypes did not generate ({names}); "
        "choose a new or an empty folder"
    )


def _is_ignored(entry: Path) -> bool:
    return (
        entry.name.startswith(".")
        or entry.name == _PYCACHE
        or (entry.name == PY_TYPED.name and entry.lstat().st_size == 0)
    )


def _is_generated(file: Path) -> bool:
    if file.suffix != ".py" or not stat.S_ISREG(file.lstat().st_mode):
        return False
    with file.open("rb") as opened:
        return opened.read(len(_MARK)) == _MARK


def _read_generated(
    folder: Path, path: PurePosixPath, plain_folders: set[PurePosixPath]
) -> bytes | None:
    """The content of a generated file; None if the file does not exist.

    Args:
        folder: The folder of the package.
        path: The file in it.
        plain_folders: Folders that were checked already: nothing is in the way.
    """
    for inside in (*reversed(path.parents), path):
        if inside in plain_folders:
            continue
        entry = folder / inside
        try:
            mode = entry.lstat().st_mode
        except FileNotFoundError:
            return None
        if stat.S_ISLNK(mode):
            raise GeneratorError(f"{entry}: a symbolic link is in the way; remove it")
        if inside is path:
            return _read_file(entry, mode, empty=path == PY_TYPED)
        if not stat.S_ISDIR(mode):
            raise GeneratorError(f"{entry}: a file is in the way of a folder; remove it")
        plain_folders.add(inside)
    return None


def _read_file(file: Path, mode: int, *, empty: bool) -> bytes:
    if stat.S_ISREG(mode):
        content = file.read_bytes()
        if content.startswith(_MARK) or (empty and not content):
            return content
    raise GeneratorError(
        f"{file}: tofutypes did not generate this file and does not overwrite it; "
        "remove it, or choose another folder"
    )


def _modules(folder: Path) -> Iterator[PurePosixPath]:
    """The modules in the folder of a package, generated or not.

    Without those behind a symbolic link, in a hidden folder, or in a folder with a `py.typed` of
    its own, which is another package.
    """

    def walk(current: Path, inside: PurePosixPath) -> Iterator[PurePosixPath]:
        with os.scandir(current) as entries:
            in_order = sorted(entries, key=lambda entry: entry.name)
        for entry in in_order:
            if entry.is_dir(follow_symlinks=False):
                hidden = entry.name.startswith(".") or entry.name == _PYCACHE
                if not hidden and not Path(entry.path, PY_TYPED.name).exists():
                    yield from walk(Path(entry.path), inside / entry.name)
            elif is_module(PurePosixPath(entry.name)):
                yield inside / entry.name

    return walk(folder, PurePosixPath()) if folder.is_dir() else iter(())


# File systems to which `Disk.py` and `disk.py` are the same file


def _refuse_twin(folder: Path, path: PurePosixPath, produced: Produced) -> None:
    twins = produced.setdefault(_fold(path), [])
    for twin in twins:
        if _is_same(folder, twin, path):
            raise GeneratorError(f"{folder}: {twin} and {path} would be the same file")
    twins.append(path)


def _is_among(folder: Path, path: PurePosixPath, produced: Produced) -> bool:
    twins = produced.get(_fold(path), [])
    return path in twins or any(_is_same(folder, twin, path) for twin in twins)


def _fold(path: PurePosixPath) -> str:
    return unicodedata.normalize("NFC", str(path)).casefold()


def _is_same(folder: Path, one: PurePosixPath, other: PurePosixPath) -> bool:
    try:
        return one == other or (folder / one).samefile(folder / other)
    except (FileNotFoundError, NotADirectoryError):
        return False
