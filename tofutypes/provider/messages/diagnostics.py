"""Diagnostics as the protocol carries them."""

from __future__ import annotations

from tofutypes.provider.messages.paths import path_of_message, path_to_message
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6
from tofutypes.provider.service.diagnostics import Diagnostic, Severity


def diagnostic_to_message(diagnostic: Diagnostic) -> tfplugin6.Diagnostic:
    """Convert a diagnostic to its message."""
    return tfplugin6.Diagnostic(
        severity=tfplugin6.Diagnostic.Severity.Name(diagnostic.severity.value),
        summary=sendable(diagnostic.summary),
        detail=sendable(diagnostic.detail),
        attribute=path_to_message(diagnostic.path) if diagnostic.path else None,
    )


def diagnostic_of_message(message: tfplugin6.Diagnostic) -> Diagnostic:
    """Convert a message to a diagnostic. A message without a severity is a warning."""
    error = message.severity == tfplugin6.Diagnostic.ERROR
    return Diagnostic(
        Severity.ERROR if error else Severity.WARNING,
        message.summary,
        message.detail,
        path_of_message(message.attribute),
    )


def sendable(text: object) -> str:
    """Return any object's text as valid UTF-8: an exception, a file name with stray bytes."""
    return str(text).encode("utf-8", "backslashreplace").decode()
