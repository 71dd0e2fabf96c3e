"""A large plan, read: time and memory next to `json.loads` of the same file.

The plan is made here: 10,000 changes of the example cloud, about 60 MB. Every figure is of a
process of its own.

    python -m benchmarks documents
    python -m benchmarks.documents plan.json   # write the plan
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.payloads import ROOT
from benchmarks.table import Table

CHANGES = 10_000
ROUNDS = 3
SCHEMA = ROOT / "examples" / "nimbus" / "schema.json"
TABLE = Table(
    "reading", {"seconds": "{:.2f} s", "time": "{:.2f}×", "MB": "{:.0f}", "memory": "{:.2f}×"}
)

_PREPARE = """
import json, resource, sys, time
from pathlib import Path
from tofutypes.documents import read_plan
from tofutypes import read_schemas

path, schema = map(Path, sys.argv[1:])
schemas = read_schemas(schema)

def rss():
    line = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1000

# Of the processor, for other programs may run.
before, start = rss(), time.process_time()
"""
_REPORT = """
print(json.dumps([time.process_time() - start, rss() - before]))
"""
READINGS = {
    "json.loads": "plan = json.loads(path.read_bytes())",
    "one change": "plan = read_plan(path, schemas); one = plan.resource_changes[-1].after",
    "all, typed": """
plan = read_plan(path, schemas)
typed = [(change.before, change.after) for change in plan.resource_changes]
""",
}


def report() -> Iterator[str]:
    """The lines of the table."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "plan.json"
        write_plan(path)
        yield f"a plan of {CHANGES:,} changes, {path.stat().st_size / 1e6:.0f} MB"
        yield TABLE.head()
        base: tuple[float, float] | None = None
        for name, code in READINGS.items():
            seconds, megabytes = measured(code, path)
            base = base or (seconds, megabytes)
            yield TABLE.row(name, seconds, seconds / base[0], megabytes, megabytes / base[1])


def measured(code: str, path: Path) -> tuple[float, float]:
    """Seconds of processor time and megabytes of the fastest of a few processes."""
    figures: list[list[float]] = []
    for _ in range(ROUNDS):
        command = [sys.executable, "-c", _PREPARE + code + _REPORT, str(path), str(SCHEMA)]
        done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
        figures.append(json.loads(done.stdout))
    return min(each[0] for each in figures), min(each[1] for each in figures)


def write_plan(path: Path, changes: int = CHANGES) -> None:
    """Write a plan whose changes are updates of servers, some 6 kB each."""
    with path.open("w") as file:
        file.write('{"format_version":"1.2","terraform_version":"1.10.0","resource_changes":[')
        for number in range(changes):
            file.write("," if number else "")
            json.dump(_change(number), file)
        file.write("]}")


def _change(number: int) -> dict[str, Any]:
    before = _server(number)
    after = {**before, "size": "large", "tags": {**before["tags"], "Stage": "production"}}
    del after["id"], after["status"]
    return {
        "address": f'module.group["{number // 50}"].nimbus_server.web[{number % 50}]',
        "module_address": f'module.group["{number // 50}"]',
        "mode": "managed",
        "type": "nimbus_server",
        "name": "web",
        "index": number % 50,
        "provider_name": "registry.opentofu.org/example/nimbus",
        "change": {
            "actions": ["update"],
            "before": before,
            "after": after,
            "after_unknown": {"id": True, "status": True, "disk": [{}] * 6, "tags": {}},
            "before_sensitive": {"password": True, "tags": {}, "disk": [{}] * 6},
            "after_sensitive": {"password": True, "tags": {}, "disk": [{}] * 6},
        },
    }


def _server(number: int) -> dict[str, Any]:
    text = f"server-{number:05}"
    return {
        "addresses": [f"10.0.{number // 250}.{number % 250}"],
        "boot_secret": None,
        "boot_secret_version": None,
        "disk": [
            {"kind": "ssd", "name": f"{text}-disk-{n}", "read_only": n > 2, "size_gb": 100 + n}
            for n in range(6)
        ],
        "flavor": None,
        "hourly_price": 0.0125 + number / 10_000,
        "id": f"srv-{number:017x}",
        "image": "img-0123456789abcdef0",
        "metadata": {"owner": "team-a", "cost_center": number, "path": ["a", "b"]},
        "name": text,
        "network_interface": [
            {
                "address": f"10.{n}.{number // 250}.{number % 250}",
                "egress": [{"peers": ["0.0.0.0/0"], "ports": None, "protocol": "all"}],
                "ingress": [
                    {
                        "peers": ["10.0.0.0/8", f"192.168.{p}.0/24"],
                        "ports": [p, p],
                        "protocol": "tcp",
                    }
                    for p in (22, 80, 443)
                ],
                "mac_address": f"02:00:00:00:{n:02}:{number % 100:02}",
                "network_id": f"net-{number // 100:017x}",
            }
            for n in range(2)
        ],
        "password": f"secret-{number}",
        "placement": {"avoid": None, "host_group": None, "zone": f"zone-{number % 3}"},
        "region": "eu-north-1",
        "root_disk": [{"encrypted": True, "id": f"dsk-{number:x}", "kind": "ssd", "size_gb": 20}],
        "schedule": None,
        "size": "medium",
        "ssh_keys": [f"ssh-ed25519 AAAA{number:060x} user@example.org"],
        "status": "running",
        "tags": {f"Tag{n}": f"value {n} of {text}" for n in range(16)},
        "timeouts": {"create": None, "delete": "10m", "update": None},
    }


if __name__ == "__main__":
    write_plan(Path(sys.argv[1]))
