"""A folder with a configuration, and a core at work in it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

from tests.counterparts.cores import Core

HERE = Path(__file__).parent
ROOT = HERE.parents[2]

PATIENCE = 60.0
"""Seconds until a test gives up on something that is to happen."""

SOURCES = {
    "harbor": (ROOT / "examples" / "harbor", ["-m", "harbor"]),
    "depot": (ROOT, [str(ROOT / "examples" / "depot" / "provider.py")]),
    "first": (ROOT / "examples" / "first", [str(ROOT / "examples" / "first" / "provider.py")]),
    "faulty": (HERE, [str(HERE / "faulty.py")]),
    "listening": (HERE, [str(HERE / "listening.py")]),
    "random": (ROOT, [str(ROOT / "examples" / "random" / "provider.py")]),
}
"""The providers that tests use: what Python needs to find them, and how they start."""


@dataclass(frozen=True)
class Ran:
    """A command of the core that has ended."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """All it said, in one line: the core breaks lines and draws boxes around errors."""
        return " ".join((self.out + self.err).replace("│", " ").split())


@dataclass(frozen=True)
class Workspace:
    """A folder with a configuration.

    Attributes:
        folder: the folder of the test.
        temporary: where the processes put temporary files; it has to be empty in the end.
        core: the core that is at work.
    """

    folder: Path
    temporary: Path
    core: Core

    @property
    def cloud(self) -> Path:
        """The folder of the harbor's cloud."""
        return self.folder / "cloud"

    def prepare(self) -> None:
        """Write what starts the providers, and tell the core where that is."""
        bin_ = self.folder / "bin"
        bin_.mkdir(parents=True)
        (self.folder / "pids").touch()
        for name, (path, start) in SOURCES.items():
            self.write_program(bin_ / f"terraform-provider-{name}", path, start)
        overrides = "\n".join(
            f'"registry.opentofu.org/example/{name}" = "{bin_}"' for name in SOURCES
        )
        self.write(
            {"rc": f"provider_installation {{\ndev_overrides {{\n{overrides}\n}}\ndirect {{}}\n}}"}
        )

    def write_program(self, program: Path, path: Path, start: list[str]) -> None:
        """Write a program that starts a provider, and notes its process."""
        command = " ".join(f"'{each}'" for each in [sys.executable, *start])
        program.write_text(
            f"#!/bin/sh\necho $$ >> '{self.folder}/pids'\n"
            f"PYTHONPATH='{ROOT}:{path}' exec {command} \"$@\"\n"
        )
        program.chmod(0o755)

    def write(self, files: Mapping[str, str]) -> None:
        """Write files into the folder."""
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def configure(self, text: str, provider: str = "harbor", settings: str | None = None) -> None:
        """Write the configuration; `$FOLDER` in it is the folder of the test."""
        if settings is None:
            settings = 'folder = "$FOLDER/cloud"' if provider == "harbor" else ""
        head = f"""
            terraform {{
              required_providers {{
                {provider} = {{ source = "registry.opentofu.org/example/{provider}" }}
              }}
            }}
            provider "{provider}" {{
              {settings}
            }}
            """
        whole = dedent(head) + dedent(text)
        self.write({"main.tf": whole.replace("$FOLDER", str(self.folder))})

    def environment(self, **more: str) -> dict[str, str]:
        """The environment of the core: nothing of the user's, nothing from the network."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        return {
            **kept,
            "HOME": str(self.folder),
            "TMPDIR": str(self.temporary),
            "CHECKPOINT_DISABLE": "1",
            "TF_CLI_CONFIG_FILE": str(self.folder / "rc"),
            "TF_IN_AUTOMATION": "1",
            "TF_INPUT": "0",
            **more,
        }

    @contextmanager
    def started(self, *arguments: str, **more: str) -> Iterator[subprocess.Popen[str]]:
        """The core at work; killed at the end, if it is still there."""
        command = [*self.core.command, f"-chdir={self.folder}", *arguments, "-no-color"]
        process = subprocess.Popen(
            command,
            env=self.environment(**more),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            cwd=self.folder,
        )
        with process:
            try:
                yield process
            finally:
                process.kill()

    @contextmanager
    def debugging(self, provider: str = "harbor") -> Iterator[dict[str, str]]:
        """A provider that waits for the core, and the variable that tells the core where."""
        command = [str(self.folder / "bin" / f"terraform-provider-{provider}"), "--debug"]
        process = subprocess.Popen(
            command, env=self.environment(), stdout=subprocess.PIPE, text=True, cwd=self.folder
        )
        with process:
            try:
                assert process.stdout is not None
                line = next(each for each in process.stdout if "TF_REATTACH_PROVIDERS" in each)
                name, _, value = line.strip().partition("=")
                yield {name: value.strip("'")}
            finally:
                process.send_signal(signal.SIGINT)
                try:
                    assert process.wait(PATIENCE) == 0
                finally:
                    process.kill()

    def run(self, *arguments: str, **more: str) -> Ran:
        """Run a command of the core.

        Args:
            arguments: those of the command line.
            more: additions to the environment.
        """
        with self.started(*arguments, **more) as process:
            out, err = process.communicate(timeout=4 * PATIENCE)
        return Ran(process.returncode, out, err)

    def do(self, *arguments: str, **more: str) -> Ran:
        """Run a command of the core that has to succeed."""
        ran = self.run(*arguments, **more)
        assert ran.code == 0, f"{' '.join(arguments)}:\n{ran.out}\n{ran.err}"
        return ran

    def apply(self, *arguments: str, **more: str) -> Ran:
        """Apply the configuration."""
        return self.do("apply", "-auto-approve", *arguments, **more)

    def plan(self, *arguments: str) -> dict[str, Any]:
        """Plan, and what `show -json` tells of the plan."""
        self.do("plan", "-out=plan", *arguments)
        shown: dict[str, Any] = json.loads(self.do("show", "-json", "plan").out)
        return shown

    def actions(self, *arguments: str) -> dict[str, list[str]]:
        """What would be done, by the addresses of objects."""
        changes = self.plan(*arguments).get("resource_changes", [])
        return {each["address"]: each["change"]["actions"] for each in changes}

    @property
    def state(self) -> dict[str, Any]:
        """The state as it is stored."""
        state: dict[str, Any] = json.loads(
            (self.folder / "terraform.tfstate").read_text(), parse_float=str
        )
        return state

    def instance(self, address: str) -> dict[str, Any]:
        """What the state holds of the one instance of a resource, `TYPE.NAME`."""
        kind, name = address.split(".")
        found: list[dict[str, Any]] = [
            instance
            for each in self.state["resources"]
            if (each["type"], each["name"]) == (kind, name)
            for instance in each["instances"]
        ]
        assert len(found) == 1, f"{len(found)} instances of {address}"
        return found[0]

    @property
    def addresses(self) -> list[str]:
        """The managed resources of the root module that have one instance."""
        path = self.folder / "terraform.tfstate"
        return [
            f"{each['type']}.{each['name']}"
            for each in (self.state["resources"] if path.exists() else [])
            if each["mode"] == "managed" and len(each["instances"]) == 1
        ]

    def attributes(self, address: str) -> dict[str, Any]:
        """The attributes of the one instance of a resource."""
        attributes: dict[str, Any] = self.instance(address)["attributes"]
        return attributes

    @property
    def output(self) -> dict[str, Any]:
        """The outputs."""
        return {name: each["value"] for name, each in self.state["outputs"].items()}

    @property
    def processes(self) -> list[int]:
        """The processes of providers that are running."""
        started = [int(line) for line in (self.folder / "pids").read_text().split()]
        return [each for each in started if is_running(each)]

    def remove_sockets(self) -> None:
        """Remove what a provider that was killed could not remove."""
        for each in self.temporary.glob("plugin-*"):
            shutil.rmtree(each)

    def clear(self) -> None:
        """End what is left of the providers; none should be."""
        for each in self.processes:
            os.kill(each, signal.SIGKILL)


def is_running(process: int) -> bool:
    """Whether there is such a process, and it has not ended."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def wait_for(what: str, happened: Callable[[], object]) -> None:
    """Wait until something has happened.

    Raises:
        TimeoutError: it did not, for long.
    """
    end = time.monotonic() + PATIENCE
    while not happened():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.05)
