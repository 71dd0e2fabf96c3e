"""A plot of the growth, as SVG: time per element over the number of elements, both logarithmic."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

_COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17808f")
_SIDE, _GAP, _LEFT, _TOP = 170, 20, 60, 30


def plot(rows: Mapping[str, Mapping[str, float]], operations: Sequence[str]) -> str:
    """The plot: a panel for each operation, a curve for each shape of value."""
    curves = {name: {n: t for n, t in row.items() if n != "order"} for name, row in rows.items()}
    times = [time for curve in curves.values() for time in curve.values()]
    low, high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
    shapes = list(dict.fromkeys(name.rpartition(" ")[0] for name in rows))
    width = _LEFT + len(operations) * (_SIDE + _GAP)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 270" '
        'font-family="sans-serif" font-size="11">',
        f'<rect width="{width}" height="270" fill="#fff"/>',
    ]
    for power in range(low, high + 1):
        y = _y(10.0**power, low, high)
        lines.append(_text(_LEFT - 6, y + 4, f"{10.0**power:g} µs", "end"))
        lines.append(f'<path d="M{_LEFT} {y:.1f}H{width - _GAP}" stroke="#ddd"/>')
    for panel, operation in enumerate(operations):
        left = _LEFT + panel * (_SIDE + _GAP)
        lines.append(_text(left + _SIDE / 2, _TOP - 10, f"{operation}, per element", "middle"))
        for colour, shape in zip(_COLOURS, shapes, strict=False):
            lines += _curve(curves[f"{shape} {operation}"], left, (low, high), colour)
    for number, (colour, shape) in enumerate(zip(_COLOURS, shapes, strict=False)):
        left = _LEFT + number * 110
        lines.append(f'<rect x="{left}" y="248" width="12" height="4" fill="{colour}"/>')
        lines.append(_text(left + 18, 254, shape, "start"))
    return "\n".join([*lines, "</svg>\n"])


def _curve(
    curve: Mapping[str, float], left: float, powers: tuple[int, int], colour: str
) -> Iterator[str]:
    step = (_SIDE - 20) / (len(curve) - 1)
    points = [
        (left + 10 + number * step, _y(time, *powers)) for number, time in enumerate(curve.values())
    ]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    yield f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
    yield from (
        _text(x, _TOP + _SIDE + 18, n, "middle") for (x, _), n in zip(points, curve, strict=True)
    )


def _y(time: float, low: int, high: int) -> float:
    return _TOP + _SIDE * (high - math.log10(time)) / (high - low)


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="#333">{text}</text>'
