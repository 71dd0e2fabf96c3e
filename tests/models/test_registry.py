"""Classes by type name, imported when they are asked for."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.golden.nimbus.nimbus import registry
from tests.golden.nimbus.nimbus.functions import parse_id
from tests.golden.nimbus.nimbus.resources.nimbus_server import NimbusServer, NimbusServerIdentity
from tofutypes import Registry

ROOT = Path(__file__).parents[2]

SCRIPT = """
import json, sys
from importlib import import_module

def package():
    return sorted(name for name in sys.modules if name.startswith("nimbus"))

def run(statement):
    exec(statement, {})
    return package()

print(json.dumps(run(sys.argv[1])))
"""

ROOTS = ["nimbus", "nimbus.nimbus"]
RESOURCES = [*ROOTS, "nimbus.nimbus.resources"]
REGISTRY = "nimbus.nimbus.registry"

IMPORTED: dict[str, list[str]] = {
    "import nimbus": ["nimbus"],
    "import nimbus.nimbus.resources": RESOURCES,
    "import nimbus.nimbus.registry": [*ROOTS, REGISTRY],
    "from nimbus.nimbus.resources.nimbus_server import *; NimbusServer.model_json_schema()": [
        *RESOURCES,
        "nimbus.nimbus.resources.nimbus_server",
    ],
    "from nimbus.nimbus.registry import *; list(RESOURCES), 'nimbus_server' in RESOURCES": [
        *ROOTS,
        REGISTRY,
    ],
    "from nimbus.nimbus.registry import *; RESOURCES['nimbus_dns_record']": [
        *ROOTS,
        REGISTRY,
        *RESOURCES[2:],
        "nimbus.nimbus.resources.nimbus_dns_record",
    ],
    "from nimbus.nimbus.registry import *; FUNCTIONS['parse_id'].schema": [
        *ROOTS,
        "nimbus.nimbus.functions",
        REGISTRY,
    ],
}


@pytest.mark.parametrize("statement", IMPORTED)
def test_importing_one_imports_no_other(statement: str) -> None:
    result = subprocess.run(
        [sys.executable, "-c", SCRIPT, statement],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'tests' / 'golden'}"},
    )
    assert json.loads(result.stdout) == sorted(IMPORTED[statement])


def test_lookup() -> None:
    assert registry.RESOURCES["nimbus_server"] is NimbusServer
    assert registry.IDENTITIES["nimbus_server"] is NimbusServerIdentity
    assert registry.FUNCTIONS["parse_id"] is parse_id
    assert registry.RESOURCES.get("nimbus_nothing") is None
    with pytest.raises(KeyError):
        registry.RESOURCES["nimbus_nothing"]


def test_it_is_a_mapping() -> None:
    resources = registry.RESOURCES
    assert isinstance(resources, Mapping)
    assert len(resources) == len(list(resources)) == 7
    assert "nimbus_server" in resources
    assert "nimbus_nothing" not in resources
    assert dict(resources)["nimbus_server"] is NimbusServer
    assert repr(resources) == "<7 of tests.golden.nimbus.nimbus>"
    assert all(model.__tofu_info__.type_name == name for name, model in resources.items())


def test_a_place_that_is_not_there() -> None:
    broken: Registry[object] = Registry(
        registry.__name__, {"a": "resources.nothing:A", "b": "functions:nothing"}
    )
    with pytest.raises(ModuleNotFoundError):
        broken["a"]
    with pytest.raises(AttributeError):
        broken["b"]
