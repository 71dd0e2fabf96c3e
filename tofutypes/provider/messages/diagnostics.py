"""Diagnostics: what a provider tells the user of a configuration."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, Self

from tofutypes.errors import Path, TofuTypesError, first_of, one_line
from tofutypes.provider.messages.paths import (
    PathLike,
    path_of_message,
    path_to_message,
    to_path,
)
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6

NOWHERE: Final = Path()


class Severity(Enum):
    """How serious a diagnostic is. An error stops the operation."""

    ERROR = tfplugin6.Diagnostic.ERROR
    WARNING = tfplugin6.Diagnostic.WARNING


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A message to the user, about a place in a value if it has a path (protocol: `Diagnostic`).

    Attributes:
        severity: an error or a warning.
        summary: what is wrong, in one line.
        detail: why, and what to do.
        path: the attribute it is about; empty if it is about no single one.
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

    def to_message(self) -> tfplugin6.Diagnostic:
        """The diagnostic as the protocol carries it."""
        return tfplugin6.Diagnostic(
            severity=self.severity.value,
            summary=sendable(self.summary),
            detail=sendable(self.detail),
            attribute=path_to_message(self.path) if self.path else None,
        )

    @classmethod
    def of_message(cls, message: tfplugin6.Diagnostic) -> Diagnostic:
        """The diagnostic that the protocol carried. What says no severity is a warning."""
        error = message.severity == tfplugin6.Diagnostic.ERROR
        return cls(
            Severity.ERROR if error else Severity.WARNING,
            message.summary,
            message.detail,
            path_of_message(message.attribute),
        )


def sendable(given: object) -> str:
    """What can be sent, whatever was given: an exception, a file name that is not UTF-8."""
    return str(given).encode("utf-8", "backslashreplace").decode()


class ProviderError(TofuTypesError):
    """What a provider refuses: raised by the code of a provider, and to who called one.

    Args:
        summary: what is wrong, in one line.
        detail: why, and what to do.
        path: the attribute it is about.

    Attributes:
        diagnostics: the errors, at least one, and the warnings that came with them.
    """

    def __init__(self, summary: str, detail: str = "", path: PathLike = "") -> None:
        self.diagnostics: Sequence[Diagnostic] = (
            Diagnostic(Severity.ERROR, summary, detail, to_path(path)),
        )
        super().__init__(summary, detail, path)

    @classmethod
    def of(cls, diagnostics: Iterable[Diagnostic]) -> Self:
        """The error that stands for these diagnostics, of which one is an error."""
        given = tuple(diagnostics)
        first = next(each for each in given if each.severity is Severity.ERROR)
        made = cls(first.summary, first.detail, first.path)
        made.diagnostics = given
        return made

    def __str__(self) -> str:
        return "\n".join(first_of(self.diagnostics))

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return type(self).of, (self.diagnostics,)


class PluginError(TofuTypesError):
    """A provider that cannot be talked to: it does not start, ends, is silent, or speaks amiss."""
