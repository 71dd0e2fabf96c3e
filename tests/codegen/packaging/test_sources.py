"""Packages that use `tofutypes` keep their sources in a packaged program."""

import py_compile
import subprocess
import sys
from pathlib import Path

import pytest

from tests.codegen.command import files
from tofutypes_codegen.packaging.sources import add_sources

CACHE = f"__pycache__/{{}}.{sys.implementation.cache_tag}.pyc"


def pack(source: Path, contents: Path, *modules: str) -> None:
    """Put bytecode without sources where PyInstaller puts it."""
    for module in modules:
        packed = contents / f"{module}c"
        py_compile.compile(str(source / module), cfile=str(packed), doraise=True)


@pytest.fixture
def contents(tmp_path: Path) -> Path:
    """A packaged program: a package and a module use `tofutypes`, another package does not."""
    source, contents = tmp_path / "source", tmp_path / "contents"
    texts = {
        "cloud/__init__.py": "",
        "cloud/base.py": "value = 1\n",
        "cloud/models.py": "try:\n    from tofutypes import Attr\nexcept ImportError:\n    pass\n",
        "single.py": "import tofutypes.provider\n",
        "other/__init__.py": "# import tofutypes\n",
    }
    for name, text in texts.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text)
    contents.mkdir()
    (contents / "library.so").touch()
    pack(source, contents, *texts)
    pack(source, contents / "unknown", "single.py")
    add_sources(contents, [str(source)])
    return contents


def test_which_packages_keep_their_sources(contents: Path) -> None:
    assert files(contents) == {
        "library.so",
        "cloud/__init__.py",
        "cloud/base.py",
        "cloud/models.py",
        "cloud/" + CACHE.format("__init__"),
        "cloud/" + CACHE.format("base"),
        "cloud/" + CACHE.format("models"),
        "single.py",
        CACHE.format("single"),
        "other/__init__.pyc",
        "unknown/single.pyc",
    }


def test_bytecode_is_used_as_it_is(contents: Path) -> None:
    """Whatever the time of the source says, nothing is compiled or written."""
    (contents / "cloud" / "base.py").write_text("value = 2\n")
    before = files(contents)
    program = "import cloud.base as base; print(base.value, base.__file__)"
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, cwd=contents, capture_output=True, text=True, check=True)
    assert ran.stdout == f"1 {contents / 'cloud' / 'base.py'}\n"
    assert files(contents) == before
