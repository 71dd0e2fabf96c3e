"""What people install is what is in the checkout."""

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_wheel_holds_both_packages(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run([*build, "--directory", tmp_path], cwd=ROOT, check=True, capture_output=True)
    [wheel] = tmp_path.glob("*.whl")

    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    sources = {
        path.relative_to(source).as_posix()
        for source, package in ((ROOT, "tofutypes"), (ROOT / "codegen", "tofutypes_codegen"))
        for path in (source / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert packed == sources
    assert {"tofutypes/py.typed", "tofutypes_codegen/py.typed"} <= packed
