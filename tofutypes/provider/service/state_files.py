"""Files with states, which are replaced as a whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def replace_file(path: str | os.PathLike[str], chunks: Iterable[bytes]) -> int:
    """Write a file beside another one, and let it take the place once it is on the disk.

    Only this user can read the new file. Without any bytes nothing is replaced.

    Args:
        path: The file to replace, or to make.
        chunks: The bytes. An exception of the iterator leaves the file as it was.

    Returns:
        The number of bytes.

    Raises:
        OSError: If the bytes cannot be written. The file is as it was.
    """
    import tempfile

    target = Path(path)
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
    part = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(chunks)
            file.flush()
            os.fsync(file.fileno())
            size = file.tell()
        if size:
            part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    _sync_folder(target.parent)
    return size


def _sync_folder(folder: Path) -> None:
    """Have the new name of a file on the disk, too."""
    with suppress(OSError):  # Windows cannot open folders
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
