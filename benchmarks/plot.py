"""The pictures of the page on performance, as SVG in the colours of the page.

They are narrow enough for a phone. `docs/css/site.css` has their colours, for light and dark.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Final

Rows = Mapping[str, Mapping[str, float]]

WIDTH: Final = 460
SHAPES: Final = {
    "set_block": "set of blocks",
    "rules": "set of objects",
    "list_block": "list of blocks",
    "strings": "set of strings",
    "numbers": "set of numbers",
    "labels": "map of strings",
}
"""The shapes of the values of `growth`, with names for people."""

_SIDE, _LEFT, _TOP, _GAP = 170, 52, 30, 26  # of the panels of the growth
_NAME, _BAR = 118, 14  # the room for names, and the height of a bar


def growth(rows: Rows, operations: Sequence[str]) -> str:
    """Time per element over the number of elements: a panel for each operation."""
    curves = {name: {n: t for n, t in row.items() if n != "order"} for name, row in rows.items()}
    times = [time for curve in curves.values() for time in curve.values()]
    powers = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
    lines: list[str] = []
    for number, operation in enumerate(operations):
        left = _LEFT + number % 2 * (_SIDE + _GAP)
        top = _TOP + number // 2 * (_SIDE + 70)
        lines.append(_text(left + _SIDE / 2, top - 10, f"{operation}, per element", "middle"))
        lines += _grid(left, top, powers, labels=number % 2 == 0)
        for colour, shape in enumerate(SHAPES):
            lines += _curve(curves[f"{shape} {operation}"], left, top, powers, colour)
        sizes = next(iter(curves.values()))
        lines += [
            _text(x, top + _SIDE + 18, size, "middle", "small")
            for x, size in zip(_columns(left, len(sizes)), sizes, strict=True)
        ]
    bottom = _TOP + (len(operations) + 1) // 2 * (_SIDE + 70)
    for colour, name in enumerate(SHAPES.values()):
        x, y = _LEFT + colour % 3 * 136, bottom - 8 + colour // 3 * 22
        lines.append(f'<path class="line c{colour}" d="M{x} {y}h18"/>')
        lines.append(_text(x + 24, y + 4, name, "start", "small"))
    what = "Time per element over the number of elements: " + ", ".join(operations)
    return _picture(bottom + 26, what, lines)


def bars(rows: Mapping[str, Sequence[Sequence[float]]], series: Sequence[str], what: str) -> str:
    """Bars on a logarithmic scale that start at 1: slower ones to the right, faster to the left.

    Args:
        rows: For each name the figures of each series. A bar shows their median, and a thin line
            the range from the least to the greatest.
        series: The names of the series.
        what: A sentence that says what is to be seen.
    """
    figures = [figure for row in rows.values() for column in row for figure in column]
    low, high = math.floor(math.log10(min(figures))), math.ceil(math.log10(max(figures)))
    height = len(series) * (_BAR + 3) + 12
    bottom = 12 + len(rows) * height
    lines: list[str] = []
    for power in range(low, high + 1):
        x = _across(10.0**power, low, high)
        kind = "axis" if power == 0 else "grid"
        lines.append(f'<path class="{kind}" d="M{x:.1f} 6V{bottom}"/>')
        lines.append(_text(x, bottom + 16, f"{10.0**power:g}×", "middle", "small"))
    for number, (name, row) in enumerate(rows.items()):
        top = 12 + number * height
        lines.append(_text(_NAME - 8, top + height / 2 - 2, name, "end", "small"))
        for colour, column in enumerate(row):
            lines += _bar(column, top + colour * (_BAR + 3), (low, high), colour)
    for colour, name in enumerate(series):
        x, y = _NAME + colour * 120, bottom + 36
        lines.append(f'<rect class="bar c{colour}" x="{x}" y="{y - 9}" width="14" height="10"/>')
        lines.append(_text(x + 20, y, name, "start", "small"))
    return _picture(bottom + 46, what, lines)


def _bar(column: Sequence[float], y: float, powers: tuple[int, int], colour: int) -> Iterator[str]:
    one, middle = _across(1, *powers), _across(median(column), *powers)
    left, width = min(one, middle), max(abs(middle - one), 1)
    bar = f'x="{left:.1f}" y="{y}" width="{width:.1f}" height="{_BAR}"'
    yield f'<rect class="bar c{colour}" {bar}/>'
    start, end = _across(min(column), *powers), _across(max(column), *powers)
    if end - start > 1:
        yield f'<path class="range" d="M{start:.1f} {y + _BAR / 2}H{end:.1f}"/>'
    label = f"{median(column):.2g}×" if median(column) < 10 else f"{median(column):.0f}×"
    if middle >= one:
        yield _text(max(middle, end) + 4, y + _BAR - 3, label, "start", "small")
    else:
        yield _text(min(middle, start) - 4, y + _BAR - 3, label, "end", "small")


def _across(figure: float, low: int, high: int) -> float:
    room = WIDTH - _NAME - 46
    return _NAME + 34 + room * (math.log10(figure) - low) / (high - low) * 0.94


def _grid(left: float, top: float, powers: tuple[int, int], *, labels: bool) -> Iterator[str]:
    for power in range(powers[0], powers[1] + 1):
        y = _up(10.0**power, top, powers)
        yield f'<path class="grid" d="M{left} {y:.1f}h{_SIDE}"/>'
        if labels:
            yield _text(left - 6, y + 4, f"{10.0**power:g} µs", "end", "small")


def _curve(
    curve: Mapping[str, float], left: float, top: float, powers: tuple[int, int], colour: int
) -> Iterator[str]:
    columns = _columns(left, len(curve))
    points = [(x, _up(t, top, powers)) for x, t in zip(columns, curve.values(), strict=True)]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    yield f'<path class="line c{colour}" d="M{path}"/>'


def _columns(left: float, count: int) -> list[float]:
    return [left + 12 + number * (_SIDE - 24) / (count - 1) for number in range(count)]


def _up(time: float, top: float, powers: tuple[int, int]) -> float:
    low, high = powers
    return top + _SIDE * (high - math.log10(time)) / (high - low)


def _picture(height: float, what: str, lines: Sequence[str]) -> str:
    head = f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{what}">'
    return "\n".join([head, *lines, "</svg>\n"])


def _text(x: float, y: float, text: str, anchor: str, kind: str = "") -> str:
    style = f' class="{kind}"' if kind else ""
    return f'<text{style} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{text}</text>'
