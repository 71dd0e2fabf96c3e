"""A provider in Go alone, one in Python alone, and both as one: `benchmarks provider-mux`."""

from __future__ import annotations

import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

from benchmarks.payloads import ROOT
from benchmarks.table import Table
from tests.counterparts import find
from tofutypes import Resource, build_model
from tofutypes.provider.client import Client, launch

STARTS: Final = 15
CALLS: Final = 500
PROVIDERS: Final = ROOT / "benchmarks" / "providers"
TABLE = Table("provider", {"handshake": "{:.0f} ms", "schemas": "{:.0f} ms", "a call": "{:.0f} µs"})


def report() -> Iterator[str]:
    """The lines of the table."""
    original = find("terraform-provider-random")
    if original is None:
        yield "a provider in Go and one in Python: needs the provider random (`make counterparts`)"
        return
    yield (
        f"from the start to the handshake, and to the schemas; a validation of random_pet: the "
        f"median of {STARTS} starts and {CALLS} calls"
    )
    yield TABLE.head()
    with tempfile.TemporaryDirectory() as folder:
        programs = {
            "Go alone": original,
            "Python alone": _program(Path(folder), "small"),
            "Go and Python": _program(Path(folder), "muxed", original),
        }
        starts: dict[str, list[tuple[float, float]]] = {name: [] for name in programs}
        for number in range(STARTS + 1):
            for name, program in programs.items():
                times = _start(program)
                if number:  # the first start writes byte code
                    starts[name].append(times)
        for name, program in programs.items():
            handshakes, schemas = zip(*starts[name], strict=True)
            yield TABLE.row(name, median(handshakes), median(schemas), _call(program))


def _program(folder: Path, name: str, *arguments: Path) -> Path:
    program = folder / f"terraform-provider-{name}"
    command = shlex.join([sys.executable, str(PROVIDERS / f"{name}.py"), *map(str, arguments)])
    program.write_text(f"#!/bin/sh\nPYTHONPATH={shlex.quote(str(ROOT))} exec {command}\n")
    program.chmod(0o755)
    return program


def _start(program: Path) -> tuple[float, float]:
    """Milliseconds until the handshake, and until the schemas are there."""
    began = perf_counter()
    with launch(program, tls=False) as client:
        handshake = perf_counter() - began
        _ = client.schema
        return handshake * 1000, (perf_counter() - began) * 1000


def _call(program: Path) -> float:
    """Microseconds of a validation."""
    with launch(program, tls=False) as client:
        config = _configuration(client)
        times = [_validation(client, config) for _ in range(CALLS)]
    return median(times) * 1_000_000


def _configuration(client: Client) -> Resource:
    resources = client.schema.resources
    name = "random_pet" if "random_pet" in resources else "small_thing"
    model = build_model(resources[name], name=name)
    assert issubclass(model, Resource)
    return model.model_validate({} if name == "random_pet" else {"name": "a"})


def _validation(client: Client, config: Resource) -> float:
    began = perf_counter()
    client.validate(config)
    return perf_counter() - began
