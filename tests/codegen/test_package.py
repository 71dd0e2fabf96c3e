"""Whole packages: the golden one, hostile ones, real ones."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path, PurePosixPath
from random import Random
from types import ModuleType
from typing import Any

import pytest

from tests.codegen.hostile import PROVIDER
from tests.golden.nimbus_package import FOLDER, document, modules
from tests.models.checks import (
    check_json,
    check_lossless,
    check_msgpack,
    forget_package,
    schemas_of,
)
from tests.models.random_values import RandomValues
from tofutypes import schema_of
from tofutypes.schema import ProviderSchema, read_schemas
from tofutypes_codegen.package import count_modules, package_modules

ROOT = Path(__file__).parents[2]
HOSTILE = {"registry.example/test/hostile": PROVIDER}
STYLE = [
    ["format", "--check", "--isolated", "--no-cache"],
    ["check", "--isolated", "--no-cache", "--select", "E4,E7,E9,F,I,UP"],
]


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)
    assert result.returncode == 0, (result.stdout + result.stderr)[-3000:]
    return result.stdout


def check_style(folder: Path) -> None:
    for command in STYLE:
        run(sys.executable, "-m", "ruff", *command, folder)


def write(folder: Path, schemas: dict[str, ProviderSchema], package: str) -> Path:
    for module in package_modules(schemas, package):
        path = folder / package / module.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(module.text, encoding="utf-8", newline="\n")
    return folder / package


def test_golden() -> None:
    written = {
        PurePosixPath(path.relative_to(FOLDER)): path.read_bytes().decode()
        for path in FOLDER.rglob("*.py")
    }
    generated = modules()
    assert sorted(written) == sorted(generated)
    changed = [str(path) for path, text in generated.items() if written[path] != text]
    assert changed == [], "`make golden` writes them anew"


def test_golden_is_in_style() -> None:
    check_style(FOLDER)


@pytest.mark.parametrize("schemas", [document(), HOSTILE], ids=["nimbus", "hostile"])
def test_modules_are_counted_and_always_the_same(schemas: dict[str, ProviderSchema]) -> None:
    first, second = (list(package_modules(schemas, "infra")) for _ in range(2))
    assert first == second
    assert len(first) == count_modules(schemas)
    assert len({str(module.path).casefold() for module in first}) == len(first)


def test_the_order_of_schemas_does_not_matter() -> None:
    [(address, provider)] = document().items()
    kinds = ("resources", "data_sources", "ephemeral_resources", "functions", "identities")
    changed: dict[str, Any] = {
        kind: dict(reversed(list(getattr(provider, kind).items()))) for kind in kinds
    }
    backwards = replace(provider, **changed)
    again = package_modules({address: backwards}, "nimbus")
    assert [(each.path, each.text) for each in again] == list(modules().items())


FOLDERS: list[tuple[list[str], list[str]]] = [
    (["registry.opentofu.org/hashicorp/aws"], ["aws"]),
    (["r/hashicorp/google", "r/hashicorp/google-beta"], ["google", "google_beta"]),
    (["r/a/cloud", "r/b/cloud"], ["a_cloud", "b_cloud"]),
    (["one/a/cloud", "two/a/cloud"], ["one_a_cloud", "two_a_cloud"]),
    (["r/a/import", "r/a/2fa"], ["module_2fa", "import_"]),
    (["aws"], ["aws"]),
]


@pytest.mark.parametrize(("addresses", "folders"), FOLDERS)
def test_folders_of_providers(addresses: list[str], folders: list[str]) -> None:
    made = package_modules(dict.fromkeys(addresses, ProviderSchema()), "infra")
    assert [str(m.path.parent) for m in made if m.path.name == "registry.py"] == folders


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("hostile")
    write(folder, HOSTILE, "hostile")
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))
    forget_package("hostile")


@pytest.fixture
def registry(hostile: Path) -> ModuleType:
    return import_module("hostile.hostile.registry")


CASES = list(schemas_of(PROVIDER))


@pytest.mark.parametrize("case", CASES, ids=[f"{kind}-{name!r}" for kind, name, _ in CASES])
def test_hostile_schemas_come_back(registry: ModuleType, case: tuple[str, str, object]) -> None:
    kind, name, _ = case
    schema = next(each for k, n, each in CASES if (k, n) == (kind, name))
    model = getattr(registry, kind)[name]
    check_lossless(model, schema)
    check_msgpack(model, schema, RandomValues(Random(name)).of_schema(schema))
    check_json(model, schema, RandomValues(Random(name), known=True).of_schema(schema))


def test_hostile_functions_come_back(registry: ModuleType) -> None:
    for name, function in PROVIDER.functions.items():
        assert schema_of(registry.FUNCTIONS[name]) == function


def test_hostile_provider_comes_back(hostile: Path) -> None:
    module = import_module("hostile.hostile.provider")
    assert schema_of(module.HostileProvider) == PROVIDER.provider
    module = import_module("hostile.hostile.provider_meta")
    assert schema_of(module.HostileMeta) == PROVIDER.provider_meta


def test_hostile_packages_are_in_style(hostile: Path) -> None:
    check_style(hostile)


def test_hostile_packages_type_check(hostile: Path) -> None:
    config = hostile / "pyrightconfig.json"
    config.write_text(
        json.dumps(
            {"include": ["hostile"], "typeCheckingMode": "strict", "extraPaths": [str(ROOT)]}
        )
    )
    python = ["--pythonpath", sys.executable]
    run(sys.executable, "-m", "pyright", "--project", config, *python)
    mypy = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir"]
    run(*mypy, ROOT / ".mypy_cache", "-p", "hostile", cwd=hostile)


@pytest.mark.parametrize("name", ["cloudflare", "google"])
def test_real_packages_are_in_style(shared: Path, tmp_path: Path, name: str) -> None:
    check_style(write(tmp_path, read_schemas(shared / "schemas" / f"{name}.json.gz"), "infra"))
