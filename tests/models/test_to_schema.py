"""From classes back to schemas, without loss."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest

from tests.golden.nimbus.nimbus import registry
from tests.golden.nimbus_package import provider
from tests.models.checks import schemas_of
from tests.models.samples import Cluster, Disk, Label, Login, Point, Server, ServerIdentity
from tofutypes import Model, Object, SchemaError, build_model, schema_of
from tofutypes.models import NestedObject
from tofutypes.schema import (
    Attribute,
    Block,
    IdentityAttribute,
    IdentitySchema,
    NestedAttributeType,
    NestedBlock,
    NestingMode,
    Schema,
    StringKind,
    check_schema,
)
from tofutypes.type_parsing import parse_type
from tofutypes.types import BOOL, DYNAMIC, NUMBER, STRING

SINGLE, GROUP, LIST, SET, MAP = NestingMode

DISK = Block(
    {
        "size": Attribute(NUMBER, required=True, description="How large it is.\n\nIn *gigabytes*."),
        "name": Attribute(STRING, optional=True),
    },
    description="A disk.",
    description_kind=StringKind.MARKDOWN,
)
LABEL = Block(
    {"value": Attribute(DYNAMIC, optional=True)}, deprecated=True, deprecation_message="Use tags."
)
ZONE = Block({"name": Attribute(STRING, required=True)}, {"disk": NestedBlock(DISK, LIST)})
PLACEMENT = Block({"host": Attribute(STRING, optional=True)}, {"zone": NestedBlock(ZONE, GROUP)})
LOGIN = {
    "user": Attribute(STRING, required=True),
    "password": Attribute(STRING, optional=True, sensitive=True),
}
SERVER = Schema(
    Block(
        {
            "name": Attribute(STRING, required=True, description="What it is called."),
            "id": Attribute(STRING, computed=True),
            "price": Attribute(NUMBER, computed=True, description="Euros an hour"),
            "on": Attribute(BOOL, optional=True, computed=True),
            "from": Attribute(STRING, optional=True, deprecated=True),
            "secret": Attribute(
                STRING, optional=True, sensitive=True, write_only=True, description="Not stored."
            ),
            "key": Attribute(STRING, computed=True, sensitive=True),
            "anything": Attribute(DYNAMIC, optional=True),
            "tags": Attribute(parse_type('["map","string"]'), optional=True),
            "ports": Attribute(parse_type('["set","number"]'), optional=True),
            "names": Attribute(parse_type('["list","string"]'), optional=True),
            "place": Attribute(parse_type('["tuple",["number","string"]]'), optional=True),
            "points": Attribute(
                parse_type('["list",["object",{"x":"number","y":"number"},["y"]]]'), optional=True
            ),
            "logins": Attribute(
                nested_type=NestedAttributeType(LOGIN, MAP, min_items=1, max_items=3), optional=True
            ),
            "admin": Attribute(nested_type=NestedAttributeType(LOGIN), optional=True),
        },
        {
            "root": NestedBlock(DISK, SINGLE),
            "placement": NestedBlock(PLACEMENT, GROUP),
            "disk": NestedBlock(DISK, LIST, max_items=2),
            "volume": NestedBlock(DISK, SET),
            "zone": NestedBlock(ZONE, MAP),
            "label": NestedBlock(LABEL, LIST),
            "note": NestedBlock(LABEL, MAP),
        },
        description="A server.",
    ),
    version=3,
)


def test_classes_written_by_hand() -> None:
    assert schema_of(Server) == SERVER
    assert check_schema(schema_of(Server)) == []
    assert schema_of(Disk) == DISK
    assert schema_of(Label) == LABEL
    assert schema_of(Point) == parse_type('["object",{"x":"number","y":"number"},["y"]]')
    assert schema_of(ServerIdentity) == IdentitySchema(
        {
            "name": IdentityAttribute(STRING, required_for_import=True, description="Its name."),
            "region": IdentityAttribute(STRING, optional_for_import=True),
        },
        version=1,
    )
    assert schema_of(Cluster).block.block_types == {
        "node": NestedBlock(DISK, LIST, min_items=2, max_items=3),
        "main": NestedBlock(DISK, SINGLE, min_items=1, max_items=1),
    }


@pytest.mark.parametrize("model", [Model, Login, NestedObject])
def test_classes_without_a_schema(model: Any) -> None:
    with pytest.raises(
        SchemaError, match=rf"^{model.__name__} has no schema: expected a subclass of"
    ):
        schema_of(model)


@pytest.mark.parametrize("given", [3, "a", Disk(size=1), int])
def test_what_is_no_class(given: Any) -> None:
    with pytest.raises(SchemaError, match=r"^expected a model class or a function, got "):
        schema_of(given)


NIMBUS = list(schemas_of(provider()))


@pytest.mark.parametrize(("kind", "name", "schema"), NIMBUS, ids=[f"{k}-{n}" for k, n, _ in NIMBUS])
def test_nimbus(kind: str, name: str, schema: Any) -> None:
    assert schema_of(getattr(registry, kind)[name]) == schema
    assert schema_of(build_model(schema, name=name)) == schema


def test_nimbus_configuration_and_functions() -> None:
    module: Any = import_module("tests.golden.nimbus.nimbus.provider")
    assert schema_of(module.NimbusProvider) == provider().provider
    for name, function in provider().functions.items():
        assert schema_of(registry.FUNCTIONS[name]) == function


# One of each kind of part, changed in each field that a document may have.
EXTRA = {"future": {"a": [1, None, "b", 0.5, True]}}
SAID: dict[str, Any] = {
    "description": 'Says "so".',
    "description_kind": None,
    "deprecated": True,
    "deprecation_message": "Don't.",
    "extra": EXTRA,
}
PLAIN = Attribute(STRING, optional=True)
INSIDE = Block({"a": PLAIN})


def with_attribute(attribute: Attribute) -> Schema:
    return Schema(Block({"a": attribute}))


def with_block(nested: NestedBlock) -> Schema:
    return Schema(Block(block_types={"b": nested}))


CHANGED: dict[str, Schema] = {
    **{f"attribute.{k}": with_attribute(replace(PLAIN, **{k: v})) for k, v in SAID.items()},
    **{f"block.{k}": Schema(replace(INSIDE, **{k: v})) for k, v in SAID.items()},
    **{
        f"inner block.{k}": with_block(NestedBlock(replace(INSIDE, **{k: v}), LIST))
        for k, v in SAID.items()
    },
    "attribute.markdown": with_attribute(replace(PLAIN, description_kind=StringKind.MARKDOWN)),
    "attribute.empty description": with_attribute(replace(PLAIN, description="")),
    "block.empty description": Schema(replace(INSIDE, description="")),
    "nested block.extra": with_block(NestedBlock(INSIDE, SET, extra=EXTRA)),
    "schema.extra": Schema(INSIDE, extra=EXTRA),
    "schema.version": Schema(INSIDE, 7),
    "schema.absent": Schema(Block(description_kind=None), absent=frozenset({"block", "version"})),
    "nested type.extra": with_attribute(
        Attribute(nested_type=NestedAttributeType({"a": PLAIN}, SET, extra=EXTRA), required=True)
    ),
    "nested type, empty": with_attribute(
        Attribute(nested_type=NestedAttributeType({}, LIST), computed=True)
    ),
    "block, empty": with_block(NestedBlock(Block(), MAP)),
    "object, empty": with_attribute(Attribute(parse_type('["object",{}]'), optional=True)),
    "tuple, empty": with_attribute(Attribute(parse_type('["tuple",[]]'), optional=True)),
}


@pytest.mark.parametrize("what", CHANGED)
def test_nothing_is_lost(what: str) -> None:
    model = build_model(CHANGED[what], name="some_thing")
    assert schema_of(model) == CHANGED[what]
    assert schema_of(model) != SERVER


def test_objects_and_identities() -> None:
    object_type = parse_type('["object",{"from":"string","n":["set","bool"]},["from"]]')
    built: Any = build_model(object_type, name="thing")
    assert issubclass(built, Object)
    assert schema_of(built) == object_type
    identity = IdentitySchema(
        {"a": IdentityAttribute(STRING, optional_for_import=True, description="A.", extra=EXTRA)},
        version=3,
        absent=frozenset({"version"}),
        extra=EXTRA,
    )
    assert schema_of(build_model(identity, name="thing")) == identity
