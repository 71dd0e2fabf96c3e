"""The wheel and the source archive, installed into empty environments, run the README."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
BLOCK = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)

LAUNCH = """
from tofutypes.provider.client import launch
from tofutypes import build_model

with launch("./terraform-provider-first") as provider:
    File = build_model(provider.schema.resources["first_file"], name="first_file")
    provider.apply(provider.plan(File(path="note.txt", text="hello")))
print(open("note.txt").read())
"""
"""Uses the provider of the README."""


def blocks(language: str) -> list[str]:
    return [body for name, body in BLOCK.findall(README) if name == language]


def build(target: str, folder: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "--target", target]
    subprocess.run([*command, "--directory", folder], cwd=ROOT, check=True, capture_output=True)
    [package] = folder.iterdir()
    return package


def test_the_source_archive_has_what_the_wheel_is_built_from(tmp_path: Path) -> None:
    with tarfile.open(build("sdist", tmp_path)) as archive:
        files = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "PKG-INFO", "CHANGELOG.md"} <= files
    assert {
        "tofutypes/py.typed",
        "codegen/tofutypes_codegen/py.typed",
        "tests/conftest.py",
    } <= files
    assert not [name for name in files if name.startswith((".venv", ".counterparts", "site/"))]


@pytest.mark.skipif(
    "TOFUTYPES_INSTALL" not in os.environ,
    reason="installs from a package index, which takes a minute: set TOFUTYPES_INSTALL=1 (CI does)",
)
@pytest.mark.parametrize("target", ["wheel", "sdist"])
def test_a_package_runs_the_readme_in_an_empty_environment(tmp_path: Path, target: str) -> None:
    (tmp_path / "dist").mkdir()
    package = build(target, tmp_path / "dist")
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True, timeout=120)
    scripts = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "TF_"))
    } | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    folder = tmp_path / "work"
    folder.mkdir()

    def run(*command: str) -> str:
        ran = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    install = [str(scripts / "python"), "-m", "pip", "install", "--quiet"]
    run(*install, f"{package}[codegen,provider]")
    shutil.copy(ROOT / "examples" / "nimbus" / "schema.json", folder / "schema.json")
    run(str(scripts / "tofutypes"), "generate", "schema.json", "--output", "infra")
    models, provider = blocks("python")
    assert run(str(scripts / "python"), "-c", models) == blocks("text")[0]
    program = folder / "terraform-provider-first"
    program.write_text(provider.replace("#!/usr/bin/env python3", f"#!{scripts / 'python'}"))
    program.chmod(0o755)
    assert run(str(scripts / "python"), "-c", LAUNCH) == "hello\n"
