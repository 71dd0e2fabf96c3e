"""The reference, go-cty, on the same bytes: `python -m benchmarks reference`.

`make counterparts` builds the program that measures go-cty at its newest.
"""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Iterator
from functools import partial

import msgpack

from benchmarks.payloads import payloads
from benchmarks.table import Table
from benchmarks.timing import seconds
from tests.counterparts import find
from tests.counterparts.steps import Workshop

TABLE = Table(
    "payload",
    {"decode": "{:.2f}×", "encode": "{:.2f}×", "to unpackb": "{:.1f}×", "to packb": "{:.1f}×"},
)
PROGRAM = "time-go-cty"


def report() -> Iterator[str]:
    """The lines of the table, or one that tells why there is none."""
    yield "the time of go-cty, ours = 1; and against Python's msgpack.unpackb and packb"
    program = find(PROGRAM)
    if program is None:
        yield "not measured: `make counterparts` builds go-cty, and needs Go"
        return
    values = {
        name: {"Type": json.loads(type.to_json()), "Data": base64.b64encode(data).decode()}
        for name, _, type, data in payloads()
    }
    done = subprocess.run(
        [program], input=json.dumps(values), capture_output=True, text=True, check=True
    )
    yield f"go-cty {Workshop(PROGRAM).version()}"
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
