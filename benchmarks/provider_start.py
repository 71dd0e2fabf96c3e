"""From the start of a provider to its handshake: time and memory, against the floor."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.table import Table
from tofutypes.provider.transport.handshake import COOKIE, COOKIE_NAME, PROTOCOL_VERSIONS

STARTS = 15
PROGRAMS = Path(__file__).parent / "providers"
TABLE = Table("start", {"ms": "{:.0f}", "MB": "{:.1f}", "× time": "{:.2f}", "× memory": "{:.2f}"})


def report() -> Iterator[str]:
    """The lines of the table."""
    yield f"a start to the handshake, the median of {STARTS}; floor: a pydantic model, empty gRPC"
    yield TABLE.head()
    starts: dict[str, list[tuple[float, float]]] = {"floor": [], "small": []}
    for number in range(STARTS + 1):
        for name, measured in starts.items():
            start = _started(PROGRAMS / f"{name}.py")
            if number:  # the first start writes byte code
                measured.append(start)
    medians = {
        name: [median(column) for column in zip(*measured, strict=True)]
        for name, measured in starts.items()
    }
    floor_time, floor_memory = medians["floor"]
    for name, (time, memory) in medians.items():
        yield TABLE.row(name, time, memory, time / floor_time, memory / floor_memory)


def _started(program: Path) -> tuple[float, float]:
    """Milliseconds until the handshake, and megabytes then (Linux)."""
    environment = os.environ | {COOKIE_NAME: COOKIE, PROTOCOL_VERSIONS: "5,6"}
    with tempfile.TemporaryDirectory() as folder:
        began = perf_counter()
        with subprocess.Popen(
            [sys.executable, str(program), f"{folder}/socket"],
            env=environment | {"TMPDIR": folder},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:
            assert process.stdout is not None
            line = process.stdout.readline()
            time = perf_counter() - began
            assert line.startswith(b"1|6|unix|"), line
            status = Path(f"/proc/{process.pid}/status").read_text()
            process.kill()
    (memory,) = [line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")]
    return time * 1000, int(memory) / 1024
