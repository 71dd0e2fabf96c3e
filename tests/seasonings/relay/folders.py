"""Working directories of OpenTofu and Terraform, with providers and a plugin around them."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
BIN = ROOT / ".counterparts" / "bin"
RECORDER = f"{sys.executable} {ROOT / 'tests' / 'seasonings' / 'plugins' / 'recorder.py'}"
PROVIDERS = ("random", "tls", "local")

MAIN = """
variable "length" {
  default = 9
}
resource "random_string" "name" {
  length = var.length
}
resource "random_password" "secret" {
  length = 24
}
resource "local_file" "copy" {
  filename = "${path.module}/out.txt"
  content  = random_password.secret.result
}
"""


def executable(program: str) -> str:
    built = BIN / program
    path = str(built) if built.exists() else shutil.which(program)
    if path is None or not all((BIN / f"terraform-provider-{name}").exists() for name in PROVIDERS):
        pytest.skip(f"no {program} or no providers: make counterparts")
    return path


class Folder:
    """A working directory with a configuration and its providers."""

    def __init__(
        self,
        path: Path,
        program: str,
        main: str = MAIN,
        providers: Mapping[str, Path] | None = None,
    ) -> None:
        self.path = path
        self.program = executable(program)
        self.record = path / "record"
        registry = "registry.opentofu.org" if program == "tofu" else "registry.terraform.io"
        installed = {name: BIN / f"terraform-provider-{name}" for name in PROVIDERS}
        for name, file in (installed if providers is None else providers).items():
            folder = path / "mirror" / registry / "hashicorp" / name / "9.9.9" / platform()
            folder.mkdir(parents=True)
            (folder / f"terraform-provider-{name}_v9.9.9").symlink_to(file)
        (path / "main.tf").write_text(main)
        done = self.run("init", "-plugin-dir=mirror")
        assert done.returncode == 0, done.stdout + done.stderr

    def run(
        self, *words: str, environment: Mapping[str, str] | None = None, wrapper: Sequence[str] = ()
    ) -> subprocess.CompletedProcess[str]:
        search = os.pathsep.join([str(ROOT), str(ROOT / "codegen")])
        return subprocess.run(
            [*wrapper, self.program, words[0], "-no-color", *words[1:]],
            cwd=self.path,
            env={
                **os.environ,
                "PYTHONPATH": search,
                "RECORD": str(self.record),
                "TF_CLI_CONFIG_FILE": os.devnull,
                "CHECKPOINT_DISABLE": "1",
                **(environment or {}),
            },
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def hooked(
        self,
        *words: str,
        options: Sequence[str] = (),
        plugin: str = RECORDER,
        **environment: str,
    ) -> subprocess.CompletedProcess[str]:
        """Run a command with the recorder around it."""
        wrapper = [sys.executable, "-m", "tofutypes_codegen", "plugin", "run"]
        wrapper += ["--plugin", plugin, *options, "--"]
        return self.run(*words, environment=environment, wrapper=wrapper)

    @property
    def entries(self) -> list[dict[str, Any]]:
        """What the recorder has seen, and forgets now."""
        text = self.record.read_text() if self.record.exists() else ""
        self.record.unlink(missing_ok=True)
        return list(map(json.loads, text.splitlines()))

    @property
    def resources(self) -> dict[str, Any]:
        """The attributes of the resources in the state, by type."""
        return {resource["type"]: attributes for resource, attributes in self._state()}

    @property
    def named_resources(self) -> dict[str, Any]:
        """The attributes of the resources in the state, by name."""
        return {resource["name"]: attributes for resource, attributes in self._state()}

    def _state(self) -> list[tuple[dict[str, Any], Any]]:
        file = self.path / "terraform.tfstate"
        state = json.loads(file.read_text()) if file.exists() else {"resources": []}
        return [
            (resource, resource["instances"][0]["attributes"]) for resource in state["resources"]
        ]


def platform() -> str:
    machine = {"x86_64": "amd64", "aarch64": "arm64"}.get(os.uname().machine, os.uname().machine)
    return f"{os.uname().sysname.lower()}_{machine}"
