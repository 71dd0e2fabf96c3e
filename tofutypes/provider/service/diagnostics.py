"""Diagnostics: errors and warnings that a provider reports to the user of a configuration."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, Self

from tofutypes.errors import Path, TofuTypesError, first_of, one_line
from tofutypes.provider.service.paths import PathLike, to_path

NOWHERE: Final = Path()


class Severity(Enum):
    """How serious a diagnostic is. An error stops the operation."""

    ERROR = 1
    WARNING = 2


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """An error or a warning, with the path of an attribute if it concerns one.

        Diagnostic(Severity.WARNING, "The region is deprecated", path=parse_path("region"))

    Attributes:
        severity: An error or a warning.
        summary: What is wrong, in one line.
        detail: Why, and what to do.
        path: The attribute. The empty path stands for the whole configuration.
    """

    severity: Severity
    summary: str
    detail: str = ""
    path: Path = NOWHERE

    def __str__(self) -> str:
        where = f" ({self.path})" if self.path else ""
        detail = f": {self.detail}" if self.detail else ""
        text = f"{self.severity.name.lower()}: {self.summary}{where}{detail}"
        return "\n".join(map(one_line, text.split("\n")))  # a provider may say anything


class ProviderError(TofuTypesError):
    """An error that a provider reports to its user.

    The code of a provider raises it; a client raises it for the diagnostics that a provider sent.

        raise ProviderError("The name is taken", "Choose another name.", path="name")

    Args:
        summary: What is wrong, in one line.
        detail: Why, and what to do.
        path: The attribute it is about.

    Attributes:
        diagnostics: At least one error, and the warnings that came with the errors.
    """

    def __init__(self, summary: str, detail: str = "", path: PathLike = "") -> None:
        self.diagnostics: Sequence[Diagnostic] = (
            Diagnostic(Severity.ERROR, summary, detail, to_path(path)),
        )
        super().__init__(summary, detail, path)

    @classmethod
    def of(cls, diagnostics: Iterable[Diagnostic]) -> Self:
        """Make the exception for diagnostics, at least one of which is an error."""
        reported = tuple(diagnostics)
        first = next(each for each in reported if each.severity is Severity.ERROR)
        error = cls(first.summary, first.detail, first.path)
        error.diagnostics = reported
        return error

    def __str__(self) -> str:
        return "\n".join(first_of(self.diagnostics))

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return type(self).of, (self.diagnostics,)


class PluginError(TofuTypesError):
    """The provider failed to start, exited, timed out or violated the protocol."""
