"""What a check found, as a plugin author can act on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from tofutypes.errors import one_line


class Status(Enum):
    """How a check ended; the value is what the report prints."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "FAILED"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report.

    Attributes:
        status: how the check ended.
        check: what was checked: `storage/write`.
        message: what was found.
        advice: what to do.
    """

    status: Status
    check: str
    message: str = ""
    advice: str = ""

    def lines(self) -> Iterator[str]:
        """The finding for people."""
        message = f": {one_line(self.message)}" if self.message else ""
        yield f"{self.status.value:<8}{self.check}{message}"
        if self.advice:
            yield f"{'':<8}→ {self.advice}"


@dataclass
class Report:
    """All findings of one plugin."""

    findings: list[Finding] = field(default_factory=list[Finding])

    def ok(self, check: str, message: str = "") -> None:
        """Note that a check succeeded."""
        self.findings.append(Finding(Status.OK, check, message))

    def warn(self, check: str, message: str, advice: str = "") -> None:
        """Note what the protocol allows, but what some hosts cannot use."""
        self.findings.append(Finding(Status.WARNING, check, message, advice))

    def fail(self, check: str, message: str, advice: str = "") -> None:
        """Note a violation of the protocol."""
        self.findings.append(Finding(Status.FAILED, check, message, advice))

    @property
    def failed(self) -> bool:
        """Whether a check failed."""
        return any(finding.status is Status.FAILED for finding in self.findings)

    def lines(self) -> Iterator[str]:
        """The report for people."""
        for finding in self.findings:
            yield from finding.lines()
        counts = Counter(finding.status for finding in self.findings)
        yield (
            f"{len(self.findings)} checks: {counts[Status.OK]} ok, "
            f"{counts[Status.WARNING]} warnings, {counts[Status.FAILED]} failed"
        )
