"""Ways to pack a provider: the start to the handshake, a plan, and the size of the archive.

Each is built of examples/harbor, in an environment of its own. pex and shiv need a Python on the
machine that runs the provider; PyInstaller packs one.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.payloads import ROOT
from benchmarks.table import Table
from tests.counterparts import find
from tofutypes.provider.transport.handshake import COOKIE, COOKIE_NAME, PROTOCOL_VERSIONS

ROUNDS = 5
HARBOR = ROOT / "examples" / "harbor"
ADDRESS = "registry.opentofu.org/example/harbor"
NAME = "terraform-provider-harbor"
CONFIGURATION = """
terraform {
  required_providers {
    harbor = { source = "registry.opentofu.org/example/harbor" }
  }
}
provider "harbor" {
  folder = "cloud"
}
resource "harbor_dock" "one" { name = "one" }
"""
STUB = "import sys\nfrom harbor.__main__ import main\nsys.exit(main())\n"
TABLE = Table("packed by", {"handshake ms": "{:.0f}", "plan s": "{:.2f}", "MB": "{:.1f}"})


def report() -> Iterator[str]:
    """The lines of the table, or one that tells why there is none."""
    tofu = find("tofu")
    if tofu is None:
        yield "packing: needs OpenTofu (`make counterparts`)"
        return
    yield f"packed providers, the median of {ROUNDS} in turns; the size is of the archive"
    with tempfile.TemporaryDirectory() as name:
        try:
            programs = dict(_built(Path(name)))
        except subprocess.CalledProcessError as error:
            yield f"not measured: {error}: {error.stderr.decode(errors='replace')[-300:]}"
            return
        starts: dict[str, list[float]] = {way: [] for way in programs}
        plans: dict[str, list[float]] = {way: [] for way in programs}
        for number in range(ROUNDS + 1):
            for way, (program, _) in programs.items():
                start, plan = _handshake(program), _plan(tofu, program)
                if number:  # the first unpacks, and writes bytecode
                    starts[way].append(start)
                    plans[way].append(plan)
        yield TABLE.head()
        for way, (_, size) in programs.items():
            yield TABLE.row(way, median(starts[way]) * 1e3, median(plans[way]), size / 1e6)


def _built(folder: Path) -> Iterator[tuple[str, tuple[Path, int]]]:
    """The ways, each with the executable and the size of what is downloaded."""
    bin_ = folder / "venv" / "bin"
    _run(sys.executable, "-m", "venv", str(folder / "venv"))
    pip = (str(bin_ / "python"), "-m", "pip", "install", "--quiet")
    _run(*pip, f"{ROOT}[package]", str(HARBOR), "pex", "shiv")
    yield "nothing (the script)", (bin_ / NAME, 0)
    builders: Mapping[str, Callable[[Path, Path], tuple[Path, int]]] = {
        "PyInstaller, folder": _folder,
        "PyInstaller, one file": _one_file,
        "shiv": lambda bin_, out: _zip_application(bin_ / "shiv", out),
        "pex": lambda bin_, out: _zip_application(bin_ / "pex", out),
    }
    for number, (way, build) in enumerate(builders.items()):
        out = folder / str(number)
        out.mkdir()
        yield way, build(bin_, out)


def _folder(bin_: Path, out: Path) -> tuple[Path, int]:
    dist = str(out / "dist")
    _run(str(bin_ / "tofutypes"), "package", "--project", str(HARBOR), "--output", dist)
    (archive,) = out.glob("dist/*.zip")
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(out)
    program = out / f"{NAME}_v1.0.0"
    program.chmod(0o755)
    return program, archive.stat().st_size


def _one_file(bin_: Path, out: Path) -> tuple[Path, int]:
    (out / "stub.py").write_text(STUB)
    options = ["--onefile", "--log-level=ERROR", "--collect-submodules=tofutypes", f"--name={NAME}"]
    places = [f"--distpath={out}", f"--workpath={out / 'work'}", f"--specpath={out / 'work'}"]
    _run(str(bin_ / "pyinstaller"), *options, *places, str(out / "stub.py"))
    return out / NAME, (out / NAME).stat().st_size


def _zip_application(tool: Path, out: Path) -> tuple[Path, int]:
    program = out / NAME
    _run(str(tool), f"{ROOT}[provider]", str(HARBOR), "-c", NAME, "-o", str(program))
    return program, program.stat().st_size


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, stdin=subprocess.DEVNULL)


def _handshake(program: Path) -> float:
    """Seconds from the start to the handshake."""
    variables = {COOKIE_NAME: COOKIE, PROTOCOL_VERSIONS: "5,6"}
    began = perf_counter()
    with subprocess.Popen(
        [program],
        env=os.environ | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        seconds = perf_counter() - began
        assert line.startswith(b"1|6|"), line
        process.terminate()
    return seconds


def _plan(tofu: Path, program: Path) -> float:
    """Seconds of `tofu plan`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "main.tf").write_text(CONFIGURATION)
        (folder / "rc").write_text(
            "provider_installation {\n  dev_overrides {\n"
            f'    "{ADDRESS}" = "{program.parent}"\n  }}\n}}\n'
        )
        settings = {"TF_CLI_CONFIG_FILE": str(folder / "rc"), "CHECKPOINT_DISABLE": "1"}
        began = perf_counter()
        command = [str(tofu), f"-chdir={folder}", "plan"]
        subprocess.run(command, env=os.environ | settings, check=True, capture_output=True)
        return perf_counter() - began
