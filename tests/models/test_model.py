"""Values in models: what is taken and what becomes of it, what is refused and how."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from tests.models.samples import Cluster, Disk, Label, Login, Placement, Point, Server, Zone
from tofutypes import UNKNOWN, Dynamic, EncodeError, TofuSet, Unknown, ValidationError, parse_type

LIST = '["list","string"]'
NO_NAME = "unknown attribute or nested block"
A_STRING = "expected a string, got a number"
A_NUMBER = "expected a number, got a string"

# What is given for a `Server` besides its name, and what the error says.
BAD: list[tuple[dict[str, Any], str]] = [
    ({"name": None}, "name: expected a value, got null"),
    ({"name": 3}, f"name: {A_STRING}"),
    ({"name": b"a"}, "name: expected a string, got bytes"),
    (
        {"name": "\ud800"},
        "name: invalid Unicode: unpaired surrogate",
    ),
    ({"name": Disk(size=1)}, "name: expected a string, got a Disk"),
    ({"nmae": "a"}, f'nmae: {NO_NAME}; did you mean "name"?'),
    ({"on": "yes"}, "on: expected a bool, got a string"),
    ({"on": 1}, "on: expected a bool, got a number"),
    ({"price": "1"}, f"price: {A_NUMBER}"),
    ({"price": True}, "price: expected a number, got a bool"),
    ({"price": float("nan")}, "price: expected a number, got NaN"),
    ({"tags": ["a"]}, "tags: expected a map of string, got a list"),
    ({"tags": {"a": 1}}, f'tags["a"]: {A_STRING}'),
    ({"tags": {1: "a"}}, "tags: expected a string as key, got a number"),
    ({"ports": "80"}, "ports: expected a set of number, got a string"),
    ({"ports": [80, "80"]}, f"ports[1]: {A_NUMBER}"),
    ({"names": "abc"}, "names: expected a list of string, got a string"),
    ({"names": {"a": 1}}, "names: expected a list of string, got a map or an object"),
    ({"place": (1,)}, "place: expected a tuple of 2 elements, got 1"),
    ({"place": (1, 2)}, f"place[1]: {A_STRING}"),
    (
        {"anything": object()},
        "anything: expected a string, a number, a bool, a collection or null, got an object",
    ),
    ({"anything": Dynamic(1, parse_type('"string"'))}, f"anything: {A_STRING}"),
    ({"points": [{"x": "1"}]}, f"points[0].x: {A_NUMBER}"),
    ({"points": [{"y": 1}]}, "points[0].x: missing required attribute"),
    ({"points": [3]}, "points[0]: expected an object, got a number"),
    ({"logins": {"k": {"user": 3}}}, f'logins["k"].user: {A_STRING}'),
    ({"logins": {"k": {}}}, 'logins["k"].user: missing required attribute'),
    ({"admin": "a"}, "admin: expected an object, got a string"),
    ({"admin": Disk(size=1)}, "admin: expected a Login, got a Disk"),
    ({"root": [{"size": 1}]}, "root: expected an object, got a list"),
    ({"root": {"size": "1"}}, f"root.size: {A_NUMBER}"),
    ({"root": Server(name="a")}, "root: expected a Disk, got a Server"),
    ({"placement": 3}, "placement: expected an object, got a number"),
    (
        {"placement": {"zone": {"name": None, "disk": [{"size": 1}]}}},
        "placement.zone.name: expected a value, got null",
    ),
    (
        {"placement": {"zone": {"disk": [{"size": 1}]}}},
        "placement.zone.name: missing required attribute",
    ),
    (
        {"placement": {"zone": {"name": "a", "disk": [{"size": 1}, {"size": "1"}]}}},
        f"placement.zone.disk[1].size: {A_NUMBER}",
    ),
    ({"disk": [None]}, "disk[0]: expected a value, got null"),
    ({"disk": {"size": 1}}, "disk: expected a list of object, got a map or an object"),
    ({"disk": [{"size": 1}] * 3}, "disk: expected at most 2 blocks, got 3"),
    ({"volume": [{"size": None}]}, "volume[0].size: expected a value, got null"),
    ({"zone": [{"name": "a"}]}, "zone: expected a map of object, got a list"),
    ({"zone": {"k": None}}, 'zone["k"]: expected a value, got null'),
    ({"zone": {"k": {"name": 1}}}, f'zone["k"].name: {A_STRING}'),
    (
        {"label": [{"value": object()}]},
        "label[0].value: expected a string, a number, a bool, a collection or null, got an object",
    ),
    ({"id": Unknown(lower=1)}, "id: number bounds cannot refine an unknown string"),
    (
        {"tags": Unknown(prefix="a")},
        "tags: a string prefix cannot refine an unknown map of string",
    ),
]
BAD_CLUSTERS: list[tuple[dict[str, Any], str]] = [
    ({"main": None}, "main: expected a value, got null"),
    ({"hosts": None}, "hosts: expected a value, got null"),
    ({"node": None}, "node: expected at least 2 blocks, got 0"),
    ({"node": [{"size": 1}]}, "node: expected at least 2 blocks, got 1"),
    ({"node": [{"size": 1}] * 4}, "node: expected at most 3 blocks, got 4"),
]


@pytest.mark.parametrize(("given", "message"), BAD, ids=[message for _, message in BAD])
def test_bad_values(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError) as raised:
        Server.model_validate({"name": "a", **given})
    assert str(raised.value) == message
    assert repr(raised.value) == f"ValidationError({message!r})"


@pytest.mark.parametrize(("given", "message"), BAD, ids=[message for _, message in BAD])
def test_bad_values_are_not_assigned_either(given: dict[str, Any], message: str) -> None:
    [(name, value)] = given.items()
    server = Server(name="a")
    with pytest.raises(ValidationError) as raised:
        setattr(server, name, value)
    assert str(raised.value) == message
    assert server == Server(name="a")


@pytest.mark.parametrize(("given", "message"), BAD_CLUSTERS, ids=[each for _, each in BAD_CLUSTERS])
def test_what_must_be_there(given: dict[str, Any], message: str) -> None:
    good: dict[str, Any] = {"node": [{"size": 1}] * 2, "main": {"size": 1}, "hosts": []}
    assert Cluster.model_validate(good)
    with pytest.raises(ValidationError) as raised:
        Cluster.model_validate(good | given)
    assert str(raised.value) == message
    [name] = given
    with pytest.raises(ValidationError) as raised:
        Cluster.model_validate({key: value for key, value in good.items() if key != name})
    assert str(raised.value) == f"{name}: missing required attribute"


def test_several_errors_at_once() -> None:
    with pytest.raises(ValidationError) as raised:
        Server.model_validate(
            {"price": "1", "tags": {"a": 1}, "disk": [{"size": "1", "name": 3}], "nmae": 1}
        )
    assert str(raised.value).split("\n") == [
        "6 values do not fit Server:",
        "name: missing required attribute",
        f"price: {A_NUMBER}",
        f'tags["a"]: {A_STRING}',
        f"disk[0].size: {A_NUMBER}",
        f"disk[0].name: {A_STRING}",
        f'nmae: {NO_NAME}; did you mean "name"?',
    ]
    assert [error["loc"] for error in raised.value.errors()][1:4] == [
        ("price",),
        ("tags", "a"),
        ("disk", 0, "size"),
    ]


def test_names_of_the_schema_and_of_python() -> None:
    assert Server.model_validate({"name": "a", "from": "b"}) == Server(name="a", from_="b")
    assert Server.model_validate({"name": "a", "from_": "b"}) == Server(name="a", from_="b")
    with pytest.raises(ValidationError) as raised:
        Server.model_validate({"name": "a", "from": "b", "from_": "b"})
    assert str(raised.value) == f'from_: {NO_NAME}; did you mean "from_"?'


@pytest.mark.parametrize("given", [3, None, [], "a", Disk(size=1)])
def test_what_is_no_object(given: object) -> None:
    with pytest.raises(ValidationError, match=r"^expected an object$"):
        Server.model_validate(given)


GOOD: list[tuple[str, Any, Any]] = [
    ("name", "e\N{COMBINING ACUTE ACCENT}", "é"),
    ("price", 0.1, Decimal("0.1")),
    ("price", 3.0, 3),
    ("price", Decimal("3.00"), 3),
    ("price", 10**30, 10**30),
    ("tags", {"e\N{COMBINING ACUTE ACCENT}": None}, {"é": None}),
    ("ports", [443, 80, 80.0], TofuSet([80, 443])),
    ("ports", {80}, TofuSet([80])),
    ("ports", frozenset([80]), TofuSet([80])),
    ("names", ("a", None, UNKNOWN), ["a", None, UNKNOWN]),
    ("place", [1, "a"], (1, "a")),
    ("points", [{"x": 0.5}], [Point(x=0.5, y=None)]),
    ("logins", {"k": {"user": "a"}}, {"k": Login(user="a", password=None)}),
    ("root", {"size": 1}, Disk(size=1)),
    ("disk", ({"size": 1},), [Disk(size=1)]),
    ("disk", None, []),
    ("volume", [{"size": 1}, {"size": 1.0}], TofuSet([Disk(size=1)])),
    ("zone", {"k": {"name": "a"}}, {"k": Zone(name="a")}),
    ("zone", None, {}),
    ("label", [{"value": 1}, {"value": "a"}], [Label(value=1), Label(value="a")]),
    ("anything", "a", Dynamic("a")),
    ("anything", [1, "a"], Dynamic((1, "a"), parse_type('["tuple",["number","string"]]'))),
    (
        "anything",
        Dynamic(["a"], parse_type(LIST)),
        Dynamic(["a"], parse_type(LIST)),
    ),
    ("id", Unknown(prefix="i-", not_null=True), Unknown(prefix="i-", not_null=True)),
    ("price", Unknown(lower=0), Unknown(lower=0)),
    ("tags", Unknown(min_length=1), Unknown(min_length=1)),
    *[(name, UNKNOWN, UNKNOWN) for name in Server.model_fields],
]


@pytest.mark.parametrize(("name", "given", "becomes"), GOOD)
def test_good_values(name: str, given: Any, becomes: object) -> None:
    made = Server.model_validate({"name": "a", name: given})
    assigned = Server(name="a")
    setattr(assigned, name, given)
    for server in (made, assigned, Server.from_msgpack(made.to_msgpack())):
        value = getattr(server, name)
        assert value == becomes
        assert type(value) is type(becomes)
    assert made == assigned


def test_lists_are_copied_and_instances_are_not() -> None:
    disks, tags = [Disk(size=1)], {"a": "b"}
    server = Server(name="a", disk=disks, tags=tags)
    assert server.disk == disks
    assert server.disk is not disks
    assert isinstance(server.disk, list)
    assert server.disk[0] is disks[0]
    assert server.tags is not tags
    assert Server(name="a").disk is not Server(name="a").disk


def test_what_is_left_out() -> None:
    server = Server(name="a")
    empty_zone: dict[str, object] = {"name": None, "disk": []}
    assert server.placement == Placement.from_msgpack(
        b"\x82\xa4host\xc0\xa4zone\x82\xa4disk\x90\xa4name\xc0"
    )
    given = {name: value for name, value in server.model_dump().items() if value is not None}
    assert given == {
        "name": "a",
        "placement": {"host": None, "zone": empty_zone},
        "disk": [],
        "volume": [],
        "zone": {},
        "label": [],
        "note": {},
    }
    server.placement = None  # type: ignore[assignment]  # pyright: ignore[reportAttributeAccessIssue]
    assert server == Server(name="a")


EXEMPT: list[Any] = [UNKNOWN, [UNKNOWN], [Disk(size=UNKNOWN)], [Disk(size=1, name=UNKNOWN)] * 5]


@pytest.mark.parametrize("node", EXEMPT)
def test_unknown_blocks_are_not_counted(node: Any) -> None:
    cluster = Cluster(node=node, main=UNKNOWN, hosts=UNKNOWN)
    assert Cluster.from_msgpack(cluster.to_msgpack()) == cluster


def test_equality_is_by_value() -> None:
    assert Disk(size=3) == Disk(size=3.0) == Disk(size=Decimal("3.00"))
    assert Disk(size=3) != Disk(size=4)
    others: list[object] = [Point(x=1), {"size": 1, "name": None}, UNKNOWN]
    assert Disk(size=1) not in others
    assert Server(name="a", ports=[1, 2]) == Server(name="a", ports=[2, 1, 1])
    assert Server(name="a", tags={"a": "b", "c": None}) == Server(
        name="a", tags={"c": None, "a": "b"}
    )


def test_instances_are_not_hashable() -> None:
    with pytest.raises(TypeError):
        hash(Disk(size=1))


def test_repr_says_what_is_set() -> None:
    assert repr(Server(name="a")) == "Server(name='a')"
    server = Server(name="a", disk=[Disk(size=0.5)], placement=Placement(host="b"), id=UNKNOWN)
    assert repr(server) == (
        "Server(name='a', id=Unknown(), placement=Placement(host='b'), "
        "disk=[Disk(size=Decimal('0.5'))])"
    )


CHANGES: list[tuple[Callable[[Server], object], str]] = [
    (lambda server: server.names.append(3), f"names[1]: {A_STRING}"),  # type: ignore[arg-type, union-attr]
    (lambda server: server.tags.update({"a": 1}), f'tags["a"]: {A_STRING}'),  # type: ignore[dict-item, union-attr]
    (lambda server: server.disk.append("a"), "disk[0]: expected an object, got a string"),  # type: ignore[arg-type, union-attr]
]


@pytest.mark.parametrize(("change", "message"), CHANGES)
def test_what_was_changed_inside_is_checked_when_written(
    change: Callable[[Server], object], message: str
) -> None:
    server = Server(name="a", names=["a"], tags={})
    change(server)
    for write in (server.to_msgpack, server.to_json):
        with pytest.raises(EncodeError) as raised:
            write()
        assert str(raised.value) == message
