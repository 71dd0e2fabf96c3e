"""Typed packages of AWS by others, each in an environment of its own: a part of `peers`.

What it takes to install a package, to import one resource of it, and to check one file that uses
the resource. Times are those of the processor, which other programs hardly change. cdktf needs
Node.js to be imported, whose time and memory are not in the figures.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.packages import environment, generated
from benchmarks.payloads import ROOT, SHARED
from benchmarks.table import Table

TABLE = Table(
    "package",
    {
        "installed": "{:.0f} MB",
        "import": "{:.2f} s",
        "its memory": "{:.0f} MB",
        "mypy": "{:.1f} s",
        "mypy memory": "{:.0f} MB",
    },
)
SCHEMA = SHARED / "schemas" / "aws.json.gz"


@dataclass(frozen=True)
class Package:
    """A package and how its class of an EC2 instance is used.

    Attributes:
        name: of the package.
        requirements: what pip installs.
        use: a program that imports the class, and uses it where type checkers look.
    """

    name: str
    requirements: tuple[str, ...]
    use: str


OURS = Package(
    "tofutypes",
    (str(ROOT),),
    """\
from infra.aws.resources.aws_instance import AwsInstance

def instance() -> AwsInstance:
    return AwsInstance(ami="ami-1", instance_type="t3.micro")
""",
)
OTHERS = (
    Package(
        "cdktf",
        ("cdktf-cdktf-provider-aws==21.22.1", "setuptools<81"),  # jsii wants pkg_resources
        """\
from cdktf import TerraformStack
from cdktf_cdktf_provider_aws.instance import Instance

def instance(stack: TerraformStack) -> Instance:
    return Instance(stack, "web", ami="ami-1", instance_type="t3.micro")
""",
    ),
    Package(
        "Pulumi",
        ("pulumi-aws==7.51.1",),
        """\
from pulumi_aws.ec2 import Instance

def instance() -> Instance:
    return Instance("web", ami="ami-1", instance_type="t3.micro")
""",
    ),
)
_IMPORT = """\
import time
start = time.process_time()
{use}
print(time.process_time() - start)
"""


def report() -> Iterator[str]:
    """The lines of the table."""
    if not SCHEMA.is_file():
        yield "not measured: there is no schema of AWS to generate a package from"
        return
    yield "import: of one resource, and the memory of that process; installed: with what it needs"
    yield "mypy: --strict, without a cache, one file that uses the resource; processor time"
    yield TABLE.head()
    for package in (OURS, *OTHERS):
        with tempfile.TemporaryDirectory() as folder:
            try:
                yield _measured(package, Path(folder))
            except subprocess.CalledProcessError as error:
                yield f"{package.name}: not measured: {(error.stderr or str(error)).strip()[-300:]}"


def _measured(package: Package, folder: Path) -> str:
    venv = folder / "venv"
    _run([sys.executable, "-m", "venv", str(venv)], folder)
    [packages] = venv.glob("lib/python*/site-packages")
    python, before = str(venv / "bin" / "python"), _size(packages)
    _run([python, "-m", "pip", "install", "--quiet", "--no-compile", *package.requirements], folder)
    if package is OURS:
        generated(SCHEMA, packages)
    (folder / "use.py").write_text(package.use)
    script = _IMPORT.format(use=package.use)
    installed = (_size(packages) - before) / 1e6
    repeats = 5 if package is OURS else 1
    _run([python, "-c", script], folder)  # writes the .pyc files
    seconds, memory = min(_imported([python, "-c", script], folder) for _ in range(repeats))
    mypy = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull]
    mypy += ["--python-executable", python, "use.py"]
    return TABLE.row(package.name, installed, seconds, memory, *_resources(mypy, folder))


def _own() -> dict[str, str]:
    """An environment that knows nothing of this checkout, and in which `.pyc` files are kept."""
    variables = environment()
    del variables["PYTHONPATH"]
    return variables


def _imported(command: list[str], folder: Path) -> tuple[float, float]:
    """The seconds that the import takes, and the megabytes of the process."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            command, cwd=folder, env=_own(), stdout=output, stderr=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        output.seek(0)
        return float(output.read()), usage.ru_maxrss / 1024


def _resources(command: list[str], folder: Path) -> tuple[float, float]:
    """The seconds and the megabytes that a command takes, whether it succeeds or not."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def _size(folder: Path) -> int:
    """The bytes of all files in a folder but compiled ones."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return sum(path.stat().st_size for path in files)


def _run(command: list[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, env=_own(), check=True, capture_output=True, text=True)
