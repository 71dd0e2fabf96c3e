"""Decoding and encoding models, against the plain MessagePack library on the same bytes."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median

import msgpack

from benchmarks.timing import seconds
from tofutypes import Model, build_model, parse_type, read_schemas

ROOT = Path(__file__).parents[1]
NIMBUS = ROOT / "examples" / "nimbus" / "schema.json"
SHARED = ROOT.parent / "shared" / "benchmarks" / "payloads.json"


def payloads() -> Iterator[tuple[str, type[Model], bytes]]:
    """Models and bytes: a server of the example cloud, and real resources where there are some."""
    [nimbus] = read_schemas(NIMBUS).values()
    server = build_model(nimbus.resources["nimbus_server"], name="nimbus_server")
    yield "nimbus_server", server, _nimbus_server(server)
    if SHARED.is_file():
        for name, (type_json, data) in json.loads(SHARED.read_bytes()).items():
            yield name, build_model(parse_type(type_json), name=name), base64.b64decode(data)


def _nimbus_server(model: type[Model]) -> bytes:
    rules = [{"peers": ["10.0.0.0/8"], "protocol": "tcp"}]
    interface = {"network_id": "net-1", "address": "10.0.0.5", "ingress": rules, "egress": rules}
    server = model(
        id="nrn:server:fra1:web",
        name="web",
        region="fra1",
        size="small",
        image="debian-13",
        hourly_price=0.0125,
        tags={"team": "search", "stage": "production"},
        ssh_keys=["ssh-ed25519 AAAA", "ssh-ed25519 BBBB"],
        addresses=["10.0.0.5", "2001:db8::5"],
        network_interface=[interface, interface],
        disk=[{"name": f"data-{number}", "size_gb": 100} for number in range(4)],
        root_disk=[{"size_gb": 20, "encrypted": True}],
        schedule={"start": "07:30", "stop": "19:00", "weekdays": ["mon", "tue", "wed"]},
    )
    return server.to_msgpack()


def report() -> Iterator[str]:
    """The lines of a table, and the medians."""
    yield f"{'payload':<22}{'bytes':>8}{'decode':>9}{'encode':>9}   (unpackb = packb = 1)"
    decoding: list[float] = []
    encoding: list[float] = []
    for name, model, data in payloads():
        value, plain = model.from_msgpack(data), msgpack.unpackb(data)
        unpack, decode, pack, encode = seconds(
            partial(msgpack.unpackb, data),
            partial(model.from_msgpack, data),
            partial(msgpack.packb, plain),
            value.to_msgpack,
        )
        decoding.append(decode / unpack)
        encoding.append(encode / pack)
        yield f"{name:<22}{len(data):>8}{decode / unpack:>8.1f}×{encode / pack:>8.1f}×"
    yield f"{'median':<30}{median(decoding):>8.1f}×{median(encoding):>8.1f}×"
