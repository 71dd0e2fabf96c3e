"""The program of a provider, as `pyproject.toml` names it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tofutypes_codegen.errors import GeneratorError
from tofutypes_codegen.packaging.program import find_program, read_project

PROJECT = """
[project]
name = "cloud-tools"
version = "1.2.0"

[project.scripts]
cloud-cli = "cloud.cli:main"
terraform-provider-cloud = "cloud.__main__:main"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    return tmp_path


def test_the_script_of_the_provider_is_the_default(folder: Path) -> None:
    program = find_program(read_project(folder), None)
    assert (program.label, program.module, program.function, program.top_level) == (
        "terraform-provider-cloud",
        "cloud.__main__",
        "main",
        "cloud",
    )


def test_another_script_and_a_file(folder: Path) -> None:
    project = read_project(folder)
    assert find_program(project, "cloud-cli").module == "cloud.cli"
    Path("provider.py").touch()
    program = find_program(project, "provider.py")
    assert (program.file, program.module, program.top_level) == (Path("provider.py"), "", "")


@pytest.mark.parametrize(
    ("text", "named", "message"),
    [
        (None, None, "pyproject.toml: no such file; name the program of the provider"),
        (PROJECT, "missing.py", "missing.py: neither a Python file nor a script of pyproject.toml"),
        ("[project]\nname = 'x'", None, "[project.scripts] has no script terraform-provider-NAME"),
        (f"{PROJECT}terraform-provider-b = 'b:main'", None, "several providers (terraform-"),
        ("[project]\nname = ", None, "pyproject.toml: not valid TOML: "),
        (
            "[project]\nname = 'x'\nscripts.terraform-provider-x = 'x'",
            None,
            "pyproject.toml: project.scripts.terraform-provider-x: expected MODULE:FUNCTION",
        ),
    ],
)
def test_programs_that_are_none(
    folder: Path, text: str | None, named: str | None, message: str
) -> None:
    if text is None:
        Path("pyproject.toml").unlink()
    else:
        Path("pyproject.toml").write_text(text)
    with pytest.raises(GeneratorError) as error:
        find_program(read_project(Path()), named)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.skipif(sys.platform == "win32", reason="starts a shell script: skipped")
@pytest.mark.parametrize("place", [".", "src"])
def test_a_launcher_runs_what_is_not_installed(folder: Path, place: str) -> None:
    package = folder / place / "cloud"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text("import sys\ndef main():\n    return len(sys.argv)\n")
    work = folder / "a folder"
    work.mkdir()
    launcher = find_program(read_project(folder), None).write_launcher(work)
    assert subprocess.run([launcher, "one", "two"], cwd="/", check=False).returncode == 3
