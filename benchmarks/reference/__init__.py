"""The reference, go-cty, on the same bytes: `python -m benchmarks reference`.

It needs Go, and the module go-cty where Go finds it.
"""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgpack

from benchmarks.payloads import payloads
from benchmarks.table import Table
from benchmarks.timing import seconds

TABLE = Table(
    "payload",
    {"decode": "{:.2f}×", "encode": "{:.2f}×", "to unpackb": "{:.1f}×", "to packb": "{:.1f}×"},
)
_FOLDER = Path(__file__).parent


def report() -> Iterator[str]:
    """The lines of the table, or one that tells why there is none."""
    yield "the time of go-cty, ours = 1; and against Python's msgpack.unpackb and packb"
    values = {
        name: {"Type": json.loads(type.to_json()), "Data": base64.b64encode(data).decode()}
        for name, _, type, data in payloads()
    }
    try:
        go = ["go", "run", "."]
        done = subprocess.run(
            go, cwd=_FOLDER, input=json.dumps(values), capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        yield "not measured: `go run .` fails in benchmarks/reference; are Go and go-cty there?"
        return
    yield TABLE.head()
    times = json.loads(done.stdout)
    for name, model, _, data in payloads():
        decode, encode = (nanoseconds / 1e9 for nanoseconds in times[name])
        ours_in, ours_out, unpack, pack = seconds(
            partial(model.from_msgpack, data),
            model.from_msgpack(data).to_msgpack,
            partial(msgpack.unpackb, data),
            partial(msgpack.packb, msgpack.unpackb(data)),
        )
        yield TABLE.row(name, decode / ours_in, encode / ours_out, decode / unpack, encode / pack)
    yield from TABLE.medians(*TABLE.columns)
