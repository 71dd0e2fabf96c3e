"""Bytes and JSON that are not what the schema says, and nulls where blocks stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgpack
import pytest

from tests.models.samples import Cluster, Disk, Placement, Server, Zone
from tofutypes import UNKNOWN, DecodeError, EncodeError, Model, TofuSet, Unknown, ValidationError

REQUIRED: dict[str, Any] = {"name": "a"}


def wire_of(model: type[Model], **values: object) -> dict[str, Any]:
    """What is on the wire for an instance of which only this is set."""
    empty: dict[str, dict[str, Any]] = {
        "Server": {"disk": [], "volume": [], "zone": {}},
        "Cluster": {"node": [{"size": 1, "name": None}] * 2, "hosts": []},
    }
    names = [field.name for field in model.__tofu_layout__().fields]
    # Blocks with a dynamic attribute inside: a pair of their type and what they are.
    pairs = {"label": [b'["tuple",[]]', []], "note": [b'["object",{}]', {}]}
    return (
        dict.fromkeys(names)
        | {k: v for k, v in (pairs | empty[model.__name__]).items() if k in names}
        | values
    )


def decoded(model: type[Model], **values: object) -> Any:
    return model.from_msgpack(msgpack.packb(wire_of(model, **values)))


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"name": None}, "name: expected a value, got null"),
    ({"name": 3}, "name: expected a string, got a number"),
    ({"price": "a"}, "price: expected a number, got other text"),
    ({"on": "a"}, "on: expected a bool, got a string"),
    ({"tags": {"a": 1}}, 'tags["a"]: expected a string, got a number'),
    ({"root": {"size": None, "name": None}}, "root.size: expected a value, got null"),
    ({"root": {"size": 1}}, "root.name: missing attribute or nested block"),
    (
        {"root": {"size": 1, "nmae": None}},
        'root.nmae: unknown attribute or nested block; did you mean "name"?',
    ),
    ({"disk": [None]}, "disk[0]: expected a value, got null"),
    ({"disk": [{"size": 1, "name": None}] * 3}, "disk: expected at most 2 blocks, got 3"),
    ({"disk": {}}, "disk: expected a list of object, got a map or an object"),
    ({"zone": {"k": None}}, 'zone["k"]: expected a value, got null'),
    ({"nmae": 1}, 'nmae: unknown attribute or nested block; did you mean "name"?'),
]


@pytest.mark.parametrize(("values", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(DecodeError) as raised:
        decoded(Server, **{"name": "a", **values})
    assert str(raised.value) == message


@pytest.mark.parametrize("decode", [Server.from_msgpack, Server.from_json])
@pytest.mark.parametrize(
    "data", [b"", b"\xc1", b"{", b"\xc0", b"null", b"\x90", b"[]", b"\xd4\x00\x00"]
)
def test_no_object(decode: Callable[[bytes], Server], data: bytes) -> None:
    with pytest.raises(DecodeError):
        decode(data)


UNSET: dict[str, Any] = {"name": None, "disk": []}


@pytest.mark.parametrize(
    "placement", [None, {"host": None, "zone": None}, {"host": None, "zone": UNSET}]
)
def test_an_absent_group_is_a_block_in_which_nothing_is_set(placement: Any) -> None:
    server = decoded(Server, name="a", placement=placement)
    assert server == Server(name="a")
    assert isinstance(server.placement, Placement)
    assert isinstance(server.placement.zone, Zone)
    assert server.placement.zone.name is None  # although it is required
    assert server.placement.zone.disk == []
    assert msgpack.unpackb(server.to_msgpack())["placement"] == {"host": None, "zone": UNSET}


def test_a_group_that_is_set_is_checked() -> None:
    with pytest.raises(DecodeError) as raised:
        decoded(Server, name="a", placement={"host": None, "zone": UNSET | {"disk": [None]}})
    assert str(raised.value) == "placement.zone.disk[0]: expected a value, got null"


def test_null_for_no_blocks() -> None:
    server = decoded(Server, name="a", disk=None, volume=None, zone=None, root=None)
    assert (server.disk, server.volume, server.zone, server.root) == ([], TofuSet(), {}, None)
    with pytest.raises(DecodeError, match=r"^main: expected a value, got null$"):
        decoded(Cluster)
    with pytest.raises(DecodeError, match=r"^node: expected at least 2 blocks, got 0$"):
        decoded(Cluster, node=None, main={"size": 1, "name": None})


def test_unknown_values_with_refinements() -> None:
    server = decoded(
        Server,
        name=msgpack.ExtType(12, b"\x82\x01\xc2\x02\xa2i-"),
        disk=msgpack.ExtType(0, b"\x00"),
        placement=msgpack.ExtType(0, b"\x00"),
        volume=[msgpack.ExtType(0, b"\x00")] * 2,
    )
    assert server.name == Unknown(not_null=True, prefix="i-")
    assert server.disk == server.placement == UNKNOWN
    assert len(server.volume) == 2
    assert Server.from_msgpack(server.to_msgpack()) == server


def test_refinements_that_decide_the_value() -> None:
    server = decoded(Server, name="a", tags=msgpack.ExtType(12, b"\x82\x01\xc2\x06\x00"))
    assert server.tags == {}
    server = decoded(
        Server, name="a", price=msgpack.ExtType(12, b"\x83\x01\xc2\x03\x92\x05\xc3\x04\x92\x05\xc3")
    )
    assert server.price == 5


def test_json_has_no_unknown_values() -> None:
    server = Server(name="a", disk=[Disk(size=UNKNOWN)])
    message = "disk[0].size: JSON cannot represent unknown values"
    for write in (server.to_json, server.model_dump_json, lambda: server.model_dump(mode="json")):
        with pytest.raises(EncodeError) as raised:
            write()
        assert str(raised.value) == message


def test_numbers_of_json_are_exact() -> None:
    digits = "0.1000000000000000055511151231257827"
    read = Server.model_validate_json(f'{{"name": "a", "price": {digits}}}')
    assert str(read.price) == digits
    assert f'"price":{digits}' in read.to_json()
    with pytest.raises(ValidationError, match=r"^price: expected a number, got a string$"):
        Server.model_validate_json('{"name": "a", "price": "1"}')
    with pytest.raises(DecodeError, match="JSON"):
        Server.model_validate_json("{")
