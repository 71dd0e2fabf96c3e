"""A table that is printed line by line, and keeps its figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from statistics import median

WIDTH = 13


@dataclass
class Table:
    """Figures in rows and columns.

    Attributes:
        name: of what the rows are about.
        columns: their names, and how their figures look: `{:.1f}×`.
        rows: the figures.
    """

    name: str
    columns: Mapping[str, str]
    rows: dict[str, dict[str, float]] = field(default_factory=dict[str, dict[str, float]])

    def head(self) -> str:
        """The first line."""
        return f"{self.name:<24}" + "".join(f"{name:>{WIDTH}}" for name in self.columns)

    def row(self, name: str, *figures: float) -> str:
        """Keep the figures of a row; its line."""
        self.rows[name] = dict(zip(self.columns, figures, strict=True))
        return self._line(name, self.rows[name])

    def medians(self, *columns: str) -> Iterator[str]:
        """The lines of the medians and of the largest figures of some columns."""
        columns_of = {c: [row[c] for row in self.rows.values()] for c in columns}
        yield self._line("median", {c: median(figures) for c, figures in columns_of.items()})
        yield self._line("largest", {c: max(figures) for c, figures in columns_of.items()})

    def _line(self, name: str, figures: Mapping[str, float]) -> str:
        cells = [
            form.format(figures[column]) if column in figures else ""
            for column, form in self.columns.items()
        ]
        return f"{name:<24}" + "".join(f"{cell:>{WIDTH}}" for cell in cells)
