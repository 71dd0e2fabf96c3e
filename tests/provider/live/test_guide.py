"""The pages with commands work by copy and paste, from top to bottom, with every core."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.provider.live.terraform import PATIENCE, ROOT, Workspace

DOCS = ROOT / "docs"
PAGES = ("tutorial/provider.md", "how-to/package-a-provider.md")
BLOCK = re.compile(
    r"(?P<before>[^\n]*)\n```(?P<language>\w+)(?: title=\"(?P<title>[^\"]+)\")?\n"
    r"(?P<text>.*?)```(?:\n\n```text\n(?P<output>.*?)```)?",
    re.DOTALL,
)
MARK = "=== end of block"

PROGRAMS = {
    # In place of the package index: a virtual environment sees the packages of this one.
    "python3": f"""
'{sys.executable}' "$@"
if [ "$1 $2" = "-m venv" ]; then
    printf '%s\\n' '{Path(pytest.__file__).parents[1]}' '{ROOT}' > "$3/outer.pth"
    mv "$3/outer.pth" "$3"/lib/python*/site-packages/
fi
""",
}


def environment(workspace: Workspace) -> dict[str, str]:
    """Programs by the names that the page uses, none of which asks anybody or the network."""
    programs = workspace.folder / "programs"
    programs.mkdir()
    tofu = f'exec {shlex.join(workspace.core.command)} "$@"'
    search = shlex.quote(f"{ROOT}:{ROOT / 'codegen'}")
    tofutypes = f"PYTHONPATH={search} exec '{sys.executable}' -m tofutypes_codegen \"$@\""
    for name, text in {"tofu": tofu, "tofutypes": tofutypes, **PROGRAMS}.items():
        (programs / name).write_text(f"#!/bin/sh -e\n{text}\n")
        (programs / name).chmod(0o755)
    variables = workspace.environment(
        PATH=f"{programs}:/usr/bin:/bin",
        PYTHONDONTWRITEBYTECODE="1",
        TF_CLI_ARGS="-no-color",
        PYTEST_DEBUG_TEMPROOT=str(workspace.folder),
        PIP_NO_INDEX="1",
        PIP_NO_DEPS="1",
        PIP_NO_BUILD_ISOLATION="0",  # which means: without
        PIP_DISABLE_PIP_VERSION_CHECK="1",
    )
    del variables["TF_CLI_CONFIG_FILE"]  # the pages set it
    return variables


def script_of(blocks: list[re.Match[str]]) -> str:
    """A shell script that writes the files of a page and runs its commands, in their order."""
    lines = ["set -e"]
    for number, block in enumerate(blocks):
        if title := block["title"]:
            lines += [f'mkdir -p "$(dirname {title})"']
            lines += [f"cat > {title} <<'END OF FILE'\n{block['text']}END OF FILE"]
        elif block["language"] == "sh":
            # What is to be installed from a package index is there.
            lines += [
                re.sub(r"^pip install \"tofutypes.*", "true", block["text"], flags=re.MULTILINE)
            ]
        lines += [f"echo '{MARK} {number}'"]
    return "\n".join(lines)


def assert_has_lines(printed: str, expected: str) -> None:
    """Check that the printed lines hold the expected ones, in their order.

    OpenTofu leaves out its own registry in addresses, Terraform does not.
    """
    lines = iter(printed.replace("registry.opentofu.org/", "").splitlines())
    for line in expected.splitlines():
        assert any(line.strip() in each for each in lines), f"{line}\nis not in\n{printed}"


@pytest.mark.parametrize("name", PAGES)
def test_commands(name: str, workspace: Workspace) -> None:
    page = (DOCS / name).read_text()
    blocks = [b for b in BLOCK.finditer(page) if not b["before"].startswith("<!-- no-run")]
    result = subprocess.run(
        ["bash", "-c", script_of(blocks)],
        cwd=workspace.folder,
        env=environment(workspace),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=8 * PATIENCE,
    )
    assert result.returncode == 0, result.stdout
    printed = re.split(rf"{MARK} \d+\n", result.stdout)
    compared = 0
    for block, output in zip(blocks, printed, strict=False):
        if block["language"] == "sh" and block["output"]:
            assert_has_lines(output, block["output"])
            compared += 1
    assert compared > 0


def test_the_first_provider_is_the_example() -> None:
    text = (ROOT / "examples" / "first" / "provider.py").read_text()
    assert f'```python title="first.py"\n{text}```' in (DOCS / PAGES[0]).read_text()


def test_the_environment_matters(workspace: Workspace) -> None:
    """What the tutorial says of a provider that is started outside its virtual environment."""
    page = (DOCS / PAGES[0]).read_text()
    said = "Failed to read any lines from plugin's stdout"
    assert said in " ".join(page.split())
    workspace.configure("", "first")
    program = workspace.folder / "bin" / "terraform-provider-first"
    program.write_text(f"#!/bin/sh\nPYTHONPATH= exec '{sys.executable}' -S -c 'import tofutypes'\n")
    assert said in workspace.run("plan", PATH=os.defpath).said
