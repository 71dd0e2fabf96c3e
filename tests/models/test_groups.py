"""GROUP blocks: never null, and empty when nothing in them is set."""

from __future__ import annotations

import pytest

from tofutypes import Attr, GroupBlock, ListBlock, NestedBlock, Resource, ValidationError


class Zone(NestedBlock):
    name: Attr[str] = Attr(required=True)


class Place(NestedBlock):
    zone: GroupBlock[Zone] = GroupBlock(default=None)
    avoid: ListBlock[Zone] = ListBlock(default=())
    host: Attr[str] = Attr(name="from", required=True)


class Server(Resource):
    place: GroupBlock[Place] = GroupBlock(default=None)


EMPTY: dict[str, object] = {"zone": {"name": None}, "avoid": [], "from": None}


@pytest.mark.parametrize(
    "given",
    [None, {}, {"zone": None}, {"zone": {}}, {"avoid": ()}, EMPTY, {"host": None, "avoid": []}],
    ids=str,
)
def test_what_sets_nothing_is_the_empty_block(given: object) -> None:
    assert Server.model_validate({"place": given}) == Server()


@pytest.mark.parametrize("by_alias", [False, True])
def test_an_empty_block_survives_a_dump(by_alias: bool) -> None:
    assert Server.model_validate(Server().model_dump(by_alias=by_alias)) == Server()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"zone": {"name": "a"}}, "place.from: missing required attribute"),
        ({"avoid": [{"name": "a"}]}, "place.from: missing required attribute"),
        ({"from": "a", "zone": {"x": None}}, "place.zone.name: missing required attribute"),
        ({"x": None}, "place.x: unknown attribute or nested block"),
    ],
    ids=str,
)
def test_what_sets_something_is_checked(given: object, message: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Server.model_validate({"place": given})
    assert message in str(caught.value).splitlines()[-2:]
