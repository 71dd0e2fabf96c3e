"""Plugins on stdio: the round trip of a small call, and the memory of a large message.

Both ends are Python: a plugin of the SDK in a process of its own, and the host of this library.

    python -m benchmarks seasonings
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from benchmarks.table import Table

CALLS = 3_000
SIZE = 60 << 20
TABLE = Table("plugins on stdio", {"figure": "{:.3f}"})

_PLUGIN = """
import resource, sys
from tofutypes.seasonings import Plugin, Storage

plugin = Plugin("measured")

@plugin.function
def double(number: int) -> int:
    return number * 2

@plugin.function
def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

@plugin.storage
class Memory(Storage):
    state = b""
    def read(self, path): return self.state
    def write(self, path, state, lock_id): self.state = state
    def delete(self, path, lock_id): self.state = b""
    def lock(self, path, info): return info.id
    def unlock(self, path, lock_id): pass
    def list(self, prefix): return []

plugin.run()
"""

_HOST = """
import json, os, resource, sys
from tofutypes.seasonings import launch

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

with launch([sys.executable, sys.argv[1]]) as plugin:
    ours, theirs = peak(), plugin.call_function("peak")
    state = os.urandom(int(sys.argv[2]))
    plugin.write_state("path", state)
    written = peak() - ours, plugin.call_function("peak") - theirs
    print(json.dumps(written))
"""


async def _round_trips(file: str) -> tuple[float, float]:
    """The median round trip, and the mean time of a call when many are in flight."""
    from tofutypes.seasonings import launch_async

    async with await launch_async([sys.executable, file]) as plugin:
        params = {"name": "double", "arguments": [21]}
        times: list[float] = []
        for _ in range(CALLS):
            start = time.perf_counter()
            await plugin.call("functions/call", params)
            times.append(time.perf_counter() - start)
        start = time.perf_counter()
        for _ in range(CALLS // 500):
            await asyncio.gather(*(plugin.call("functions/call", params) for _ in range(500)))
        return median(times), (time.perf_counter() - start) / CALLS


def report() -> Iterator[str]:
    """The lines of the table."""
    yield TABLE.head()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "plugin.py")
        file.write_text(_PLUGIN)
        alone, together = asyncio.run(_round_trips(str(file)))
        yield TABLE.row("round trip, ms", alone * 1000)
        yield TABLE.row("500 in flight, ms", together * 1000)
        command = [sys.executable, "-c", _HOST, str(file), str(SIZE)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        ours, theirs = json.loads(done.stdout)
        # Of the host, the state itself is a part.
        yield TABLE.row("memory of the host, ×", ours * 1024 / SIZE)
        yield TABLE.row("memory of the plugin, ×", theirs * 1024 / SIZE)
