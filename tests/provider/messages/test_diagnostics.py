import pytest

from tofutypes.errors import AttributeStep, Path
from tofutypes.provider.messages.diagnostics import diagnostic_of_message, diagnostic_to_message
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6
from tofutypes.provider.service.diagnostics import Diagnostic, Severity

SIZE = Path((AttributeStep("size"),))
ERROR = Diagnostic(Severity.ERROR, "Too small", "At least 10.", SIZE)
WARNING = Diagnostic(Severity.WARNING, "Old")


@pytest.mark.parametrize(
    ("diagnostic", "text"),
    [
        (ERROR, "error: Too small (size): At least 10."),
        (WARNING, "warning: Old"),
        (Diagnostic(Severity.WARNING, "Old", path=SIZE), "warning: Old (size)"),
        (Diagnostic(Severity.ERROR, "\x1b[31m", "a\nb\u202e"), "error: \\x1b[31m: a\nb\\u202e"),
    ],
)
def test_diagnostics(diagnostic: Diagnostic, text: str) -> None:
    message = tfplugin6.Diagnostic.FromString(diagnostic_to_message(diagnostic).SerializeToString())
    assert diagnostic_of_message(message) == diagnostic
    assert str(diagnostic) == text


def test_no_path_is_no_message() -> None:
    assert not diagnostic_to_message(WARNING).HasField("attribute")


@pytest.mark.parametrize("severity", [0, 9])
def test_severities_that_are_none_are_warnings(severity: int) -> None:
    message = tfplugin6.Diagnostic(summary="x")
    message.severity = severity  # type: ignore[assignment]
    assert diagnostic_of_message(message).severity is Severity.WARNING
