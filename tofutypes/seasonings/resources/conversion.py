"""What the provider service and the messages of Seasonings have in common, both ways."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tofutypes.narrowing import is_list
from tofutypes.provider.service.deferral import DeferredReason
from tofutypes.provider.service.diagnostics import Diagnostic, Severity
from tofutypes.provider.service.wire_value import NULL, WireValue
from tofutypes.seasonings.errors import CallError, ErrorCode
from tofutypes.seasonings.protocol import diagnostics as seasonings
from tofutypes.seasonings.protocol.diagnostics import read_diagnostics, write_diagnostic
from tofutypes.seasonings.protocol.values import of_inline, to_inline

_SEVERITIES = (
    (Severity.ERROR, seasonings.Severity.ERROR),
    (Severity.WARNING, seasonings.Severity.WARNING),
)


def write_value(value: WireValue | None) -> object:
    """A value as a message holds it. Handlers and Terraform Core write MessagePack."""
    if value is None or value.is_null:
        return None
    if not value.msgpack:
        raise CallError(ErrorCode.INTERNAL, "expected a value in MessagePack, got JSON")
    inline: object = to_inline(value.msgpack)
    return inline


def read_value(value: object) -> WireValue:
    """A value that a message held."""
    return NULL if value is None else WireValue(of_inline(value))


def write_diagnostics(diagnostics: Iterable[Diagnostic]) -> list[object]:
    """Diagnostics as a message holds them."""
    severities = dict(_SEVERITIES)
    return [
        write_diagnostic(
            seasonings.Diagnostic(
                severities[diagnostic.severity],
                diagnostic.summary,
                diagnostic.detail,
                diagnostic.path,
            )
        )
        for diagnostic in diagnostics
    ]


def diagnostics_of(answer: Mapping[str, object]) -> tuple[Diagnostic, ...]:
    """The diagnostics in an answer."""
    severities = {theirs: ours for ours, theirs in _SEVERITIES}
    return tuple(
        Diagnostic(
            severities[diagnostic.severity],
            diagnostic.summary,
            diagnostic.detail,
            diagnostic.path,
        )
        for diagnostic in read_diagnostics(answer.get("diagnostics"))
    )


def write_deferred(reason: DeferredReason | None) -> str | None:
    """Why a call is deferred, as a message holds it."""
    return None if reason is None else reason.name.lower()


def read_deferred(value: object) -> DeferredReason | None:
    """Why a call is deferred, if it is."""
    if not isinstance(value, str):
        return None
    return DeferredReason.__members__.get(value.upper(), DeferredReason.ABSENT_PREREQUISITE)


def read_bytes(value: object) -> bytes:
    """Private state, which may be missing."""
    if isinstance(value, str):
        return value.encode()
    return value if isinstance(value, bytes) else b""


def read_list(value: object) -> list[object]:
    """A list, which may be missing."""
    return value if is_list(value) else []
