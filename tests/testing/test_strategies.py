"""The strategies of `tofutypes.testing`: valid values, and the boundaries among them."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

from tests.golden.nimbus.nimbus import registry
from tests.golden.nimbus.nimbus.resources.nimbus_server import NimbusServer
from tests.models.samples import Server
from tofutypes import (
    Attr,
    ListBlock,
    NestedBlock,
    Resource,
    is_known,
    known,
    parse_type,
    schema_of,
)
from tofutypes.comparison import is_wholly_known
from tofutypes.schema import implied_type
from tofutypes.testing import configurations, type_constraints, values
from tofutypes.types import STRING, Type
from tofutypes.unknown import UNKNOWN, Unknown
from tofutypes.wire import decode_json, decode_msgpack, encode_json, encode_msgpack

RESOURCES: dict[str, type[Resource]] = {**registry.RESOURCES, "cloud_server": Server}
ALL_CHECKS = (
    HealthCheck.data_too_large,
    HealthCheck.filter_too_much,
    HealthCheck.large_base_example,
    HealthCheck.too_slow,
)
QUICK = settings(max_examples=25, suppress_health_check=ALL_CHECKS)


@given(type_constraints())
def test_types_are_printed_and_parsed(type_: Type) -> None:
    assert parse_type(type_.to_json()) == type_


@given(type_constraints(dynamic=False))
def test_types_without_dynamic(type_: Type) -> None:
    assert not type_.has_dynamic


@given(st.data())
def test_values_of_a_type_are_what_the_decoders_return(data: st.DataObject) -> None:
    type_ = data.draw(type_constraints())
    value = data.draw(values(type_))
    assert decode_msgpack(encode_msgpack(value, type_), type_) == value


@given(st.data())
def test_known_values_fit_json(data: st.DataObject) -> None:
    type_ = data.draw(type_constraints())
    value = data.draw(values(type_, unknown=False))
    assert is_wholly_known(value)
    assert decode_json(encode_json(value, type_), type_) == value


@pytest.mark.parametrize("name", sorted(RESOURCES))
def test_values_of_models(name: str) -> None:
    model = RESOURCES[name]

    @QUICK
    @given(values(model))
    def check(instance: Resource) -> None:
        assert type(instance) is model
        assert model.from_msgpack(instance.to_msgpack()) == instance

    check()


@pytest.mark.parametrize("name", sorted(RESOURCES))
def test_configurations_hold_what_a_user_may_set(name: str) -> None:
    model = RESOURCES[name]
    attributes = schema_of(model).block.attributes

    @QUICK
    @given(configurations(model))
    def check(instance: Resource) -> None:
        assert is_wholly_known(instance)
        written = instance.__tofu_attributes__()
        for attribute_name, attribute in attributes.items():
            if attribute.required:
                assert written[attribute_name] is not None
            elif not attribute.optional:
                assert written[attribute_name] is None

    check()


class Zone(StrEnum):
    NORTH = "north"
    SOUTH = "south"


class Deck(NestedBlock):
    kind: Attr[Literal["car", "foot"]] = Attr(required=True)


class Ferry(Resource, type_name="ferry"):
    speed: Attr[Literal[10, 20] | None] = Attr(optional=True, default=None)
    zone: Attr[Zone] = Attr(required=True)
    deck: ListBlock[Deck] = ListBlock(default=())


@QUICK
@given(configurations(Ferry))
def test_configurations_hold_values_of_literals_and_enums(ferry: Ferry) -> None:
    written = ferry.__tofu_attributes__()
    assert written["speed"] in (None, 10, 20)
    assert written["zone"] in ("north", "south", Zone.NORTH, Zone.SOUTH)
    assert all(known(deck).kind in ("car", "foot") for deck in known(ferry.deck))


def test_schemas_give_the_values_of_their_type() -> None:
    schema = schema_of(NimbusServer)

    @QUICK
    @given(values(schema))
    def check(value: dict[str, object]) -> None:
        assert value.keys() == implied_type(schema).attributes.keys()
        NimbusServer.model_validate(value)

    check()


def test_boundaries_come_up() -> None:
    """Or a test that uses the strategy would miss what only they show."""
    seen: set[str] = set()

    @settings(max_examples=300, phases=[Phase.generate], suppress_health_check=ALL_CHECKS)
    @given(values(NimbusServer))
    def look(server: NimbusServer) -> None:
        disk, id_ = server.disk, server.id
        boundaries = {
            "an unknown name": isinstance(server.name, Unknown),
            "a refined id": isinstance(id_, Unknown) and id_ != UNKNOWN,
            "a null id": id_ is None,
            "unknown disks": isinstance(disk, Unknown),
            "no disk": is_known(disk) and not disk,
            "two disks": is_known(disk) and len(list(disk)) == 2,
        }
        seen.update(name for name, holds in boundaries.items() if holds)

    look()
    assert seen == {
        *("an unknown name", "a refined id", "a null id"),
        *("unknown disks", "no disk", "two disks"),
    }


def test_examples_shrink_to_the_smallest_value() -> None:
    shortest = find(values(STRING), lambda value: isinstance(value, str) and len(value) > 1)
    assert shortest == "00"
    smallest = find(configurations(NimbusServer), lambda _: True)
    assert not list(known(smallest.disk))
    assert smallest.id is None


def test_strategies_of_single_attributes() -> None:
    strategy = configurations(NimbusServer, attributes={"name": st.just("web")})
    assert find(strategy, lambda _: True).name == "web"


def test_an_attribute_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="NimbusServer has no attribute nmae"):
        configurations(NimbusServer, attributes={"nmae": st.just("web")})
