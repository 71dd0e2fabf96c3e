"""Models and bytes to measure with: the example cloud's, and real ones where there are some."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tofutypes import UNKNOWN, Model, Type, Unknown, build_model, parse_type, read_schemas
from tofutypes.schema import implied_type

ROOT = Path(__file__).parents[1]
NIMBUS = ROOT / "examples" / "nimbus" / "schema.json"
SHARED = ROOT.parent / "shared"


class Payload(NamedTuple):
    """What one value is decoded from, and into."""

    name: str
    model: type[Model]
    type: Type
    data: bytes


def payloads() -> Iterator[Payload]:
    """All of them."""
    [nimbus] = read_schemas(NIMBUS).values()
    for name, fields in (
        ("nimbus_server", _server()),
        ("nimbus_network", _network()),
    ):
        schema = nimbus.resources[name]
        model = build_model(schema, name=name)
        value = model.model_validate(fields)
        yield Payload(name, model, implied_type(schema.block), value.to_msgpack())
    real = SHARED / "benchmarks" / "payloads.json"
    if real.is_file():
        for name, (constraint, data) in json.loads(real.read_bytes()).items():
            type = parse_type(constraint)
            yield Payload(name, build_model(type, name=name), type, base64.b64decode(data))


def _network() -> dict[str, object]:
    return {
        "id": Unknown(prefix="nrn:network:", not_null=True),
        "name": "main",
        "cidr": "10.0.0.0/16",
        "location": [50.11, 8.68],
        "dns_servers": UNKNOWN,
    }


def _server() -> dict[str, object]:
    rules = [{"peers": ["10.0.0.0/8"], "protocol": "tcp", "ports": [80, 443]}]
    interface = {"network_id": "net-1", "address": "10.0.0.5", "ingress": rules, "egress": rules}
    return {
        "id": "nrn:server:fra1:web",
        "name": "web",
        "region": "fra1",
        "size": "small",
        "image": "debian-13",
        "hourly_price": 0.0125,
        "tags": {"team": "search", "stage": "production"},
        "ssh_keys": ["ssh-ed25519 AAAA", "ssh-ed25519 BBBB"],
        "addresses": ["10.0.0.5", "2001:db8::5"],
        "network_interface": [interface, interface],
        "disk": [{"name": f"data-{number}", "size_gb": 100} for number in range(4)],
        "root_disk": [{"size_gb": 20, "encrypted": True}],
        "schedule": {"start": "07:30", "stop": "19:00", "weekdays": ["mon", "tue", "wed"]},
    }
