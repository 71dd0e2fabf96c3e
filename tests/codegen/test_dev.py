"""`tofutypes dev`: a command with the provider of a project."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.counterparts.cores import CORES, Core, need_core
from tests.provider.live.terraform import is_running, wait_for
from tofutypes_codegen import cli
from tofutypes_codegen.commands import project_options

ROOT = Path(__file__).parents[2]
REATTACH = "TF_REATTACH_PROVIDERS"
PROJECT = """
[project]
name = "terraform-provider-first"
version = "1.0.0"

[project.scripts]
terraform-provider-first = "first:main"
"""
MAIN = """
terraform {
  required_providers {
    first = {
      source  = "example/first"
      version = "1.0.0"
    }
  }
}
resource "first_file" "note" {
  path = "note.txt"
  text = "hello"
}
"""
CALL = """
import os
from tofutypes.provider.client import attach
from tofutypes import build_model
with attach(address="registry.opentofu.org/example/first") as provider:
    File = build_model(provider.schema.resources["first_file"], name="first_file")
    provider.apply(provider.plan(File(path="note.txt", text="hello")))
"""


class Project:
    """A project with a provider that notes its processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        text = (ROOT / "examples" / "first" / "provider.py").read_text()
        text = text.replace('if __name__ == "__main__":', "def main() -> None:")
        text += "\n\nimport os\nwith open(os.environ['PIDS'], 'a') as pids:\n"
        text += "    print(os.getpid(), file=pids)\n"
        (folder / "first.py").write_text(text)
        (folder / "pyproject.toml").write_text(PROJECT)
        (folder / "main.tf").write_text(MAIN)
        self.pids = folder / "pids"
        self.environment = {
            **os.environ,
            "PIDS": str(self.pids),
            "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'codegen'}",
            "CHECKPOINT_DISABLE": "1",
            "TF_CLI_CONFIG_FILE": os.devnull,
        }
        self.environment.pop(REATTACH, None)

    def start(self, *words: str, options: tuple[str, ...] = ()) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "tofutypes_codegen", "dev", *options, "--", *words],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *words: str, options: tuple[str, ...] = ()) -> tuple[int, str, str]:
        with self.start(*words, options=options) as process:
            out, err = process.communicate(timeout=120)
        return process.returncode, out, err

    @property
    def processes(self) -> list[int]:
        started = self.pids.read_text().split() if self.pids.exists() else []
        return [int(process) for process in started if is_running(int(process))]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    if sys.platform != "linux":
        pytest.skip("looks for processes in /proc: skipped")
    project = Project(tmp_path)
    try:
        yield project
        wait_for("a provider is left", lambda: not project.processes)
    finally:
        for process in project.processes:
            os.kill(process, signal.SIGKILL)


@pytest.mark.parametrize("core", CORES, ids=str)
def test_the_whole_loop(project: Project, core: Core) -> None:
    """The source names no host, so each core looks for the provider in its own registry."""
    need_core(core)
    for command in (["init"], ["plan"], ["apply", "-auto-approve"], ["destroy", "-auto-approve"]):
        code, out, err = project.run(*core.command, *command, "-no-color")
        assert code == 0, f"{command}: {out}{err}"
        assert (project.folder / "note.txt").exists() == (command[0] == "apply")
    assert not (project.folder / ".terraform.lock.hcl").exists()


def test_a_change_of_the_code_takes_effect(project: Project) -> None:
    assert project.run(sys.executable, "-c", CALL)[0] == 0
    assert (project.folder / "note.txt").read_text() == "hello"
    file = project.folder / "first.py"
    file.write_text(
        file.read_text().replace("known(planned.text))", "known(planned.text).upper())")
    )
    assert project.run(sys.executable, "-c", CALL)[0] == 0
    assert (project.folder / "note.txt").read_text() == "HELLO"


def test_the_exit_code_is_that_of_the_command(project: Project) -> None:
    assert project.run("sh", "-c", "exit 7") == (7, "", "")
    assert project.run("sh", "-c", "kill -9 $$")[0] == 137


def test_what_the_provider_prints_is_shown(project: Project) -> None:
    file = project.folder / "first.py"
    change = "print('creating a file')\n        Path(known(planned.path)).write_text"
    file.write_text(file.read_text().replace("Path(known(planned.path)).write_text", change))
    code, out, err = project.run(sys.executable, "-c", CALL)
    assert (code, out, err) == (0, "", "first: creating a file\n")


def test_other_running_providers_stay(project: Project) -> None:
    project.environment[REATTACH] = json.dumps({"example.com/other/one": {"Pid": 1}})
    _, out, _ = project.run("sh", "-c", f"echo ${REATTACH}")
    variable = json.loads(out)
    assert variable.pop("example.com/other/one") == {"Pid": 1}
    hosts = ("registry.opentofu.org", "registry.terraform.io")
    assert list(variable) == [f"{host}/example/first" for host in hosts]


def test_an_executable(project: Project) -> None:
    script = project.folder / "terraform-provider-other"
    program = f"import sys; sys.path.insert(0, {str(project.folder)!r}); import first; first.main()"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{program}"\n')
    script.chmod(0o755)
    options = ("--provider", str(script), "--address", "example.com/acme/first")
    _, out, _ = project.run("sh", "-c", f"echo ${REATTACH}", options=options)
    assert list(json.loads(out)) == ["example.com/acme/first"]


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_is_ended(project: Project, ending: signal.Signals) -> None:
    script = "trap 'echo ended; exit 3' TERM; echo $$; while :; do sleep 0.1; done"
    with project.start("sh", "-c", script) as process:
        assert process.stdout is not None
        command = int(process.stdout.readline())
        assert project.processes
        process.send_signal(ending)
        if ending is signal.SIGKILL:
            process.wait(60)
            os.kill(command, signal.SIGTERM)
        out, _ = process.communicate(timeout=60)
    assert out == "ended\n"
    assert process.returncode == (3 if ending is signal.SIGTERM else -9)


def test_ctrl_c_is_for_the_command(project: Project) -> None:
    script = "trap 'echo stopped; exit 4' INT; echo ready; while :; do sleep 0.1; done"
    with project.start("sh", "-c", script) as process:
        assert process.stdout is not None
        process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (4, "stopped\n", "")


@pytest.mark.parametrize(
    ("words", "options", "variable", "message"),
    [
        ("absent", (), "", "absent: No such file or directory"),
        ("true", ("--provider", "absent.py"), "", "absent.py: neither a Python file nor a script"),
        ("true", ("--provider", "empty.py"), "", "empty.py: the provider ended (exit code 0)"),
        ("true", ("--address", "first"), "", '--address "first": expected an address'),
        ("true", ("--project", "absent"), "", "absent/pyproject.toml: no such file"),
        ("true", (), "[]", "TF_REATTACH_PROVIDERS: expected a JSON object"),
    ],
)
def test_refused(
    project: Project, words: str, options: tuple[str, ...], variable: str, message: str
) -> None:
    (project.folder / "empty.py").touch()
    project.environment[REATTACH] = variable
    code, out, err = project.run(words, options=options)
    assert (code, out) == (2, "")
    assert err.startswith(f"tofutypes: error: {message}")
    assert err.count("\n") == 1


def test_without_the_extra(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(project_options, "find_spec", lambda _: None)
    assert cli.main(["dev", "--", "true"]) == 2
    assert capsys.readouterr().err == (
        "tofutypes: error: `tofutypes dev` needs more: pip install 'tofutypes[dev]'\n"
    )


def test_instances_have_processes_of_their_own(tmp_path: Path, project: Project) -> None:
    """Two configurations of the harbor at the same time."""
    core = CORES[1]
    need_core(core)
    folder = tmp_path / "harbor"
    shutil.copytree(ROOT / "examples" / "harbor", folder)
    for name in ("main.tf", "first.py"):
        (project.folder / name).unlink()
    (project.folder / "main.tf").write_text(
        f"""
        terraform {{
          required_providers {{
            harbor = {{ source = "example/harbor" }}
          }}
        }}
        provider "harbor" {{
          folder = "{tmp_path}/south"
        }}
        provider "harbor" {{
          alias       = "north"
          folder      = "{tmp_path}/north"
          speed_limit = 30
        }}
        resource "harbor_ship" "a" {{
          name = "Peking"
          port = "Hamburg"
        }}
        resource "harbor_ship" "b" {{
          provider = harbor.north
          name     = "Peking"
          port     = "Hamburg"
        }}
        """
    )
    options = ("--project", str(folder))
    code, out, err = project.run(*core.command, "apply", "-auto-approve", options=options)
    assert code == 0, out + err
    assert len(list((tmp_path / "south" / "ship").glob("*.json"))) == 1
    assert len(list((tmp_path / "north" / "ship").glob("*.json"))) == 1
