"""Fixtures for all tests."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real schemas and judged payloads beside the checkout."""
    folder = Path(__file__).parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("shared/ is not beside this checkout: skipped")
    return folder
