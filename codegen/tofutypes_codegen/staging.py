"""Files are staged in a temporary folder and moved to their places when all are complete."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, ExitStack
from functools import cached_property
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Final

from tofutypes_codegen.errors import GeneratorError

Undo = Callable[[], object]

_OWN: Final = ".tofutypes"
"""The marker: an empty file in every temporary folder of ours."""


class Staging(AbstractContextManager["Staging"]):
    """A temporary folder on the file system of the target, created on demand.

    Args:
        target: The folder that the files are for.
    """

    def __init__(self, target: Path) -> None:
        self._target = target
        # Inside a folder that exists: it may be a mount point, with a parent that is read-only.
        self._home = target if target.is_dir() else target.parent
        self._prefix = f".{target.name}.tofutypes-"
        self._kept: list[PurePosixPath] = []

    @cached_property
    def _folder(self) -> Path:
        folder = Path(tempfile.mkdtemp(prefix=self._prefix, dir=self._home))
        (folder / _OWN).touch()
        return folder

    @cached_property
    def _new(self) -> Path:
        """The folder of the new files until they are moved to their places."""
        return _made(self._folder / "new")

    @cached_property
    def _old(self) -> Path:
        """The folder of the replaced files until all new files are in their places."""
        return _made(self._folder / "old")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with uninterrupted():
            self._clear()

    def _clear(self) -> None:
        if "_folder" in vars(self):
            shutil.rmtree(self._folder, ignore_errors=True)

    def remove_leftovers(self) -> None:
        """Remove the temporary folders of killed runs. No other run may be active.

        Only folders with our marker are removed, and empty ones, of runs killed before they set it.
        """
        for entry in self._home.iterdir():
            if not entry.name.startswith(self._prefix) or entry.is_symlink():
                continue
            if (entry / _OWN).is_file():
                shutil.rmtree(entry, ignore_errors=True)
            else:
                _remove_if_empty(entry)

    def keep(self, path: PurePosixPath, content: bytes) -> None:
        """Write a file into the temporary folder."""
        file = self._new / path
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            with file.open("xb") as opened:
                opened.write(content)
        except FileExistsError:
            raise GeneratorError(
                f"{path}: another module has the same name in another case, which is the same file "
                "here; exclude one of them with --exclude"
            ) from None
        self._kept.append(path)

    def commit(self, stale: Iterable[PurePosixPath]) -> None:
        """Move all files to their places and remove the stale ones, or change nothing.

        Signals wait until the end.
        """
        with uninterrupted():
            self._commit(list(stale))
            self._clear()

    def _commit(self, stale: Sequence[PurePosixPath]) -> None:
        if not self._target.exists():
            self._new.rename(self._target)
            return
        undo: list[Undo] = []
        try:
            # Top-level files first: by them a later run recognizes the folder.
            for path in sorted(self._kept, key=lambda path: len(path.parts) > 1):
                self._place(path, undo)
            for path in stale:
                self._remove(path, undo)
        except BaseException:
            for step in reversed(undo):
                with contextlib.suppress(OSError):
                    step()
            raise
        self._remove_empty_folders(stale)

    def _place(self, path: PurePosixPath, undo: list[Undo]) -> None:
        place, backup = self._target / path, self._old / path
        for folder in reversed(path.parents):
            if not (self._target / folder).exists():
                undo.append((self._target / folder).rmdir)
                (self._target / folder).mkdir()
        if place.exists():
            backup.parent.mkdir(parents=True, exist_ok=True)
            _duplicate(place, backup)
            undo.append(lambda: backup.replace(place))
        else:
            undo.append(lambda: place.unlink(missing_ok=True))
        (self._new / path).replace(place)

    def _remove(self, path: PurePosixPath, undo: list[Undo]) -> None:
        place, backup = self._target / path, self._old / path
        backup.parent.mkdir(parents=True, exist_ok=True)
        undo.append(lambda: backup.replace(place))
        place.rename(backup)

    def _remove_empty_folders(self, stale: Iterable[PurePosixPath]) -> None:
        folders = {folder for path in stale for folder in path.parents if folder.parts}
        for inside in sorted(folders, key=lambda folder: -len(folder.parts)):
            folder = self._target / inside
            with contextlib.suppress(OSError):
                if all(entry.name == "__pycache__" for entry in folder.iterdir()):
                    shutil.rmtree(folder / "__pycache__", ignore_errors=True)
                    folder.rmdir()


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _duplicate(file: Path, copy: Path) -> None:
    try:
        os.link(file, copy)
    except OSError:  # not every file system has hard links
        shutil.copy2(file, copy)


@contextlib.contextmanager
def uninterrupted() -> Generator[None, None, None]:
    """Delay SIGINT and SIGTERM, which only ever interrupt the main thread."""
    received: list[int] = []
    with ExitStack() as handlers:
        if threading.current_thread() is threading.main_thread():
            handlers.callback(_raise_first, received)
            for number in (signal.SIGINT, signal.SIGTERM):
                handler = signal.signal(number, lambda number, _: received.append(number))
                handlers.callback(signal.signal, number, handler or signal.SIG_DFL)
        yield


def _raise_first(signals: Sequence[int]) -> None:
    for number in signals[:1]:
        signal.raise_signal(number)


@contextlib.contextmanager
def made_folders(folder: Path) -> Generator[None, None, None]:
    """Create a folder and its parents, and remove them again if the body fails."""
    missing = [above for above in (folder, *folder.parents) if not above.exists()]
    with ExitStack() as undo:
        for above in reversed(missing):
            above.mkdir(exist_ok=True)
            undo.callback(_remove_if_empty, above)
        yield
        undo.pop_all()


def _remove_if_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()


@contextlib.contextmanager
def locked(folder: Path, waiting: Callable[[], None]) -> Generator[bool, None, None]:
    """Lock a folder; wait while another run holds the lock.

    Yields False if the folder could not be locked: not every system can lock folders.
    """
    try:
        handle = os.open(folder, os.O_RDONLY)
    except PermissionError:  # on Windows, and of a folder that is open for writing alone
        yield False
        return
    try:
        yield _lock(handle, waiting)
    finally:
        os.close(handle)


def _lock(handle: int, waiting: Callable[[], None]) -> bool:
    try:
        import fcntl
    except ImportError:  # only POSIX systems have it
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        waiting()
        fcntl.flock(handle, fcntl.LOCK_EX)
    except OSError:  # a file system without locks
        return False
    return True
