"""What is aimed at, and whether the figures of this run reach it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from statistics import median
from typing import NamedTuple, TypeAlias

Rows: TypeAlias = Mapping[str, Mapping[str, float]]


class Aim(NamedTuple):
    """A figure to reach.

    Attributes:
        what: it is about.
        part: of the benchmarks that measures it.
        figure: takes it from the rows of the part.
        aim: what it should be.
        unit: of both.
        at_most: whether the figure should be no more than that; else no less.
    """

    what: str
    part: str
    figure: Callable[[Rows], float]
    aim: float
    unit: str
    at_most: bool = True

    def line(self, rows: Rows) -> str:
        """The line of the table."""
        figure = self.figure(rows)
        reached = figure <= self.aim if self.at_most else figure >= self.aim
        cells = f"{self.aim:>7g} {self.unit:<3}{figure:>9.2f} {self.unit:<3}"
        return f"{self.what:<52}{cells} {'reached' if reached else 'missed'}"


def _real(column: str, of: Callable[[list[float]], float]) -> Callable[[Rows], float]:
    """Of the payloads of real types; of all if there are no others."""

    def figure(rows: Rows) -> float:
        real = [row for name, row in rows.items() if not name.startswith("nimbus")]
        return of([row[column] for row in real or rows.values()])

    return figure


def _of(row: str, column: str) -> Callable[[Rows], float]:
    return lambda rows: rows[row][column]


AIMS = (
    Aim("decode, msgpack.unpackb = 1: median", "codecs", _real("decode", median), 2.3, "×"),
    Aim("… the largest", "codecs", _real("decode", max), 3, "×"),
    Aim("encode, msgpack.packb = 1: median", "codecs", _real("encode", median), 4.5, "×"),
    Aim("… the largest", "codecs", _real("encode", max), 6, "×"),
    Aim(
        "order of growth with elements: the largest",
        "growth",
        lambda rows: max(row["order"] for row in rows.values()),
        1.15,  # that of n log n from 100 elements to 10,000, as sets must be sorted
        "",
    ),
    Aim(
        "provider: start to handshake, floor = 1",
        "provider-start",
        _of("small", "× time"),
        1.1,
        "×",
    ),
    Aim("… memory", "provider-start", _of("small", "× memory"), 1.15, "×"),
    Aim(
        "1,000 objects through Terraform's core, Go = 1",
        "provider-objects",
        _of("Python", "× Go"),
        1.5,
        "×",
    ),
    Aim("generate all of AWS", "packages", _of("aws", "generate"), 5, "s"),
    Aim("… memory", "packages", _of("aws", "memory"), 500, "MB"),
    Aim("import one resource", "packages", _of("aws", "one"), 15, "ms"),
    Aim("… the largest", "packages", _of("aws", "largest"), 40, "ms"),
    Aim("import all of AWS", "packages", _of("aws", "all"), 6, "s"),
    Aim("… memory", "packages", _of("aws", "all memory"), 300, "MB"),
    Aim("mypy --strict of a file that uses one", "packages", _of("aws", "mypy one"), 2, "s"),
    Aim("… of all of AWS", "packages", _of("aws", "mypy all"), 25, "s"),
    Aim("plugin on stdio: round trip", "seasonings", _of("round trip, ms", "figure"), 0.15, "ms"),
    Aim(
        "… memory of a 60 MiB message, host",
        "seasonings",
        _of("memory of the host, ×", "figure"),
        3,
        "×",
    ),
    Aim("… plugin", "seasonings", _of("memory of the plugin, ×", "figure"), 3, "×"),
    Aim(
        "10,000 functions, a provider = 1: a plugin",
        "seasonings-functions",
        _of("plugin", "× provider"),
        1.5,
        "×",
    ),
    Aim(
        "500 objects, no relay = 1: apply, other hook",
        "seasonings-relay",
        _of("other hook", "× apply"),
        1.05,
        "×",
    ),
    Aim("… plan", "seasonings-relay", _of("other hook", "× plan"), 1.3, "×"),
    Aim("… apply, empty hook", "seasonings-relay", _of("empty hook", "× apply"), 1.3, "×"),
    Aim("… plan", "seasonings-relay", _of("empty hook", "× plan"), 1.8, "×"),
    Aim("open a large plan, json.loads = 1", "documents", _of("one change", "time"), 1.3, "×"),
    Aim("… memory", "documents", _of("one change", "memory"), 1.5, "×"),
    Aim("type all of its changes", "documents", _of("all, typed", "time"), 3, "×"),
    Aim("… memory", "documents", _of("all, typed", "memory"), 3, "×"),
    Aim("decode, of pyvider-cty: median", "peers", _real("cty dec", median), 20, "×", False),
    Aim("encode, of pyvider-cty: median", "peers", _real("cty enc", median), 20, "×", False),
)


def report(figures: Mapping[str, Rows]) -> Iterator[str]:
    """The lines of the table, for the parts that were measured."""
    yield f"{'what':<52}{'aim':>7}    {'measured':>9}"
    for aim in AIMS:
        rows = figures.get(aim.part)
        if rows and (aim.part != "packages" or "aws" in rows):
            yield aim.line(rows)
