"""Measure: `python -m benchmarks`, or some parts of it, `python -m benchmarks codecs growth`.

Without parts it measures all that needs nothing else, and writes the figures and the pictures
of the documentation.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

from benchmarks import (
    aims,
    codecs,
    documents,
    growth,
    packages,
    packing,
    peers,
    provider,
    provider_mux,
    provider_objects,
    provider_start,
    reference,
    resources,
    seasonings,
    seasonings_functions,
    seasonings_relay,
    typed_packages,
)
from benchmarks.payloads import ROOT
from benchmarks.plot import Rows, bars
from benchmarks.plot import growth as growth_picture
from benchmarks.table import Table


class Part(Protocol):
    """What can be measured by itself."""

    TABLE: Table

    def report(self) -> Iterator[str]:
        """The lines to print; the figures are in the table then."""
        ...


PARTS: dict[str, Part] = {
    "codecs": codecs,
    "growth": growth,
    "packages": packages,
    "resources": resources,
    "provider": provider,
    "provider-start": provider_start,
    "provider-objects": provider_objects,
    "provider-mux": provider_mux,
    "documents": documents,
    "seasonings": seasonings,
    "seasonings-functions": seasonings_functions,
    "seasonings-relay": seasonings_relay,
    "packing": packing,
    "peers": peers,
    "typed-packages": typed_packages,
    "reference": reference,
}
DOCS = ROOT / "docs" / "about"
PICTURES = ROOT / "docs" / "pictures"
USUAL = ("codecs", "growth", "packages", "resources", "provider")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("part", nargs="*", help=f"{', '.join(PARTS)}; by default the first five")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures")
    parser.add_argument("--pictures", type=Path, metavar="DIR", help="draw the pictures as SVG")
    arguments = parser.parse_args()
    names: list[str] = arguments.part or [*USUAL]
    if "peers" in names and "typed-packages" not in names:
        names = [*names, "typed-packages"]
    for whole in ("provider", "seasonings"):
        if whole in names:
            names = [*names, *(name for name in PARTS if name.startswith(f"{whole}-"))]
    names = list(dict.fromkeys(names))
    if not arguments.part:
        arguments.json = arguments.json or DOCS / "figures.json"
        arguments.pictures = arguments.pictures or PICTURES
    if unknown := set(names) - PARTS.keys():
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    # Compiled modules are kept, as they are for everybody: our own would be compiled at each start.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    versions = {name: version(name) for name in ("tofutypes", "pydantic", "msgpack", "orjson")}
    versions["python"] = platform.python_version()
    _print(", ".join(f"{name} {number}" for name, number in versions.items()))
    for name in names:
        _print("")
        for line in PARTS[name].report():
            _print(line)
    figures = {name: PARTS[name].TABLE.rows for name in names}
    _print("")
    for line in aims.report(figures):
        _print(line)
    if arguments.json:
        document = {"versions": versions, "figures": figures}
        arguments.json.write_text(f"{json.dumps(document, indent=2, ensure_ascii=False)}\n")
    if arguments.pictures:
        for name, text in _pictures(figures):
            (arguments.pictures / name).write_text(text)


def _pictures(figures: Mapping[str, Rows]) -> Iterator[tuple[str, str]]:
    """The pictures of the parts that were measured, with the names of their files."""
    if rows := figures.get("growth"):
        yield "growth.svg", growth_picture(rows, growth.OPERATIONS)
    ways = {"decode": "dec", "encode": "enc"}
    if rows := figures.get("peers"):
        real = [row for name, row in rows.items() if not name.startswith("nimbus")] or [
            *rows.values()
        ]
        ranges = {
            peers.NAMES[peer]: [
                [row[f"{peer} {way}"] for row in real or rows.values()] for way in ways.values()
            ]
            for peer in peers.PEERS
        }
        yield "peers.svg", bars(ranges, [*ways], "The time of other libraries, ours being 1")
    if rows := figures.get("reference"):
        single = {name: [[row[way]] for way in ways] for name, row in rows.items()}
        yield (
            "go-cty.svg",
            bars(single, [*ways], "The time of go-cty, ours being 1"),
        )


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


main()
