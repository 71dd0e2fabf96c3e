"""The other calls: checks of configurations, state, data sources, ephemeral resources."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from tests.provider.server.boxes import Box, BoxIdentity, Key, Room, Shelf, Slot, Toy, made
from tofutypes import (
    UNKNOWN,
    Attr,
    GroupBlock,
    ListBlock,
    NestedBlock,
    Resource,
    build_model,
    present,
    schema_of,
)
from tofutypes.provider import ProviderError, StoredState
from tofutypes.provider.client import State, host
from tofutypes.provider.objchange.schema_parts import parts_of
from tofutypes.provider.server.configuration import config_faults
from tofutypes.schema import Schema


@pytest.mark.parametrize(
    ("config", "messages"),
    [
        (Box(name="a", color=UNKNOWN, slot=UNKNOWN), []),
        (
            Box(name="a", id="box-1"),
            ["error: Invalid value (id): id is decided by the provider and cannot be set."],
        ),
        (
            Box(name="a", slot=[Slot(size=1), Slot(size=1, id="x")]),
            [
                "error: Invalid value (slot[1].id): slot[1].id is decided by the provider and "
                "cannot be set."
            ],
        ),
        (
            Box(name="a", bag=[Slot(size=1, id="x")]),
            ["error: Invalid value (bag): bag[0].id is decided by the provider and cannot be set."],
        ),
    ],
    ids=str,
)
def test_configurations(config: Box, messages: list[str]) -> None:
    with host(Toy()) as provider:
        if not messages:
            provider.validate(config)
            return
        with pytest.raises(ProviderError) as caught:
            provider.validate(config)
    assert str(caught.value).splitlines() == messages


class Token(NestedBlock):
    name: Attr[str] = Attr(required=True)
    once: Attr[str | None] = Attr(required=True, write_only=True)


class Vault(Resource, type_name="toy_vault"):
    once: Attr[str | None] = Attr(required=True, write_only=True)
    group: GroupBlock[Token] = GroupBlock(default=None)
    token: ListBlock[Token] = ListBlock(default=())


@pytest.mark.parametrize(
    ("config", "faults"),
    [
        (Vault(once="w"), []),
        (Vault(once=UNKNOWN), []),
        (Vault(once=None), ["once is required"]),
        (Vault(once="w", group=Token(name="a", once=None)), ["group.once is required"]),
        (Vault(once="w", token=[Token(name="a", once=None)]), ["token[0].once is required"]),
    ],
)
def test_write_only_attributes(config: Vault, faults: list[str]) -> None:
    parts = parts_of(schema_of(Vault).block)
    assert list(map(str, config_faults(parts, config))) == faults
    refused = config_faults(parts, Vault(once="w"), write_only_allowed=False)
    assert list(map(str, refused)) == [
        "once is write-only, which needs Terraform 1.11, or OpenTofu 1.11"
    ]


def test_the_code_tells_of_several_errors() -> None:
    def validate(_: Box, context: Any) -> None:
        context.error("Wrong name", path="name")
        context.error("Wrong size", path="bag[0].size")
        context.warn("Odd color", path="color")

    with host(Toy(validate=validate)) as provider, pytest.raises(ProviderError) as caught:
        provider.validate(Box(name="a"))
    assert str(caught.value).splitlines() == [
        "error: Wrong name (name)",
        "error: Wrong size (bag): bag[0].size.",  # the path leads into a set no further
        "warning: Odd color (color)",
    ]


def test_the_code_is_not_asked_about_what_breaks_the_schema() -> None:
    asked: list[Box] = []
    with host(Toy(validate=lambda box, _: asked.append(box))) as provider:
        with pytest.raises(ProviderError):
            provider.validate(Box(name="a", id="box-1"))
        assert not asked
        provider.validate(Box(name="a"))
    assert len(asked) == 1


def test_null_where_a_value_is_required() -> None:
    class Loose(Resource, type_name="toy_box"):
        name: Attr[str | None] = Attr(optional=True, default=None)

    fields = dict.fromkeys(Box.model_fields)
    loose = build_model(_with_optional_name(), name="toy_box").model_validate(
        fields | {"slot": [], "bag": []}
    )
    with host(Toy()) as provider, pytest.raises(ProviderError) as caught:
        provider.validate(loose)
    assert str(caught.value) == ("error: Invalid value (name): Expected a value, got null.")


def _with_optional_name() -> Schema:
    block = schema_of(Box).block
    name = schema_of(Shelf).block.attributes["boxes"]
    loose = {**block.attributes, "name": type(name)(block.attributes["name"].type, optional=True)}
    return Schema(type(block)(loose, block.block_types), version=2)


def test_configuration_of_the_provider() -> None:
    seen: list[object] = []

    def configure(config: Room, context: Any) -> None:
        seen.extend((config.name, bool(context.core_version)))

    with host(Toy(configure=configure)) as provider:
        provider.validate(Room(name="r"))
        provider.configure(Room(name="r"))
    assert seen == ["r", True]


STATE = State(Box(name="a", id="box-1", serial=7, color="red"), b"kept")


def test_reading() -> None:
    def read(state: Box, context: Any) -> Box:
        assert context.private == b"kept"
        assert context.identity is None
        state.color = "blue"
        state.once = "w"
        context.private = b"seen"
        return state

    with host(Toy(read=read)) as provider:
        state = provider.read(STATE)
    assert state.value == Box(name="a", id="box-1", serial=7, color="blue")
    assert (state.private, state.identity) == (b"seen", {"id": "box-1"})


def test_what_is_gone() -> None:
    with host(Toy(read=lambda *_: None)) as provider:
        assert provider.read(STATE).value is None


def test_a_state_with_unknown_values_is_refused() -> None:
    def read(state: Box, _: object) -> Box:
        state.color = UNKNOWN
        return state

    with host(Toy(read=read)) as provider, pytest.raises(ProviderError) as caught:
        provider.read(STATE)
    assert str(caught.value) == (
        "error: The provider is at fault: Boxes.read returned Box with unknown values."
    )


@pytest.mark.parametrize("wanted", ["box-1", BoxIdentity(id="box-1")], ids=str)
def test_import(wanted: str | BoxIdentity) -> None:
    def import_state(asked: object, _: object) -> Box:
        assert asked == wanted
        return Box(name="a", id="box-1", serial=7, color="red")

    with host(Toy(import_state=import_state)) as provider:
        (found,) = provider.import_state(Box, wanted)
        assert provider.read(found).value == STATE.value


def test_state_of_an_older_version() -> None:
    def upgrade(stored: StoredState, _: object) -> Box:
        assert stored.version == 1
        values = stored.values()
        return made(Box(name=values["title"], color=values["color"]))

    with host(Toy(upgrade=upgrade)) as provider:
        found = provider.upgrade(Box, {"title": "a", "color": "blue"}, 1).value
        same = provider.upgrade(Box, {"name": "a", "serial": "8", "gone": 1}, 2).value
    assert found == Box(name="a", id="box-1", serial=7, color="blue")
    assert same == Box(name="a", serial=8)


def test_data_sources() -> None:
    def read(config: Shelf, _: object) -> Shelf:
        config.boxes = [f"{present(config.name)}-1"]
        return config

    with host(Toy(read_data=read)) as provider:
        assert provider.read_data(Shelf(name="s")).value == Shelf(name="s", boxes=["s-1"])


def test_ephemeral_resources() -> None:
    moment = datetime(2031, 5, 4, 3, 2, 1)  # a time without a zone is UTC

    def open_key(config: Key, context: Any) -> Key:
        config.value = "hunter2"
        context.private, context.renew_at = b"kept", moment
        return config

    with host(Toy(open=open_key)) as provider:
        opened = provider.open_ephemeral(Key(name="k"))
    assert opened.value.value == "hunter2"
    assert opened.private == b"kept"
    assert opened.renew_at is not None
    assert opened.renew_at.isoformat() == "2031-05-04T03:02:01+00:00"


class Other(Resource, type_name="toy_other"):
    pass


def test_a_type_that_is_not_there() -> None:
    with host(Toy()) as provider, pytest.raises(ProviderError) as caught:
        provider.validate(Other())
    assert str(caught.value) == "error: The provider has no toy_other"


def test_what_the_code_cannot_read_is_its_own_fault(caplog: pytest.LogCaptureFixture) -> None:
    def read(state: Box, _: object) -> Box:
        return Box.from_json('"box"')

    with host(Toy(read=read)) as provider, pytest.raises(ProviderError) as caught:
        provider.read(STATE)
    assert str(caught.value) == (
        f"error: The provider is at fault: expected an object, got a string ({__file__}, line 244)"
    )
    assert "Traceback" in caplog.text


def test_stored_state_that_does_not_fit() -> None:
    with host(Toy()) as provider, pytest.raises(ProviderError) as caught:
        provider.upgrade(Box, {"name": ["a"]}, 2)
    assert str(caught.value) == (
        "error: The stored state of toy_box does not fit: name: expected a string, got a list"
    )
