"""Folders of processes that end, and of processes that are killed."""

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.provider.transport.folders import (
    CLIENT_PREFIX,
    SERVER_PREFIX,
    private_folder,
    remove_abandoned_folders,
)

ROOT = Path(__file__).parents[3]

HOLDER = """
from tofutypes.provider.transport.folders import *
with private_folder({prefix!r}, {parent!r}) as folder:
    print(folder, flush=True)
    input()
"""


@pytest.fixture
def umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.parametrize("mask", [0, 0o002, 0o077, 0o777])
@pytest.mark.usefixtures("umask")
def test_only_the_user_can_enter(tmp_path: Path, mask: int) -> None:
    tmp_path.chmod(0o2775)
    os.umask(mask)
    with private_folder(CLIENT_PREFIX, str(tmp_path)) as folder:
        assert stat.S_IMODE(folder.stat().st_mode) & 0o777 == 0o700
        (folder / "file").touch()
    assert list(tmp_path.iterdir()) == []


def test_nowhere_to_create_a_folder() -> None:
    with (
        pytest.raises(PluginError, match=r"^/no/such: cannot create a folder: No such file or"),
        private_folder(CLIENT_PREFIX, "/no/such"),
    ):
        pass


def held(parent: Path, prefix: str) -> tuple[subprocess.Popen[str], Path]:
    """A process that holds a folder, and the folder."""
    program = HOLDER.format(prefix=prefix, parent=str(parent))
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


@pytest.mark.parametrize("prefix", [CLIENT_PREFIX, SERVER_PREFIX])
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGQUIT])
def test_folders_of_killed_processes_are_removed(
    tmp_path: Path, prefix: str, sent: signal.Signals
) -> None:
    process, folder = held(tmp_path, prefix)
    with process:
        remove_abandoned_folders(str(tmp_path))
        assert folder.exists()  # its process runs
        process.send_signal(sent)
        process.wait(60)
        assert folder.exists()
    remove_abandoned_folders(str(tmp_path))
    assert not folder.exists()


def test_folders_of_others_are_left_alone(tmp_path: Path) -> None:
    for name in ("plugin-dir123", "tofutypes-mine", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").touch()
    # Locked by nobody, but behind a link, or not a file.
    (tmp_path / "other" / ".tofutypes.lock").touch()
    (tmp_path / "plugin-link").symlink_to(tmp_path / "other")
    (tmp_path / "tofutypes-mine" / ".tofutypes.lock").symlink_to(tmp_path / "plugin-dir123")
    (tmp_path / "plugin-dir123" / ".tofutypes.lock").mkdir()
    (tmp_path / "plugin-file").touch()
    before = sorted(tmp_path.rglob("*"))
    remove_abandoned_folders(str(tmp_path))
    assert sorted(tmp_path.rglob("*")) == before


def test_folders_that_are_just_made_are_left_alone(tmp_path: Path) -> None:
    """Many processes start at once; none removes the folder of another."""
    program = f"""
from tofutypes.provider.transport.folders import *
for _ in range(100):
    with private_folder({CLIENT_PREFIX!r}, {str(tmp_path)!r}) as folder:
        remove_abandoned_folders({str(tmp_path)!r})
        assert (folder / ".tofutypes.lock").exists()
"""
    started = [subprocess.Popen([sys.executable, "-c", program], cwd=ROOT) for _ in range(3)]
    assert [process.wait(60) for process in started] == [0, 0, 0]
    assert list(tmp_path.iterdir()) == []
