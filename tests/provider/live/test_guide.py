"""The commands of the guide to providers do what the page says, from top to bottom."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.provider.live.terraform import PATIENCE, ROOT, Workspace

PAGE = (ROOT / "docs" / "guide" / "provider.md").read_text()
BLOCK = re.compile(r"(?P<before>[^\n]*)\n```(?P<head>[^\n]*)\n(?P<text>.*?)```", re.DOTALL)
TITLE = re.compile(r'title="(?P<name>[^"]+)"')
HOME = "/home/me"

PROGRAMS = {
    "python3": f"exec '{sys.executable}' \"$@\"",
    "mypy": "",  # the tests of the documentation run it
    "pip": "",  # tofutypes is there
}

PLACES = {"pyproject.toml": "harbor/pyproject.toml", "__main__.py": "harbor/harbor/__main__.py"}


def environment(workspace: Workspace) -> dict[str, str]:
    """Programs by the names that the page uses, none of which asks anybody or the network."""
    programs = workspace.folder / "programs"
    programs.mkdir()
    tofu = f'exec {shlex.join(workspace.core.command)} "$@"'
    for name, text in {"tofu": tofu, **PROGRAMS}.items():
        (programs / name).write_text(f"#!/bin/sh\n{text}\n")
        (programs / name).chmod(0o755)
    return workspace.environment(
        PATH=f"{programs}:/usr/bin:/bin",
        PYTHONPATH=str(ROOT),
        PYTHONDONTWRITEBYTECODE="1",
        TF_CLI_CONFIG_FILE=str(workspace.folder / ".tofurc"),
        TF_CLI_ARGS="-no-color",
        TF_CLI_ARGS_apply="-auto-approve",
        TF_CLI_ARGS_destroy="-auto-approve",
        PIP_NO_INDEX="1",
        PIP_NO_DEPS="1",
        PIP_NO_BUILD_ISOLATION="0",  # which means: without
        PIP_DISABLE_PIP_VERSION_CHECK="1",
    )


def let_environment_see(venv: Path) -> None:
    """What `pip install` would have put there: the packages of this environment."""
    (found,) = venv.glob("lib/python*/site-packages")
    here = Path(pytest.__file__).parents[1]
    (found / "outer.pth").write_text(f"{here}\n{ROOT}\n")


def run(command: str, folder: Path, variables: dict[str, str]) -> str:
    ran = subprocess.run(
        ["/bin/sh", "-ec", command.replace(HOME, str(folder))],
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=4 * PATIENCE,
    )
    assert ran.returncode == 0, f"{command}\n{ran.stdout}\n{ran.stderr}"
    return ran.stdout


def test_commands(workspace: Workspace) -> None:
    folder = workspace.folder
    variables = environment(workspace)
    shutil.copytree(
        ROOT / "examples" / "harbor" / "harbor",
        folder / "harbor" / "harbor",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    said: dict[str, str] = {}
    for block in BLOCK.finditer(PAGE):
        if block["before"].startswith("<!-- no-run"):
            continue
        if title := TITLE.search(block["head"]):
            name = PLACES.get(title["name"], title["name"])
            workspace.write({name: block["text"].replace(HOME, str(folder))})
        elif block["head"] == "sh":
            for command in block["text"].splitlines():
                said[command] = said.get(command, "") + run(command, folder, variables)
                if command.endswith("-m venv venv"):
                    let_environment_see(folder / "venv")
    assert "1 added" in said["tofu apply"]
    assert "Destroy complete! Resources: 1 destroyed" in said["tofu destroy"]
    assert "example/harbor v1.0.0" in said["tofu init"]
    assert [each["type"] for each in workspace.state["resources"]] == ["harbor_ship"]
    assert not (folder / "note.txt").exists()


def test_the_first_provider_is_the_example() -> None:
    text = (ROOT / "examples" / "first" / "provider.py").read_text()
    assert f'```python title="terraform-provider-first"\n{text}```' in PAGE
