"""What pydantic's users do with models: validators, copies, dumps, JSON schemas, other models."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pydantic
import pytest
from pydantic import BaseModel, PrivateAttr, TypeAdapter, field_validator, model_validator

from tests.models.samples import Cluster, Disk, Label, Login, Placement, Server, Zone
from tofutypes import (
    UNKNOWN,
    AnyNumber,
    Attr,
    DecodeError,
    Dynamic,
    EncodeError,
    ListBlock,
    Model,
    Number,
    Resource,
    TofuSet,
    Unknown,
    ValidationError,
    is_known,
    schema_of,
)

FULL: dict[str, Any] = {
    "name": "é",
    "id": "i-1",
    "price": Decimal("0.1"),
    "on": True,
    "from": "a",
    "secret": "b",
    "tags": {"a": "b", "c": None},
    "ports": [80, 443],
    "names": ["a", None],
    "place": (1, "a"),
    "points": [{"x": 1, "y": None}],
    "logins": {"k": {"user": "a"}},
    "admin": {"user": "a", "password": "b"},
    "root": {"size": 1},
    "placement": {"host": "a", "zone": {"name": "b", "disk": [{"size": 2}]}},
    "disk": [{"size": Decimal("1.5"), "name": "c"}],
    "volume": [{"size": 1}, {"size": 2}],
    "zone": {"k": {"name": "a"}},
}
server = Server.model_validate(FULL)
with_dynamic = Server(
    name="a",
    anything=[1, "b"],
    label=[Label(value=1)],
    id=UNKNOWN,
    placement=Placement(zone=Zone(name="a")),
)

INSTANCES: dict[str, Model] = {
    "made": server,
    "decoded": Server.from_msgpack(server.to_msgpack()),
    "with dynamic values": with_dynamic,
    "decoded, with dynamic values": Server.from_msgpack(with_dynamic.to_msgpack()),
}
COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "model_copy": lambda value: value.model_copy(),
    "deep model_copy": lambda value: value.model_copy(deep=True),
    "dump": lambda value: Server.model_validate(value.model_dump()),
    "dump by alias": lambda value: Server.model_validate(value.model_dump(by_alias=True)),
}


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("which", INSTANCES)
def test_copies(which: str, how: str) -> None:
    instance = INSTANCES[which]
    copied = COPIES[how](instance)
    assert type(copied) is Server
    assert copied == instance
    assert copied is not instance
    assert copied.to_msgpack() == instance.to_msgpack()
    with pytest.raises(ValidationError):
        copied.name = 3  # type: ignore[assignment]
    copied.name = "other"
    assert copied != instance


@pytest.mark.parametrize("decoded", [False, True])
def test_deep_copies_share_nothing(decoded: bool) -> None:
    original = Server.from_msgpack(server.to_msgpack()) if decoded else server.model_copy(deep=True)
    deep, flat = copy.deepcopy(original), original.model_copy(update={"name": "other"})
    assert is_known(original.disk)
    original.disk.clear()
    assert deep != original
    assert flat.disk == []
    assert flat.name == "other"


def test_fields_set() -> None:
    assert Server(name="a", id=None).model_fields_set == {"name", "id"}
    assert Server.from_msgpack(server.to_msgpack()).model_fields_set == set(Server.model_fields)


def test_dump() -> None:
    dumped = server.model_dump()
    assert dumped["from_"] == "a"
    assert dumped["ports"] == [80, 443]
    assert dumped["place"] == (1, "a")
    assert dumped["price"] == Decimal("0.1")
    assert dumped["disk"] == [{"size": Decimal("1.5"), "name": "c"}]
    assert dumped["placement"]["zone"]["disk"] == [{"size": 2, "name": None}]
    assert server.model_dump(by_alias=True)["from"] == "a"
    assert server.model_dump(include={"name", "root"}, exclude_none=True) == {
        "name": "é",
        "root": {"size": 1},
    }
    assert Server(name="a").model_dump(exclude_unset=True) == {"name": "a"}
    assert with_dynamic.model_dump(include={"id", "anything"}) == {
        "id": UNKNOWN,
        "anything": Dynamic((1, "b")),
    }


def test_dump_for_json() -> None:
    dumped = server.model_dump(mode="json")
    assert dumped["price"] == 0.1
    assert dumped["place"] == [1, "a"]
    exact = Disk(size=Decimal("0.1000000000000000055511151231257827"))
    assert exact.model_dump(mode="json")["size"] == "0.1000000000000000055511151231257827"
    assert Disk(size=2**70).model_dump_json() == f'{{"size":{2**70},"name":null}}'
    assert Label(value=[1]).model_dump(mode="json") == {
        "value": {"type": ["tuple", ["number"]], "value": [1]}
    }


@pytest.mark.parametrize("by_alias", [False, True])
def test_json_of_pydantic_and_back(by_alias: bool) -> None:
    text = server.model_dump_json(by_alias=by_alias)
    assert Server.model_validate_json(text) == server
    assert Server.model_validate_json(text.encode()) == server
    assert TypeAdapter(Server).validate_json(text) == server


class Plain(BaseModel):
    server: Server
    disks: list[Disk] = []
    count: int = 0


def test_inside_other_models() -> None:
    plain = Plain.model_validate({"server": FULL, "disks": [{"size": 1}], "count": "3"})
    assert plain.server == server
    assert plain.disks == [Disk(size=1)]
    assert Plain(server=server).server is server
    assert Plain.model_validate_json(plain.model_dump_json()) == plain
    assert Plain.model_validate(plain.model_dump()) == plain
    with pytest.raises(ValueError, match=r"server\.price[\s\S]*expected a number, got a string"):
        Plain.model_validate({"server": FULL | {"price": "1"}})


def test_type_adapter() -> None:
    adapter = TypeAdapter(list[Server])
    assert adapter.validate_python([FULL, server]) == [server, server]
    assert adapter.validate_json(adapter.dump_json([server])) == [server]
    assert set(adapter.json_schema()["$defs"]) >= {"Server", "Disk", "Zone"}


class Picky(Resource, type_name="picky"):
    name: Attr[str] = Attr(required=True)
    size: Attr[Number | None, AnyNumber | None] = Attr(optional=True, default=None)
    disk: ListBlock[Disk] = ListBlock(default=())
    _seen: list[str] = PrivateAttr(default_factory=list)

    @field_validator("name")
    @classmethod
    def _lower(cls, value: Any) -> Any:
        if value == "bad":
            raise ValueError("the name is bad")
        return value.lower() if isinstance(value, str) else value

    @model_validator(mode="after")
    def _lucky(self) -> Picky:
        if self.size == 13:
            raise ValueError("the size is unlucky")
        return self

    def model_post_init(self, context: object) -> None:
        self._seen.append("made")


class Finer(Picky, type_name="finer", version=2):
    fine: Attr[bool | None] = Attr(optional=True, default=None)

    def shout(self) -> str:
        return self.name.upper() if is_known(self.name) else "?"


@pytest.mark.parametrize("model", [Picky, Finer])
def test_validators_of_users(model: type[Picky]) -> None:
    made = model(name="ABC")
    decoded = model.from_msgpack(made.to_msgpack().replace(b"abc", b"ABC"))
    for instance in (made, decoded):
        assert instance.name == "abc"
        assert instance._seen == ["made"]
        instance.name = "XYZ"
        assert instance.name == "xyz"
        instance._seen = ["other"]
        assert (
            copy.deepcopy(instance)._seen == pickle.loads(pickle.dumps(instance))._seen == ["other"]
        )
        with pytest.raises(ValidationError, match=r"^name: the name is bad$"):
            instance.name = "bad"
    with pytest.raises(ValidationError, match=r"^name: the name is bad$"):
        model(name="bad")
    with pytest.raises(ValidationError, match=r"^the size is unlucky$"):
        model(name="abc", size=13)
    wire = model(name="abc").to_msgpack()
    with pytest.raises(DecodeError, match=r"^name: the name is bad$"):
        model.from_msgpack(wire.replace(b"abc", b"bad"))
    with pytest.raises(DecodeError, match=r"^the size is unlucky$"):
        model.from_msgpack(wire.replace(b"size\xc0", b"size\x0d"))


def test_subclasses() -> None:
    finer = Finer(name="ABC", fine=True)
    assert finer.shout() == "ABC"
    schema = schema_of(Finer)
    assert (schema.version, list(schema.block.attributes)) == (2, ["fine", "name", "size"])
    assert Finer.from_msgpack(finer.to_msgpack()) == finer
    assert schema_of(Picky).version == 0


class Checked(Resource):
    login: Attr[Login | None] = Attr(optional=True, default=None)
    names: Attr[TofuSet[str] | None, list[str] | None] = Attr(optional=True, default=None)

    @field_validator("names", mode="before")
    @classmethod
    def _split(cls, value: Any) -> Any:
        return value.split(",") if isinstance(value, str) else value


def test_validators_before_ours() -> None:
    checked = Checked.model_validate({"names": "b,a"})
    assert checked.names == TofuSet(["a", "b"])
    properties = Checked.model_json_schema()["properties"]
    assert properties["names"]["anyOf"][0]["type"] == "array"


def test_json_schema() -> None:
    schema = Server.model_json_schema()
    assert set(schema["$defs"]) == {
        each.__name__ for each in (Disk, Label, Login, Placement, Zone)
    } | {"Point"}
    assert schema["description"] == "A server."
    assert schema["required"] == ["name"]
    assert schema["additionalProperties"] is False
    said = schema["properties"]
    assert said["name"] == {"type": "string", "title": "Name", "description": "What it is called."}
    assert said["id"]["readOnly"] is True
    assert "readOnly" not in said["on"]
    assert said["from"]["deprecated"] is True
    assert said["secret"]["writeOnly"] is True
    assert said["price"]["description"] == "Euros an hour"
    assert schema["$defs"]["Label"]["deprecated"] is True
    assert said["disk"]["items"] == {"$ref": "#/$defs/Disk"}
    assert said["disk"]["maxItems"] == 2
    assert said["volume"]["uniqueItems"] is True
    assert said["zone"]["additionalProperties"] == {"$ref": "#/$defs/Zone"}
    assert said["placement"] == {"$ref": "#/$defs/Placement", "default": None}
    assert said["place"]["anyOf"][0]["prefixItems"][0] == {
        "anyOf": [{"type": "number"}, {"type": "null"}]
    }
    least = Cluster.model_json_schema()["properties"]["node"]
    assert (least["minItems"], least["maxItems"]) == (2, 3)


class Order(BaseModel):
    server: Server
    disks: list[Disk]


def test_errors_inside_another_model() -> None:
    secret = {"name": "a", "secret": 3, "key": "s3cr3t", "nmae": 1}
    with pytest.raises(pydantic.ValidationError) as raised:
        Order.model_validate({"server": secret, "disks": [{"size": "large"}, {}, "s3cr3t"]})
    errors = raised.value.errors(include_url=False)
    assert [(error["loc"], error["msg"]) for error in errors] == [
        (("server", "secret"), "expected a string, got a number"),
        (("server", "nmae"), 'unknown attribute or nested block; did you mean "name"?'),
        (("disks", 0, "size"), "expected a number, got a string"),
        (("disks", 1, "size"), "missing required attribute"),
        (("disks", 2), "expected an object"),
    ]
    assert {error["type"] for error in errors} == {"tofu_value"}
    assert [error["input"] for error in errors] == [None] * 5
    assert [error.get("ctx") for error in errors][:2] == [{"path": "secret"}, {"path": "nmae"}]
    text = json.dumps(errors) + raised.value.json() + str(raised.value)
    assert "s3cr3t" not in text


def test_errors_of_validators_inside_another_model() -> None:
    adapter = TypeAdapter(list[Picky])
    with pytest.raises(pydantic.ValidationError) as raised:
        adapter.validate_python([{"name": "a", "size": 13}])
    [error] = raised.value.errors(include_url=False)
    assert (error["loc"], error["msg"], error["input"]) == ((0,), "the size is unlucky", None)


def test_markers_for_unknown_values() -> None:
    disk = Disk(size=UNKNOWN, name=Unknown(prefix="a"))
    marked = {"size": "(unknown)", "name": "(unknown)"}
    context = {"unknown": "(unknown)"}
    assert disk.model_dump(context=context) == marked
    assert disk.model_dump(mode="json", context=context) == marked
    assert json.loads(disk.model_dump_json(context=context)) == marked
    assert Disk(size=1).model_dump(mode="json", context={"unknown": None}) == {
        "size": 1,
        "name": None,
    }
    with pytest.raises(EncodeError, match=r"^name: JSON cannot represent unknown values$"):
        disk.model_dump(mode="json", context={"other": 1})
