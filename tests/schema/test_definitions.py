import copy
import pickle
from collections.abc import Callable, Mapping
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from tofutypes.errors import SchemaError
from tofutypes.schema import (
    Attribute,
    Block,
    Function,
    IdentityAttribute,
    IdentitySchema,
    NestedAttributeType,
    NestedBlock,
    NestingMode,
    Parameter,
    ProviderSchema,
    ProviderSchemas,
    Schema,
    StringKind,
)
from tofutypes.types import NUMBER, STRING, ListType

NAME = Attribute(STRING, required=True)
SIZE = Attribute(NUMBER, optional=True)


def server() -> Schema:
    rule = NestedBlock(Block({"port": SIZE}), NestingMode.SET, max_items=5)
    disks = Attribute(nested_type=NestedAttributeType({"size": SIZE}, NestingMode.LIST))
    return Schema(Block({"name": NAME, "disks": disks}, {"rule": rule}), version=1)


def test_equality_is_by_content_and_not_by_order() -> None:
    assert server() == server()
    assert Block({"a": NAME, "b": SIZE}) == Block({"b": SIZE, "a": NAME})
    assert Block({"a": NAME}) != Block({"a": SIZE})
    assert Block({"a": NAME}, extra={"later": 1}) != Block({"a": NAME})


def test_parts_hash_by_content() -> None:
    assert len({server(), server(), Schema(Block())}) == 2
    assert hash(Block({"a": NAME, "b": SIZE})) == hash(Block({"b": SIZE, "a": NAME}))
    # What is not known need not be hashable.
    assert hash(Block({"a": NAME}, extra={"later": [1]})) == hash(Block({"a": NAME}))


def pickled(part: object) -> object:
    return pickle.loads(pickle.dumps(part))


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickled])
def test_parts_can_be_copied_and_pickled(
    copied: Callable[[Any], Any], nimbus_document: ProviderSchemas
) -> None:
    schema = server()
    assert hash(schema) == hash(copied(schema))
    assert copied(schema) == schema
    assert copied(nimbus_document) == nimbus_document
    assert copied(ProviderSchemas(format_version="0.2")).format_version == "0.2"


def test_parts_cannot_be_changed() -> None:
    schema = server()
    with pytest.raises(FrozenInstanceError):
        schema.version = 2  # type: ignore[misc]
    attributes: Any = schema.block.attributes
    for method, *arguments in (
        ("__setitem__", "a", NAME),
        ("__delitem__", "name"),
        ("__ior__", {"a": NAME}),
        ("update", {"a": NAME}),
        ("setdefault", "a", NAME),
        ("pop", "name"),
        ("popitem",),
        ("clear",),
    ):
        with pytest.raises(TypeError, match="immutable"):
            getattr(attributes, method)(*arguments)
    assert schema == server()


def test_what_is_handed_in_is_copied() -> None:
    attributes = {"name": NAME}
    block = Block(attributes)
    attributes["size"] = SIZE
    assert list(block.attributes) == ["name"]


DECOMPOSED, COMPOSED = "gro\u0308ße", "größe"
TYPE = ListType(STRING)


WITH_NAME: dict[str, Callable[[str], Mapping[str, object]]] = {
    "attributes": lambda name: Block({name: NAME}).attributes,
    "blocks": lambda name: Block({}, {name: NestedBlock(Block(), NestingMode.LIST)}).block_types,
    "nested": lambda name: NestedAttributeType({name: NAME}).attributes,
    "identity": lambda name: IdentitySchema({name: IdentityAttribute(TYPE)}).attributes,
    "resources": lambda name: ProviderSchema(resources={name: server()}).resources,
    "data": lambda name: ProviderSchema(data_sources={name: server()}).data_sources,
    "ephemeral": lambda name: (
        ProviderSchema(ephemeral_resources={name: server()}).ephemeral_resources
    ),
    "functions": lambda name: ProviderSchema(functions={name: Function(TYPE)}).functions,
    "identities": lambda name: ProviderSchema(identities={name: IdentitySchema()}).identities,
}


@pytest.mark.parametrize("named", WITH_NAME.values(), ids=WITH_NAME)
def test_names_are_normalised(named: Callable[[str], Mapping[str, object]]) -> None:
    assert list(named(DECOMPOSED)) == [COMPOSED]


def test_names_must_differ_after_normalisation() -> None:
    with pytest.raises(SchemaError, match=f'duplicate name "{COMPOSED}"'):
        Block({DECOMPOSED: NAME, COMPOSED: NAME})


def test_names_are_unicode() -> None:
    with pytest.raises(SchemaError, match="unpaired surrogate"):
        Block({"\ud800": NAME})


def test_defaults_are_those_of_a_printed_schema() -> None:
    assert Attribute(STRING).description_kind is StringKind.PLAIN
    assert Block().description_kind is StringKind.PLAIN
    assert Parameter("p", STRING).description_kind is None
    assert Function(STRING).description_kind is None
