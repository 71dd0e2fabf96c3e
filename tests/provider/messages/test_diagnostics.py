import pickle

import pytest

from tofutypes.errors import AttributeStep, Path
from tofutypes.provider.messages.diagnostics import (
    Diagnostic,
    PluginError,
    ProviderError,
    Severity,
)
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6

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
    message = tfplugin6.Diagnostic.FromString(diagnostic.to_message().SerializeToString())
    assert Diagnostic.of_message(message) == diagnostic
    assert str(diagnostic) == text


def test_no_path_is_no_message() -> None:
    assert not WARNING.to_message().HasField("attribute")


@pytest.mark.parametrize("severity", [0, 9])
def test_severities_that_are_none_are_warnings(severity: int) -> None:
    message = tfplugin6.Diagnostic(summary="x")
    message.severity = severity  # type: ignore[assignment]
    assert Diagnostic.of_message(message).severity is Severity.WARNING


def test_errors() -> None:
    raised = ProviderError("Too small", "At least 10.", "size")
    assert raised.diagnostics == (ERROR,)
    assert str(raised) == str(ERROR)


def test_errors_of_several() -> None:
    raised = ProviderError.of([WARNING, ERROR])
    assert raised.diagnostics == (WARNING, ERROR)
    assert str(raised) == f"{WARNING}\n{ERROR}"
    for error in (raised, PluginError("gone")):
        copied = pickle.loads(pickle.dumps(error))
        assert (type(copied), str(copied)) == (type(error), str(error))


def test_errors_of_very_many() -> None:
    lines = str(ProviderError.of([ERROR] * 1234)).splitlines()
    assert (len(lines), lines[0], lines[-1]) == (51, str(ERROR), "and 1,184 more")
