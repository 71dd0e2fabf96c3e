"""Fixtures for all tests."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "quick", max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", settings.get_profile("quick"), max_examples=3000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real schemas and judged payloads beside the checkout."""
    folder = Path(__file__).parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("shared/ is not beside this checkout: skipped")
    return folder


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
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
