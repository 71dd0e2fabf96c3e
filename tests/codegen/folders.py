"""What tests of the output have in common."""

from pathlib import Path, PurePosixPath

from tests.codegen.fake_renderer import module
from tofutypes.models.labels import MARKER

OURS = f"{MARKER}.\n"
TREE = [module("__init__.py"), module("aws/__init__.py"), module("aws/disk.py", "a = 1\n")]


def tree(folder: Path) -> dict[str, str]:
    """Every file below a folder, hidden ones too."""
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def put(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def paths(*names: str) -> list[PurePosixPath]:
    return [PurePosixPath(name) for name in names]
