"""Fixtures for all tests."""

import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same examples in every run: a test that fails does so because of a change.
settings.register_profile(
    "same",
    max_examples=100,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "search", settings.get_profile("same"), max_examples=3000, derandomize=False
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real schemas and judged payloads beside the checkout."""
    folder = Path(__file__).parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("shared/ is not beside this checkout: skipped")
    return folder


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell what was judged, and what was skipped."""
    _tell_judged(terminalreporter)
    _tell_skipped(terminalreporter)


def _tell_judged(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell how many judged cases of each kind ran, and by which way."""
    told = [
        (report.nodeid.rpartition("::")[2], recorded)
        for outcome in ("passed", "failed")
        for report in terminalreporter.stats.get(outcome, [])
        for name, recorded in report.user_properties
        if name == "conformance"
    ]
    if told:
        terminalreporter.section("conformance")
        for test, recorded in sorted(told):
            terminalreporter.line(f"{test}: {recorded}")


def _tell_skipped(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell why tests were skipped, one line for each reason."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", [])
    )
    if reasons:
        terminalreporter.section("skipped")
        for reason, count in reasons.most_common():
            terminalreporter.line(f"{count}: {reason}")
