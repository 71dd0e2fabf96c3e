"""Values of every schema of nimbus, through MessagePack and JSON, against the codec by type."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.golden.nimbus.nimbus import registry
from tests.golden.nimbus_package import provider
from tests.models.checks import check_json, check_msgpack, schemas_of
from tests.models.random_values import values_of
from tofutypes import Model, build_model
from tofutypes.schema import IdentitySchema, Schema

SCHEMAS = list(schemas_of(provider()))
IDS = [f"{kind}-{name}" for kind, name, _ in SCHEMAS]


def generated(kind: str, name: str) -> type[Model]:
    model: type[Model] = getattr(registry, kind)[name]
    return model


@pytest.mark.parametrize(("kind", "name", "schema"), SCHEMAS, ids=IDS)
@settings(max_examples=20)
@given(data=st.data())
def test_msgpack(
    kind: str, name: str, schema: Schema | IdentitySchema, data: st.DataObject
) -> None:
    check_msgpack(generated(kind, name), schema, data.draw(values_of(schema)))


@pytest.mark.parametrize(("kind", "name", "schema"), SCHEMAS, ids=IDS)
@settings(max_examples=20)
@given(data=st.data())
def test_json(kind: str, name: str, schema: Schema | IdentitySchema, data: st.DataObject) -> None:
    check_json(generated(kind, name), schema, data.draw(values_of(schema, known=True)))


@pytest.mark.parametrize(("kind", "name", "schema"), SCHEMAS, ids=IDS)
@settings(max_examples=10)
@given(data=st.data())
def test_built_and_generated_classes_write_the_same(
    kind: str, name: str, schema: Schema | IdentitySchema, data: st.DataObject
) -> None:
    values = data.draw(values_of(schema))
    built: type[Model] = build_model(schema, name=name)
    wire = generated(kind, name).model_validate(values).to_msgpack()
    assert built.model_validate(values).to_msgpack() == wire
    assert built.from_msgpack(wire).to_msgpack() == wire
