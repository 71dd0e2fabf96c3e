import pickle

from tofutypes.errors import AttributeStep, Path
from tofutypes.provider.service.diagnostics import Diagnostic, PluginError, ProviderError, Severity

SIZE = Path((AttributeStep("size"),))
ERROR = Diagnostic(Severity.ERROR, "Too small", "At least 10.", SIZE)
WARNING = Diagnostic(Severity.WARNING, "Old")


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
