"""What is left when writing a package fails, is interrupted, or is not alone."""

import errno
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.codegen.fake_renderer import FakeModule, module
from tests.codegen.folders import OURS, TREE, put, tree
from tofutypes_codegen import staging
from tofutypes_codegen.errors import GeneratorError
from tofutypes_codegen.output import write


class Broken:
    """Fails in one of the calls of a function."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, call: int, error: BaseException) -> None:
        self.calls = 0
        genuine = Path.replace

        def replace(path: Path, to: str | Path) -> Path:
            self.calls += 1
            if self.calls == call:
                raise error
            return genuine(path, to)

        monkeypatch.setattr(Path, "replace", replace)


NEXT = [
    module("__init__.py", "new"),
    module("aws/disk.py", "new"),
    module("null/deep/er/x.py"),
    module("z.py"),
]


@pytest.mark.parametrize("call", [1, 2, 3, 4])
@pytest.mark.parametrize("links", [True, False])
def test_a_failure_half_way_changes_nothing(
    infra: Path, monkeypatch: pytest.MonkeyPatch, call: int, links: bool
) -> None:
    if not links:

        def link(*_: object) -> None:
            raise OSError(errno.EPERM, "no links here")

        monkeypatch.setattr(os, "link", link)
    before = tree(infra.parent)
    Broken(monkeypatch, call, PermissionError(errno.EACCES, "Permission denied"))
    with pytest.raises(GeneratorError) as refused:
        write(infra, NEXT)
    assert str(refused.value) == (
        f"{infra}: cannot write the package: Permission denied; nothing was changed"
    )
    assert tree(infra.parent) == before
    assert not (infra / "null").exists()


def test_a_failure_while_removing_changes_nothing(
    infra: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(infra, {"y.py": OURS, "z.py": OURS})
    before = tree(infra.parent)
    genuine = Path.rename

    def rename(path: Path, to: str | Path) -> Path:
        if path.name == "z.py":
            raise KeyboardInterrupt
        return genuine(path, to)

    monkeypatch.setattr(Path, "rename", rename)
    with pytest.raises(KeyboardInterrupt):
        write(infra, TREE)
    assert tree(infra.parent) == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_while_files_are_moved_has_to_wait(
    infra: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    """It does not leave a mixture, nor a temporary folder."""
    genuine = Path.replace

    def replace(path: Path, to: str | Path) -> Path:
        signal.raise_signal(number)
        return genuine(path, to)

    def terminate(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", replace)
    before = signal.signal(signal.SIGTERM, terminate)
    try:
        with pytest.raises(KeyboardInterrupt):
            write(infra, NEXT)
        assert signal.getsignal(signal.SIGTERM) is terminate
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGTERM, before)
    assert set(tree(infra)) == {str(file.path) for file in NEXT} | {"py.typed"}


@pytest.mark.parametrize("there", [True, False])
def test_a_failure_while_rendering_changes_nothing(tmp_path: Path, there: bool) -> None:
    infra = tmp_path / "new" / "infra"
    if there:
        write(infra, TREE)
    before = tree(tmp_path)

    def files() -> Iterator[FakeModule]:
        yield from NEXT
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write(infra, files())
    assert tree(tmp_path) == before
    assert (tmp_path / "new").exists() == there


def test_a_full_disk(infra: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = tree(infra.parent)

    def keep(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(staging.Staging, "keep", keep)
    with pytest.raises(GeneratorError, match="No space left on device; nothing was changed"):
        write(infra, NEXT)
    assert tree(infra.parent) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere: skipped")
def test_a_folder_that_is_not_writable(infra: Path) -> None:
    infra.chmod(0o500)
    try:
        with pytest.raises(GeneratorError, match="Permission denied; nothing was changed"):
            write(infra, NEXT)
    finally:
        infra.chmod(0o700)


def test_what_a_killed_run_left_is_removed(infra: Path) -> None:
    left = infra / ".infra.tofutypes-abc"
    (left / "new").mkdir(parents=True)
    (left / ".tofutypes").touch()
    empty = infra / ".infra.tofutypes-def"
    empty.mkdir()
    write(infra, TREE)
    assert not left.exists()
    assert not empty.exists()


def test_folders_without_the_marker_stay(infra: Path, tmp_path: Path) -> None:
    other = infra / ".infra.tofutypes-abc"
    other.mkdir()
    (other / "notes").touch()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / ".tofutypes").touch()
    link = infra / ".infra.tofutypes-link"
    link.symlink_to(tmp_path / "elsewhere")
    write(infra, TREE)
    assert (other / "notes").exists()
    assert link.is_symlink()
    assert (tmp_path / "elsewhere" / ".tofutypes").exists()


def test_two_runs_at_once(infra: Path) -> None:
    """The second waits until the first is done, and works on what that has written."""
    order: list[str] = []
    waits = threading.Event()

    def second() -> None:
        write(infra, [module("__init__.py", "second")], waits.set)
        order.append("second")

    def files() -> Iterator[FakeModule]:
        yield module("__init__.py", "first")
        other.start()
        assert waits.wait(10)
        order.append("first")
        yield module("first.py")

    other = threading.Thread(target=second)
    write(infra, files())
    other.join(10)
    assert order == ["first", "second"]
    assert tree(infra.parent) == {"infra/__init__.py": OURS + "second", "infra/py.typed": ""}
