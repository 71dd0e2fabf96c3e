"""Whole providers of the real world: generated, imported, and values of every schema through."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.models.checks import (
    check_json,
    check_lossless,
    check_msgpack,
    forget_package,
    schemas_of,
    write_package,
)
from tests.models.random_values import RandomValues
from tofutypes import build_model, schema_of
from tofutypes.schema import ProviderSchema, read_schemas

DOCUMENTS = ("builtin-null-lxd.json", "cloudflare.json.gz", "google.json.gz", "aws.json.gz")
PARTS: dict[str, tuple[str, ...]] = {
    "resources": ("resources", "identities"),
    "data_sources": ("data_sources",),
    "rest": ("provider", "ephemeral_resources", "functions"),
}
PACKAGE = "generated"


@pytest.fixture
def package() -> Iterator[str]:
    yield PACKAGE
    forget_package(PACKAGE)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_schema_of_a_provider(
    shared: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    package: str,
    document: str,
    part: str,
) -> None:
    for address, whole in read_schemas(shared / "schemas" / document).items():
        provider = ProviderSchema(**{name: getattr(whole, name) for name in PARTS[part]})
        root = write_package(tmp_path / address.replace("/", "_"), package, provider, monkeypatch)
        check_provider(root, provider)
        forget_package(package)


def check_provider(package: str, provider: ProviderSchema) -> None:
    registry = import_module(f"{package}.registry")
    for index, (kind, name, schema) in enumerate(schemas_of(provider)):
        model = getattr(registry, kind)[name]
        check_lossless(model, schema)
        known = index % 2 == 1
        values = RandomValues(Random(name), known=known, present=0.4).of_schema(schema)
        (check_json if known else check_msgpack)(model, schema, values)
        if index % 50 == 0:
            built: Any = build_model(schema, name=name)
            check_lossless(built, schema)
            check_msgpack(built, schema, values)
    for name, function in provider.functions.items():
        assert schema_of(registry.FUNCTIONS[name]) == function
    if provider.provider is not None:
        module = import_module(f"{package}.provider")
        configuration = module.GeneratedProvider
        check_lossless(configuration, provider.provider)
        values = RandomValues(Random(0)).of_schema(provider.provider)
        check_msgpack(configuration, provider.provider, values)
