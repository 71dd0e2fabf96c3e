"""How packages grow with the number of resources: generating them, and importing them all."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.growth import order
from benchmarks.packages import generated, imported, run_python
from benchmarks.payloads import NIMBUS, SHARED
from benchmarks.table import Table

SIZES = (10, 100, 1_000, 1_577)
TABLE = Table(
    "resources",
    {"generate": "{:.2f}", "gen. memory": "{:.0f}", "import": "{:.2f}", "imp. memory": "{:.0f}"},
)


# In a process of its own: what this one has in memory, those that it starts seem to have.
_SELECT = """
import gzip, json, sys
source, size, target = sys.argv[1], int(sys.argv[2]), sys.argv[3]
document = json.load((gzip.open if source.endswith(".gz") else open)(source))
[(address, provider)] = document["provider_schemas"].items()
resources = provider["resource_schemas"]
names = sorted(resources)
kept = {names[number * len(names) // size] for number in range(size)}
schemas = {address: {"resource_schemas": {name: resources[name] for name in kept}}}
with open(target, "w") as file:
    json.dump({"format_version": "1.0", "provider_schemas": schemas}, file)
"""


def report() -> Iterator[str]:
    """The lines of the table, and the order of growth of each column."""
    aws = SHARED / "schemas" / "aws.json.gz"
    source, sizes = (aws, SIZES) if aws.is_file() else (NIMBUS, (1, 2))
    yield f"of {source.name}: seconds and megabytes; order: of growth from the second line on"
    yield TABLE.head()
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            yield _measured(source, size, Path(folder))
    rows = [TABLE.rows[f"{size:,}"] for size in sizes[1:]]
    if len(rows) > 1:
        columns = [[row[name] for row in rows] for name in TABLE.columns]
        yield "order".ljust(24) + "".join(f"{order(sizes[1:], each):13.2f}" for each in columns)


def _measured(source: Path, size: int, folder: Path) -> str:
    """Of as many resources, taken from all over the schema."""
    selected = folder / "schema.json"
    run_python(["-c", _SELECT, str(source), str(size), str(selected)])
    times = (generated(selected, folder) for _ in range(3))
    return TABLE.row(f"{size:,}", *min(times), *imported(folder))
