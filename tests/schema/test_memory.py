"""Hostile documents under a limit of memory: an error of ours, never a crash.

In a process of its own, whose address space is limited.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for the memory used")

SIZE = 2 << 20
ROOM = 24 << 20

UNITS = {
    "lists": b"[],",
    "objects": b"{},",
    "nested lists": b"[[[[]]]],",
    "objects with a value": b'{"a":1},',
    "strings": b'"ab",',
    "wide strings": '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\U0001f600",'.encode(),
}

PROGRAM = """
import resource, sys
from tofutypes import TofuTypesError, read_schemas
from tofutypes.documents import read_plan

unit, size, room = sys.argv[1].encode(), int(sys.argv[2]), int(sys.argv[3])
document = b'{"provider_schemas":{},"format_version":"1.0","resource_changes":['
document += unit * (size // len(unit)) + b'0]}'
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + room,) * 2)
for read in (read_schemas, read_plan):
    try:
        read(document)
    except TofuTypesError as error:
        assert len(str(error)) < 300
"""


@pytest.mark.parametrize("kind", UNITS)
def test_hostile_documents_never_crash(kind: str) -> None:
    arguments = [UNITS[kind].decode(), str(SIZE), str(ROOM)]
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
