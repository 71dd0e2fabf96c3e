"""What OpenTofu and Terraform say is wrong, with the place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from tofutypes.errors import TofuTypesError, one_line
from tofutypes.narrowing import is_dict, is_list

# Observed, Terraform 1.11.4: a diagnostic is framed and coloured, also when nobody sees it.
_DRESS: Final = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|[╷│╵]")
_PLACE: Final = re.compile(r"on (?P<file>.+?) line (?P<line>[0-9]+)(?:, in (?P<context>.*?))?:?$")
_LONGEST: Final = 300


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing that is wrong, or worth a warning.

    Attributes:
        severity: `error` or `warning`.
        summary: what it is, in one line.
        detail: what else there is to say; may have several lines.
        address: the resource that it is about, if it is about one.
        file: the file of the configuration, if it is about a place in one.
        line: the line there, from 1.
        context: the block there, `resource "aws_instance" "web"`.
    """

    severity: str
    summary: str
    detail: str = ""
    address: str | None = None
    file: str | None = None
    line: int | None = None
    context: str | None = None

    @property
    def is_error(self) -> bool:
        """Whether it is an error, and not a warning."""
        return self.severity == "error"

    def __str__(self) -> str:
        place = "" if self.file is None else f"{self.file}:{self.line}: "
        about = "" if self.address is None else f"{self.address}: "
        detail = " ".join(self.detail.split())
        if len(detail) > _LONGEST:
            detail = f"{detail[:_LONGEST]}…"
        return one_line(f"{place}{about}{self.summary}{f': {detail}' if detail else ''}")


class RunError(TofuTypesError):
    """A run of OpenTofu or Terraform that failed.

    Attributes:
        command: what was run, `tofu plan`.
        diagnostics: what it said, the errors first.
    """

    def __init__(self, command: str, diagnostics: Sequence[Diagnostic], reason: str = "") -> None:
        self.command: Final = command
        self.diagnostics: Final = tuple(
            sorted(diagnostics, key=lambda diagnostic: not diagnostic.is_error)
        )
        self._reason: Final = reason
        errors = [str(diagnostic) for diagnostic in self.diagnostics if diagnostic.is_error]
        super().__init__(f"`{command}` failed: {'; '.join(errors) or reason or 'no reason given'}")

    def __reduce__(self) -> tuple[type[RunError], tuple[str, tuple[Diagnostic, ...], str]]:
        return type(self), (self.command, self.diagnostics, self._reason)


def read_diagnostic(json: object) -> Diagnostic | None:
    """A diagnostic as `-json` prints it; None if it is none."""
    if not is_dict(json):
        return None
    place: Any = json.get("range")
    start = place.get("start") if is_dict(place) else None
    line = start.get("line") if is_dict(start) else None
    snippet = json.get("snippet")
    return Diagnostic(
        severity=_text(json.get("severity")) or "error",
        summary=_text(json.get("summary")) or "",
        detail=_text(json.get("detail")) or "",
        address=_text(json.get("address")),
        file=_text(place.get("filename")) if is_dict(place) else None,
        line=line if isinstance(line, int) else None,
        context=_text(snippet.get("context")) if is_dict(snippet) else None,
    )


def read_diagnostics(json: object) -> list[Diagnostic]:
    """The diagnostics of a list of them."""
    diagnostics = map(read_diagnostic, json) if is_list(json) else ()
    return [diagnostic for diagnostic in diagnostics if diagnostic is not None]


def diagnostics_in_text(printed: bytes) -> list[Diagnostic]:
    """The diagnostics that a command without `-json` prints to people."""
    lines = [line.strip() for line in undressed(printed).splitlines()]
    starts = [n for n, line in enumerate(lines) if line.startswith(("Error: ", "Warning: "))]
    diagnostics: list[Diagnostic] = []
    for start, end in pairwise([*starts, len(lines)]):
        severity, _, summary = lines[start].partition(": ")
        body = [line for line in lines[start + 1 : end] if line]
        place = _PLACE.match(body[0]) if body else None
        diagnostics.append(
            Diagnostic(
                severity.lower(),
                summary,
                "\n".join(body[1:] if place else body),
                file=place["file"] if place else None,
                line=int(place["line"]) if place else None,
                context=place["context"] if place else None,
            )
        )
    return diagnostics


def undressed(printed: bytes) -> str:
    """The text that a command printed, without frames and colours."""
    return _DRESS.sub("", printed.decode("utf-8", "replace"))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
