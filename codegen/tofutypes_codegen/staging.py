"""Files are written aside first, and put in their places when all of them are there."""

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

from tofutypes_codegen.errors import GeneratorError

Undo = Callable[[], object]


class Staging(AbstractContextManager["Staging"]):
    """A temporary folder, made when it is needed, on the file system that the files are for.

    Args:
        target: the folder that the files are for.
    """

    def __init__(self, target: Path) -> None:
        self._target = target
        # Not beside a folder that is there: it may be a mount point, its parent not writable.
        self._home = target if target.is_dir() else target.parent
        self._prefix = f".{target.name}.tofutypes-"
        self._kept: list[PurePosixPath] = []

    @cached_property
    def _folder(self) -> Path:
        return Path(tempfile.mkdtemp(prefix=self._prefix, dir=self._home))

    @cached_property
    def _new(self) -> Path:
        """Where the new files are until they are put in their places."""
        return _made(self._folder / "new")

    @cached_property
    def _old(self) -> Path:
        """Where the old files are until the new ones are in their places."""
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
        """Remove the temporary folders of runs that were killed. No other run may be at work."""
        for entry in self._home.iterdir():
            if entry.name.startswith(self._prefix):
                shutil.rmtree(entry, ignore_errors=True)

    def keep(self, path: PurePosixPath, content: bytes) -> None:
        """Write a file aside."""
        file = self._new / path
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            with file.open("xb") as opened:
                opened.write(content)
        except FileExistsError:
            raise GeneratorError(
                f"{path}: another module differs in upper and lower case alone, which is the same "
                "file here; leave one out with --exclude"
            ) from None
        self._kept.append(path)

    def commit(self, stale: Iterable[PurePosixPath]) -> None:
        """Put all files in their places and remove the stale ones, or else change nothing.

        Who interrupts meanwhile has to wait until it is done.
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
            # What is on top first: by it a later run knows the folder as ours.
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
    """Let SIGINT and SIGTERM wait. (They only ever interrupt the main thread.)"""
    came: list[int] = []
    with ExitStack() as handlers:
        if threading.current_thread() is threading.main_thread():
            handlers.callback(_raise_first, came)
            for number in (signal.SIGINT, signal.SIGTERM):
                handler = signal.signal(number, lambda number, _: came.append(number))
                handlers.callback(signal.signal, number, handler or signal.SIG_DFL)
        yield


def _raise_first(signals: Sequence[int]) -> None:
    for number in signals[:1]:
        signal.raise_signal(number)


@contextlib.contextmanager
def made_folders(folder: Path) -> Generator[None, None, None]:
    """Make a folder and those above it, and remove them again if what follows fails."""
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
    """Be the only run that writes into a folder; wait until it is so.

    Yields whether that is sure: not every system can lock a folder.
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
