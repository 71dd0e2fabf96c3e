"""A client that writes and reads a large state; prints how much memory it took, as JSON.

Usage: `large_state.py PROGRAM FOLDER MEBIBYTES`
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from examples.depot.provider import Folder
from tofutypes.provider.client import launch


def peak(process: int) -> int:
    """The most memory that a process has had, in MiB."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) >> 10


def children() -> list[int]:
    """The processes that this one has started."""
    task = Path("/proc/self/task")
    return [
        int(pid) for thread in task.iterdir() for pid in (thread / "children").read_text().split()
    ]


def pieces(size: int) -> Iterator[bytes]:
    """Bytes that are not all alike, and no multiple of a chunk."""
    for number in range(size):
        yield number.to_bytes(4) * (1 << 18)
    yield b"the end"


def main() -> None:
    program, folder, size = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    source, copy = folder / "source", folder / "copy"
    with source.open("wb") as file:
        file.writelines(pieces(size))
    with launch(program) as provider:
        provider.configure()
        store = provider.configure_state_store(Folder(path=str(folder / "states")))
        store.write("small", b"x")
        assert store.read("small") == b"x"
        processes = {"client": os.getpid(), "provider": max(children(), key=peak)}
        before = {name: peak(process) for name, process in processes.items()}
        with source.open("rb") as file:
            store.write("large", file)
        store.save("large", copy)
        grown = {name: peak(process) - before[name] for name, process in processes.items()}
    with source.open("rb") as one, copy.open("rb") as other:
        while chunk := one.read(1 << 20):
            assert chunk == other.read(1 << 20)
        assert not other.read(1)
    print(json.dumps(grown))


if __name__ == "__main__":
    main()
