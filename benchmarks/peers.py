"""Other libraries on the same bytes, in an environment of their own: `python -m benchmarks peers`.

pyvider-cty does what we do. msgspec does less, as a lower bound: it reads into typed structs, but
knows no unknown values, no sets without order, and checks nothing when it writes.
"""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.payloads import payloads
from benchmarks.table import Table
from benchmarks.timing import seconds

PEERS = ("pyvider-cty==0.6.3", "msgspec==0.22.0")
TABLE = Table(
    "payload", dict.fromkeys(("cty read", "cty write", "spec read", "spec write"), "{:.2f}×")
)
_SCRIPT = Path(__file__).with_name("peer_script.py")


def report() -> Iterator[str]:
    """The lines of the table, or one that tells why there is none."""
    yield f"the time of {' and '.join(PEERS)}, ours = 1"
    with tempfile.TemporaryDirectory() as folder:
        python = str(Path(folder, "bin", "python"))
        try:
            subprocess.run([sys.executable, "-m", "venv", folder], check=True, capture_output=True)
            install = [python, "-m", "pip", "install", "--quiet", *PEERS]
            subprocess.run(install, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            yield "not measured: pip cannot install them here; is the package index reachable?"
            return
        yield TABLE.head()
        yield from _compare(python)
    yield from TABLE.medians(*TABLE.columns)


def _compare(python: str) -> Iterator[str]:
    for name, model, type, data in payloads():
        request = {"type": type.to_json(), "data": base64.b64encode(data).decode()}
        done = subprocess.run(
            [python, _SCRIPT], input=json.dumps(request), capture_output=True, text=True, check=True
        )
        peers = json.loads(done.stdout)
        read, write = seconds(
            partial(model.from_msgpack, data), model.from_msgpack(data).to_msgpack
        )
        yield TABLE.row(
            name,
            peers["cty_read"] / read,
            peers["cty_write"] / write,
            peers["msgspec_read"] / read,
            peers["msgspec_write"] / write,
        )
