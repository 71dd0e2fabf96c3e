"""What must hold for every model and every value of its schema."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

import pytest

from tofutypes import Model, Resource, schema_of
from tofutypes.models.bases import SchemaModel
from tofutypes.schema import IdentitySchema, ProviderSchema, Schema, implied_type
from tofutypes.wire import decode_json, decode_msgpack, encode_json, encode_msgpack
from tofutypes_codegen.package import package_modules


def check_msgpack(model: type[Model], schema: Schema | IdentitySchema, values: object) -> None:
    """Values make an instance, its bytes make it again, and the codec by type agrees."""
    instance = model.model_validate(values)
    wire = instance.to_msgpack()
    read = model.from_msgpack(wire)
    assert read == instance
    assert read.to_msgpack() == wire
    type_ = implied_type(schema)
    assert encode_msgpack(decode_msgpack(wire, type_), type_) == wire
    if not type_.has_dynamic:  # else blocks that differ in type need one spelled out
        assert encode_msgpack(values, type_) == wire


def check_json(model: type[Model], schema: Schema | IdentitySchema, values: object) -> None:
    """The same for JSON; the values are wholly known."""
    instance = model.model_validate(values)
    text = instance.to_json()
    read = model.from_json(text)
    assert read == instance == model.from_msgpack(instance.to_msgpack())
    assert read.to_json() == text
    type_ = implied_type(schema)
    assert encode_json(decode_json(text, type_), type_) == text


def schemas_of(provider: ProviderSchema) -> Iterator[tuple[str, str, Schema | IdentitySchema]]:
    """Every schema of a provider that is a model's: registry, type name, schema."""
    kinds: dict[str, Mapping[str, Schema] | Mapping[str, IdentitySchema]] = {
        "RESOURCES": provider.resources,
        "DATA_SOURCES": provider.data_sources,
        "EPHEMERAL_RESOURCES": provider.ephemeral_resources,
        "IDENTITIES": provider.identities,
    }
    for kind, schemas in kinds.items():
        for name, schema in schemas.items():
            yield kind, name, schema


def check_lossless(model: type[Model], schema: Schema | IdentitySchema) -> None:
    """The schema of the class is the one that it was made of."""
    assert issubclass(model, SchemaModel)
    assert schema_of(cast("type[Resource]", model)) == schema


def write_package(
    folder: Path, package: str, provider: ProviderSchema, monkeypatch: pytest.MonkeyPatch
) -> str:
    """Generate a package and make it importable; its import name."""
    for module in package_modules({f"registry.example/test/{package}": provider}, package):
        path = folder / package / module.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(module.text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    return f"{package}.{package}"


def forget_package(package: str) -> None:
    """Let the modules of a package go."""
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]
