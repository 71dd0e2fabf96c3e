"""Diagnostics and the answers of hooks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from typing import Final

from tofutypes.errors import Path, one_line
from tofutypes.narrowing import is_dict, is_list, is_mapping, is_python_set, is_sequence
from tofutypes.seasonings.protocol.paths import read_path
from tofutypes.seasonings.protocol.values import write_path

NOWHERE: Final = Path()


class Severity(Enum):
    """How serious a diagnostic is. An error stops the operation."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A message for the user, about a place in a value if it has a path.

    Attributes:
        severity: an error or a warning.
        summary: what is wrong, in one line.
        detail: why, and what to do.
        path: the attribute; empty if the diagnostic is about no single one.
    """

    severity: Severity
    summary: str
    detail: str = ""
    path: Path = NOWHERE

    def __str__(self) -> str:
        where = f" ({self.path})" if self.path else ""
        detail = f": {self.detail}" if self.detail else ""
        return one_line(f"{self.severity.value}: {self.summary}{where}{detail}")


def write_diagnostic(diagnostic: Diagnostic) -> dict[str, object]:
    """A diagnostic as a message holds it."""
    return {
        "severity": diagnostic.severity.value,
        "summary": diagnostic.summary,
        "detail": diagnostic.detail,
        "path": write_path(diagnostic.path),
    }


def read_diagnostics(value: object) -> list[Diagnostic]:
    """The diagnostics that a message held. What says no severity is an error."""
    return [
        Diagnostic(
            Severity.WARNING if entry.get("severity") == "warning" else Severity.ERROR,
            _text(entry.get("summary")) or "no summary",
            _lines(entry.get("detail")),
            read_path(entry.get("path")),
        )
        for entry in (value if is_list(value) else ())
        if is_dict(entry)
    ]


@dataclass(frozen=True, slots=True)
class HookResult:
    """What a hook answers.

    Attributes:
        diagnostics: errors, which fail the operation, and warnings.
        metadata: what later hooks get to see; None if nothing.
    """

    diagnostics: Sequence[Diagnostic] = ()
    metadata: object = field(default=None)

    @property
    def failed(self) -> bool:
        """Whether the operation fails."""
        return any(diagnostic.severity is Severity.ERROR for diagnostic in self.diagnostics)


def write_hook_result(result: HookResult) -> dict[str, object]:
    """The answer of a hook as a message holds it."""
    errors = [
        diagnostic.summary
        for diagnostic in result.diagnostics
        if diagnostic.severity is Severity.ERROR
    ]
    summaries = errors or [diagnostic.summary for diagnostic in result.diagnostics]
    status = "fail" if errors else "warning" if summaries else "success"
    return {
        "status": status,
        "message": "; ".join(summaries),
        "metadata": result.metadata,
        "diagnostics": list(map(write_diagnostic, result.diagnostics)),
    }


def read_hook_result(answer: object) -> HookResult:
    """The answer of a hook in any of its forms: with a status, or only warnings.

    Raises:
        ValueError: If it is none of them. The message says what is wrong.
    """
    if answer is None:
        return HookResult()
    if not is_dict(answer):
        raise ValueError("expected a map")
    diagnostics = read_diagnostics(answer.get("diagnostics"))
    warnings = answer.get("warnings")
    if is_list(warnings):
        diagnostics += [Diagnostic(Severity.WARNING, _text(warning)) for warning in warnings]
    status = answer.get("status", "success")
    message = _text(answer.get("message"))
    match status:
        case "success" | "pass" | None:
            pass
        case "warning":
            if not diagnostics:
                diagnostics = [Diagnostic(Severity.WARNING, message or "warning")]
        case "fail":
            if not any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics):
                diagnostics.append(Diagnostic(Severity.ERROR, message or "failed"))
        case _:
            raise ValueError('status: expected "success", "warning" or "fail"')
    return HookResult(diagnostics, answer.get("metadata"))


def _text(value: object) -> str:
    """A text on one line: what a plugin says must not control a terminal."""
    return one_line(value) if isinstance(value, str) else ""


def _lines(value: object) -> str:
    return "\n".join(map(one_line, value.split("\n"))) if isinstance(value, str) else ""


def plain_metadata(value: object) -> object:
    """Metadata in what MessagePack can carry.

    Numbers that are no integer become float, unknown values null, and all else its text.
    """
    from tofutypes.unknown import Unknown

    if is_mapping(value):
        return {str(key): plain_metadata(member) for key, member in value.items()}
    if is_sequence(value) or is_python_set(value):
        return list(map(plain_metadata, value))
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if value is None or isinstance(value, Unknown):
        return None
    return value if isinstance(value, bool | int | float | str | bytes) else str(value)
