"""Fixtures for tests with the cores of Terraform and OpenTofu."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.counterparts.cores import CORES, Core, need_core
from tests.provider.live.terraform import Workspace, wait_for


@pytest.fixture(params=CORES, ids=str)
def core(request: pytest.FixtureRequest) -> Core:
    """Each core that is there."""
    core: Core = request.param
    need_core(core)
    return core


@pytest.fixture
def workspace(tmp_path: Path, core: Core) -> Iterator[Workspace]:
    """A folder for a configuration; in the end no process and no temporary file may be left."""
    if sys.platform != "linux":
        pytest.skip("looks for processes in /proc: skipped")
    # The path of a socket must not be long, as those of `tmp_path` are.
    temporary = Path(tempfile.mkdtemp(prefix="live-"))
    made = Workspace(tmp_path / "here", temporary, core)
    made.prepare()
    try:
        yield made
        wait_for("providers are still running", lambda: not made.processes)
        assert not list(temporary.rglob("*")), "temporary files are left"
    finally:
        made.clear()
        shutil.rmtree(temporary)
