"""Configurations made of the state of imported objects."""

from __future__ import annotations

from typing import Any

import pytest

from tests.provider.server.boxes import Box, Boxes, Slot, Toy
from tofutypes import (
    Attr,
    ListBlock,
    NestedBlock,
    NestedObject,
    Resource,
    SetBlock,
    SingleBlock,
)
from tofutypes.provider import PluginError, ProviderError, generated_config
from tofutypes.provider.client import State, host


class Door(NestedBlock):
    width: Attr[int] = Attr(required=True)
    serial: Attr[str | None] = Attr(computed=True, default=None)
    color: Attr[str | None] = Attr(optional=True, computed=True, default="red")


class Old(NestedBlock, deprecated=True):
    size: Attr[int | None] = Attr(optional=True, default=None)


class Lamp(NestedObject):
    name: Attr[str] = Attr(required=True)
    watts: Attr[int | None] = Attr(computed=True, default=None)


class House(Resource, type_name="toy_house"):
    name: Attr[str] = Attr(required=True)
    id: Attr[str | None] = Attr(optional=True, computed=True, default=None)
    serial: Attr[str | None] = Attr(computed=True, default=None)
    code: Attr[str | None] = Attr(optional=True, write_only=True, default=None)
    note: Attr[str | None] = Attr(optional=True, default=None)
    floors: Attr[int | None] = Attr(optional=True, computed=True, default=1)
    size: Attr[str | None] = Attr(optional=True, deprecated=True, default=None)
    kind: Attr[str] = Attr(required=True, deprecated=True)
    lamps: Attr[list[Lamp] | None] = Attr(optional=True, default=None)
    front: SingleBlock[Door | None] = SingleBlock(default=None)
    doors: ListBlock[Door] = ListBlock(default=())
    gates: SetBlock[Door] = SetBlock(default=())
    old: ListBlock[Old] = ListBlock(default=())


def test_what_is_left_out() -> None:
    door, door_config = Door(width=1, serial="7", color="red"), Door(width=1, color=None)
    state = House(
        name="a",
        id="house-1",
        serial="9",
        note="",
        floors=1,
        size="big",
        kind="hut",
        lamps=[Lamp(name="x", watts=5)],
        front=door,
        doors=[door, Door(width=2, serial="8", color="blue")],
        gates=[door],
        old=[Old(size=1)],
    )
    assert generated_config(state) == House(
        name="a",
        id="house-1",
        note="",
        floors=None,
        kind="hut",
        lamps=[Lamp(name="x")],
        front=door_config,
        doors=[door_config, Door(width=2, color="blue")],
        gates=[door_config],
    )


STATE = Box(name="a", id="box-1", serial=7, color="red", slot=[Slot(size=1, id="s")])


def test_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    with host(Toy()) as provider:
        config = provider.generate_config(State(STATE))
        assert config == Box(name="a", color="red", slot=[Slot(size=1)])
        provider.validate(config)
        with pytest.raises(PluginError, match="expected a state"):
            provider.generate_config(State(None))

    def without_color(self: Boxes, state: Box, context: Any) -> Box:
        context.warn("Without a color")
        config = generated_config(state)
        config.color = None
        return config

    monkeypatch.setattr(Boxes, "generate_config", without_color)
    with host(Toy()) as provider:
        assert provider.generate_config(State(STATE)).color is None
    monkeypatch.setattr(Boxes, "generate_config", lambda *_: None)
    with host(Toy()) as provider, pytest.raises(ProviderError, match="must return Box, but ret"):
        provider.generate_config(State(STATE))
