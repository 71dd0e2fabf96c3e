"""Temporary folders of one process: private to its user, and removed even if it is killed.

A process that is killed cannot clean up. Each folder therefore holds a lock file, and the operating
system releases the lock when the process ends. The next start removes the folders whose lock nobody
holds. (A process id would not do: ids are used again, and containers may share a folder.)
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from tofutypes.provider.service.diagnostics import PluginError

CLIENT_PREFIX: Final = "tofutypes-"
SERVER_PREFIX: Final = "plugin-"

_LOCK: Final = ".tofutypes.lock"
_UNLOCKED: Final = ".tofutypes.new"
"""The name of the lock file until it is locked, so that nobody takes the folder for abandoned."""


@contextmanager
def private_folder(prefix: str, parent: str | None = None) -> Generator[Path]:
    """A new folder that only this user can enter (mode 0700), removed at the end.

    Args:
        prefix: `CLIENT_PREFIX` or `SERVER_PREFIX`.
        parent: The folder to create it in; by default the one for temporary files.

    Raises:
        PluginError: If the folder cannot be created.
    """
    try:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        folder.chmod(0o700)  # a umask may have taken the owner's own bits
        lock = _lock(folder)
    except OSError as error:
        where = parent or "the folder for temporary files"
        raise PluginError(f"{where}: cannot create a folder: {error.strerror}") from None
    try:
        yield folder
    finally:
        if lock is not None:
            os.close(lock)
        shutil.rmtree(folder, ignore_errors=True)


def remove_abandoned_folders(parent: str | None = None) -> None:
    """Remove the folders that killed processes of this user left.

    Never fails: a folder that cannot be removed stays.

    Args:
        parent: Where to look; by default in the folder for temporary files.
    """
    with suppress(OSError), os.scandir(parent or tempfile.gettempdir()) as entries:
        for entry in entries:
            if entry.name.startswith((CLIENT_PREFIX, SERVER_PREFIX)):
                with suppress(OSError):
                    _remove_if_abandoned(Path(entry.path))


def _remove_if_abandoned(folder: Path) -> None:
    status = folder.lstat()
    if not hasattr(os, "geteuid") or status.st_uid != os.geteuid():
        return
    if not stat.S_ISDIR(status.st_mode):
        return
    lock = os.open(folder / _LOCK, os.O_RDWR | os.O_NOFOLLOW)
    try:
        if _try_lock(lock):
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)


def _lock(folder: Path) -> int | None:
    """Create the lock file; None where locks do not exist, and the folder is never abandoned."""
    unlocked = folder / _UNLOCKED
    lock = os.open(unlocked, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    if not _try_lock(lock):
        os.close(lock)
        unlocked.unlink()
        return None
    unlocked.rename(folder / _LOCK)
    return lock


def _try_lock(descriptor: int) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
