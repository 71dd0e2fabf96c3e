"""Other libraries on the same bytes, in an environment of their own: `python -m benchmarks peers`.

pyvider-cty does what we do. The others do less: plain pydantic models and the values of the SDK tf
know no types of the type system, and msgspec is a lower bound. It reads into typed structs, but
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

PEERS = {
    "cty": "pyvider-cty==0.6.3",
    "pydantic": "pydantic==2.14.3",
    "tf": "tf==1.2.0",
    "msgspec": "msgspec==0.22.0",
}
NAMES = {"cty": "pyvider-cty", "pydantic": "pydantic", "tf": "tf", "msgspec": "msgspec"}
TABLE = Table(
    "payload",
    {f"{name} {way}": "{:.2f}×" for name in PEERS for way in ("dec", "enc")},
)
_SCRIPT = Path(__file__).with_name("peer_script.py")


def report() -> Iterator[str]:
    """The lines of the table, or one that tells why there is none."""
    yield f"the time of {', '.join(PEERS.values())}; ours = 1"
    with tempfile.TemporaryDirectory() as folder:
        python = str(Path(folder, "bin", "python"))
        try:
            subprocess.run([sys.executable, "-m", "venv", folder], check=True, capture_output=True)
            install = [python, "-m", "pip", "install", "--quiet", *PEERS.values()]
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
        ours = seconds(partial(model.from_msgpack, data), model.from_msgpack(data).to_msgpack)
        pairs = (zip(peers[peer], ours, strict=True) for peer in PEERS)
        yield TABLE.row(name, *(theirs / our for pair in pairs for theirs, our in pair))
