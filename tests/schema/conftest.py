"""Fixtures for the tests of schemas."""

import json
from pathlib import Path
from typing import Any

import pytest

from tofutypes.schema import ProviderSchema, ProviderSchemas, read_schemas

NIMBUS = Path(__file__).parents[2] / "examples" / "nimbus" / "schema.json"


@pytest.fixture(scope="session")
def nimbus_path() -> Path:
    """A document that uses everything a schema can hold."""
    return NIMBUS


@pytest.fixture
def nimbus_json() -> Any:
    """The same, parsed. To be changed freely."""
    return json.loads(NIMBUS.read_bytes())


@pytest.fixture(scope="session")
def nimbus_document() -> ProviderSchemas:
    return read_schemas(NIMBUS)


@pytest.fixture(scope="session")
def nimbus(nimbus_document: ProviderSchemas) -> ProviderSchema:
    return nimbus_document["registry.opentofu.org/example/nimbus"]
