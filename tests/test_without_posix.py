"""What works on every system has no import and no function that only POSIX systems have."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_house import MODULES

ROOT = Path(__file__).parents[1]
SCHEMA = ROOT / "examples" / "nimbus" / "schema.json"

HEAD = "from tests.without_posix import take_away\ntake_away()\n"

MODELS = f"""
from tofutypes import build_model, read_schemas
[schema] = read_schemas({str(SCHEMA)!r}).values()
Network = build_model(schema.resources["nimbus_network"], name="nimbus_network")
network = Network.model_validate({{"name": "a", "cidr": "10.0.0.0/8"}})
assert Network.from_msgpack(network.to_msgpack()) == network
assert Network.from_json(network.to_json()) == network
"""

DOCUMENTS = """
import json
from tofutypes.documents import read_state
state = {"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "a", "outputs": {},
         "resources": []}
assert list(read_state(json.dumps(state).encode()).resources) == []
"""

CLIENT = """
import sys
sys.path.insert(0, "examples/harbor")
from harbor.provider import Harbor
from tofutypes.provider.client import host
with host(Harbor) as client:
    assert client._session.connection
    assert "harbor_ship" in client.schema.resources
"""

LAUNCH = """
from tofutypes.provider.client import launch
with launch(PROGRAM) as client:
    assert "first_file" in client.schema.resources
"""


def run(code: str) -> None:
    command = [sys.executable, "-c", HEAD + code]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_every_module_can_be_imported() -> None:
    run("import importlib\n" + "\n".join(f"importlib.import_module({name!r})" for name in MODULES))


@pytest.mark.parametrize("code", [MODELS, DOCUMENTS, CLIENT], ids=["models", "documents", "client"])
def test_they_work(code: str) -> None:
    run(code)


def test_packages_are_generated(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.without_posix", "tofutypes_codegen", "generate"]
    command += [str(SCHEMA), "--output", str(tmp_path / "infra")]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "infra" / "nimbus" / "registry.py").is_file()


def test_providers_over_tcp(tmp_path: Path) -> None:
    """Both sides lack Unix sockets: the handshake names a port."""
    program = tmp_path / "terraform-provider-first"
    script = ROOT / "examples" / "first" / "provider.py"
    start = (
        f"import sys, runpy\nsys.path.insert(0, {str(ROOT)!r})\n{HEAD}"
        f"runpy.run_path({str(script)!r}, run_name='__main__')\n"
    )
    program.write_text(f"#!{sys.executable}\n{start}")
    program.chmod(0o755)
    run(LAUNCH.replace("PROGRAM", repr(str(program))))


def test_plugins(tmp_path: Path) -> None:
    """Host and plugin, over the standard streams."""
    script = ROOT / "examples" / "seasonings" / "sqlite_storage.py"
    program = tmp_path / "storage"
    program.write_text(
        f"#!{sys.executable}\nimport sys, runpy\nsys.path.insert(0, {str(ROOT)!r})\n{HEAD}"
        f"runpy.run_path({str(script)!r}, run_name='__main__')\n"
    )
    program.chmod(0o755)
    command = [sys.executable, "-m", "tests.without_posix", "tofutypes_codegen", "plugin", "check"]
    ran = subprocess.run(
        [*command, "--", str(program)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "0 failed" in ran.stdout
