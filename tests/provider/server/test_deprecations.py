"""Deprecations that a provider declares, as clients of both protocol versions see them."""

from __future__ import annotations

from typing import Any

import pytest

from tofutypes import (
    UNKNOWN,
    Attr,
    DataSource,
    ListBlock,
    NestedBlock,
    ProviderConfig,
    Resource,
    function,
)
from tofutypes.provider import DataSourceHandler, Provider, ResourceHandler
from tofutypes.provider.client import host
from tofutypes.schema import Attribute, Block


class Slot(NestedBlock, deprecated=True, deprecation_message="Use shelves."):
    size: Attr[int | None] = Attr(
        optional=True, deprecated=True, deprecation_message="Use width.", default=None
    )


class Box(Resource, type_name="old_box", deprecated=True, deprecation_message="Use old_crate."):
    name: Attr[str] = Attr(required=True, deprecated=True, deprecation_message="Use label.")
    note: Attr[str | None] = Attr(optional=True, deprecated=True, default=None)
    fine: Attr[str | None] = Attr(optional=True, default=None)
    slot: ListBlock[Slot] = ListBlock(default=())


class Shelf(DataSource, type_name="old_shelf", deprecated=True, deprecation_message="Use a box."):
    name: Attr[str] = Attr(required=True)


class Config(ProviderConfig, type_name="old"):
    token: Attr[str | None] = Attr(
        optional=True, deprecated=True, deprecation_message="Use a file.", default=None
    )


class Boxes(ResourceHandler[Box]):
    def create(self, planned: Box, context: Any) -> Box:
        return planned

    def delete(self, state: Box, context: Any) -> None: ...


class Shelves(DataSourceHandler[Shelf]):
    def read(self, config: Shelf, context: Any) -> Shelf:
        return config


@function(deprecation_message="Use lower.")
def shout(text: str) -> str:
    return text.upper()


class Old(Provider[Config]):
    address = "registry.opentofu.org/example/old"
    resources = (Boxes,)
    data_sources = (Shelves,)
    functions = (shout,)


@pytest.mark.parametrize("major", [5, 6])
def test_served_and_read(major: int) -> None:
    with host(Old, major) as provider:
        schema = provider.schema
    box = schema.resources["old_box"].block
    slot = box.block_types["slot"].block
    assert schema.provider is not None
    deprecated: dict[str, Block | Attribute] = {
        "box": box,
        "box.name": box.attributes["name"],
        "box.note": box.attributes["note"],
        "box.fine": box.attributes["fine"],
        "box.slot": slot,
        "box.slot.size": slot.attributes["size"],
        "shelf": schema.data_sources["old_shelf"].block,
        "config.token": schema.provider.block.attributes["token"],
    }
    assert {
        name: (part.deprecated, part.deprecation_message) for name, part in deprecated.items()
    } == {
        "box": (True, "Use old_crate."),
        "box.name": (True, "Use label."),
        "box.note": (True, None),
        "box.fine": (False, None),
        "box.slot": (True, "Use shelves."),
        "box.slot.size": (True, "Use width."),
        "shelf": (True, "Use a box."),
        "config.token": (True, "Use a file."),
    }
    assert schema.functions["shout"].deprecation_message == "Use lower."


@pytest.mark.parametrize(
    ("config", "warnings"),
    [
        (
            Box(name="a", slot=UNKNOWN),
            [
                "old_box is deprecated: Use old_crate.",
                "Argument is deprecated (name): Use label.",
            ],
        ),
        (
            Box(name=UNKNOWN, note="", fine="b", slot=[Slot(), Slot(size=1)]),
            [
                "old_box is deprecated: Use old_crate.",
                "Argument is deprecated (note)",
                "Block is deprecated (slot): Use shelves.",
                "Argument is deprecated (slot[1].size): Use width.",
            ],
        ),
        (Shelf(name="a"), ["old_shelf is deprecated: Use a box."]),
        (Config(), []),
        (Config(token="secret"), ["Argument is deprecated (token): Use a file."]),
    ],
    ids=["unknown block", "blocks", "data source", "nothing set", "provider"],
)
def test_warnings(config: Box | Shelf | Config, warnings: list[str]) -> None:
    with host(Old) as provider:
        reported = provider.validate(config).diagnostics
    assert [str(warning) for warning in reported] == [f"warning: {text}" for text in warnings]
