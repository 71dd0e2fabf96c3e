"""10,000 calls of a function through OpenTofu: a plugin behind a bridge, and a provider.

python -m benchmarks seasonings-functions
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.table import Table
from tests.counterparts import find
from tofutypes.seasonings.bridges.launcher import write_launcher

CALLS = 10_000
ROUNDS = 3
ADDRESS = "registry.opentofu.org/acme/measured"
CONFIGURATION = f"""
terraform {{
  required_providers {{
    measured = {{ source = "{ADDRESS}" }}
  }}
}}
output "sum" {{
  value = sum(flatten([
    for high in range({CALLS // 100}) : [
      for low in range(100) : provider::measured::double(high * 100 + low)
    ]
  ]))
}}
"""
PLUGIN = """
from tofutypes.seasonings import Plugin

plugin = Plugin("measured")

@plugin.function
def double(number: int) -> int:
    return number * 2

plugin.run()
"""
PROVIDER = """#!{python}
from tofutypes import function
from tofutypes.provider import Provider, serve

@function()
def double(number: int) -> int:
    return number * 2

class Measured(Provider):
    address = "{address}"
    functions = (double,)

serve(Measured)
"""
TABLE = Table("seconds", {"plan": "{:.2f}", "× provider": "{:.2f}"})


def report() -> Iterator[str]:
    """The lines of the table."""
    tofu = find("tofu")
    if tofu is None:
        yield f"{CALLS:,} calls of a function: needs tofu (`make counterparts`)"
        return
    yield f"{CALLS:,} calls of a function through tofu plan; the median of {ROUNDS}"
    yield TABLE.head()
    with tempfile.TemporaryDirectory() as parent:
        folders = {"provider": _provider(Path(parent)), "plugin": _plugin(Path(parent))}
        times: dict[str, list[float]] = {name: [] for name in folders}
        for number in range(ROUNDS + 1):
            for name, folder in folders.items():
                began = perf_counter()
                _plan(tofu, folder)
                if number:  # the first run writes byte code
                    times[name].append(perf_counter() - began)
    for name, seconds in times.items():
        yield TABLE.row(name, median(seconds), median(seconds) / median(times["provider"]))


def _provider(parent: Path) -> Path:
    folder = parent / "provider"
    folder.mkdir()
    program = folder / "terraform-provider-measured"
    program.write_text(PROVIDER.format(python=sys.executable, address=ADDRESS))
    program.chmod(0o755)
    return folder


def _plugin(parent: Path) -> Path:
    folder = parent / "plugin"
    folder.mkdir()
    file = folder / "plugin.py"
    file.write_text(PLUGIN)
    write_launcher(str(folder), ADDRESS, [sys.executable, str(file)])
    return folder


def _plan(tofu: Path, folder: Path) -> None:
    settings = folder / "settings"
    settings.write_text(
        f'provider_installation {{\n dev_overrides {{\n "{ADDRESS}" = "{folder}"\n }}\n}}\n'
    )
    (folder / "main.tf").write_text(CONFIGURATION)
    own = {"TF_CLI_CONFIG_FILE": str(settings), "CHECKPOINT_DISABLE": "1"}
    ran = subprocess.run(
        [str(tofu), f"-chdir={folder}", "plan", "-no-color"],
        env=os.environ | own,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert str(CALLS * (CALLS - 1)) in ran.stdout, ran.stdout
