"""State: of `show -json` and of state files; read, changed, written."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from tests.documents.shown import text_of
from tests.golden.nimbus.nimbus import registry
from tests.golden.nimbus.nimbus.data_sources.nimbus_image import NimbusImage
from tests.golden.nimbus.nimbus.resources.nimbus_server import NetworkInterface, NimbusServer
from tofutypes import DocumentError, Dynamic, EncodeError, TofuSet, Unknown, known, present
from tofutypes.documents import (
    InferredDynamic,
    ShownState,
    StoredResource,
    StoredState,
    Values,
    read_state,
)

SERVER = NimbusServer(
    name="web",
    id="srv-1",
    password="hunter2",
    hourly_price=Decimal("0.1234567890123456789012345"),
    ssh_keys=["b", "a"],
    metadata=Dynamic(["a", 1]),
    network_interface=[NetworkInterface(network_id="n-1")],
)


def attributes(server: NimbusServer = SERVER) -> Any:
    return json.loads(server.to_json(), parse_float=Decimal)


def state_file(*instances: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "version": 4,
        "terraform_version": "1.10.0",
        "serial": 7,
        "lineage": "8b2c",
        "outputs": {
            "ids": {"value": ["b", "a"], "type": ["set", "string"]},
            "token": {"value": "hunter2", "type": "string", "sensitive": True},
        },
        "resources": [
            {
                "module": 'module.net["a"]',
                "mode": "managed",
                "type": "nimbus_server",
                "name": "web",
                "provider": 'module.net.provider["registry.opentofu.org/example/nimbus"].west',
                "instances": list(instances),
            }
        ],
        "check_results": None,
        **more,
    }


def instance(**more: Any) -> dict[str, Any]:
    return {"schema_version": 2, "attributes": attributes(), "sensitive_attributes": [], **more}


def server_in(state: Any) -> Any:
    [server] = state.resources_of(NimbusServer)
    return server


def test_a_state_file_is_typed_exactly() -> None:
    document = state_file(
        instance(
            index_key="x",
            status="tainted",
            private="aGk=",
            dependencies=["nimbus_network.n"],
            create_before_destroy=True,
            identity={"name": "web"},
            identity_schema_version=1,
            future=[1],
        )
    )
    state = read_state(document, registry)
    assert isinstance(state, StoredState)
    assert (state.serial, state.lineage, state.terraform_version) == (7, "8b2c", "1.10.0")
    server = server_in(state)
    assert server.__class__ is StoredResource
    assert server.address == 'module.net["a"].nimbus_server.web["x"]'
    assert server.provider_name == "registry.opentofu.org/example/nimbus"
    assert server.provider_alias == "west"
    assert server.values == SERVER
    assert not isinstance(server.values.metadata, InferredDynamic)
    assert (server.is_tainted, server.private, server.depends_on) == (
        True,
        b"hi",
        ("nimbus_network.n",),
    )
    assert (server.create_before_destroy, server.deposed_key) == (True, None)
    assert (server.identity, server.identity_schema_version) == ({"name": "web"}, 1)
    assert server.extra == {"future": [1]}
    assert state.resource(server.address) is not None
    assert state.outputs["ids"].value == TofuSet(["a", "b"])
    assert state.outputs["token"].is_sensitive
    assert "hunter2" not in repr(state.outputs) + repr(server.values) + repr(server.plain_values)


def test_a_state_of_show_json_is_typed() -> None:
    resource = {
        "address": "module.net.nimbus_server.web",
        "mode": "managed",
        "type": "nimbus_server",
        "name": "web",
        "provider_name": "registry.opentofu.org/example/nimbus",
        "schema_version": 2,
        "values": {**attributes(), "metadata": ["a", 1]},
        "sensitive_values": {"name": True},
        "tainted": True,
    }
    image = {"address": "data.nimbus_image.i", "values": {"name": "x"}, "mode": "data"}
    module = {"resources": [resource], "address": "module.net"}
    document = {
        "format_version": "1.0",
        "values": {"root_module": {"child_modules": [module], "resources": [image]}},
    }
    state = read_state(document, registry)
    assert isinstance(state, ShownState)
    assert [each.address for each in state.resources] == [image["address"], resource["address"]]
    server = server_in(state)
    assert server.values == SERVER
    assert isinstance(server.values.metadata, InferredDynamic)
    assert server.is_tainted
    assert server.is_sensitive("name")
    assert server.is_sensitive("password")
    assert not server.is_sensitive("id")
    assert "'web'" not in repr(server.values)
    assert state.resources_of(NimbusImage)[0].mode == "data"


def test_marks_of_state_files() -> None:
    def name(text: str) -> object:
        return {"type": "get_attr", "value": text}

    def index(value: object, type_name: str) -> object:
        return {"type": "index", "value": {"value": value, "type": type_name}}

    paths = [
        [name("name")],
        [name("tags"), index("a", "string")],
        [name("network_interface"), index(0, "number"), name("address")],
        [name("disk"), index({"a": 1}, "dynamic")],
        name("region"),
    ]
    server = server_in(read_state(state_file(instance(sensitive_attributes=paths)), registry))
    for path in ("name", "tags.a", "network_interface[0].address", "disk[1].name", "region"):
        assert server.is_sensitive(path), path
    for path in ("tags", "tags.b", "network_interface[1].address", "network_interface", "id"):
        assert not server.is_sensitive(path), path
    assert server.holds_sensitive("tags")


def test_values_of_an_older_schema_are_plain() -> None:
    old = {"name": "web", "size": 3}
    state = read_state(state_file(instance(schema_version=1, attributes=old)), registry)
    [resource] = state.resources
    assert isinstance(resource.values, Values)
    assert resource.values == old
    assert str(resource.notes[0]) == "stored by version 1 of the schema, NimbusServer has 2"
    with pytest.raises(DocumentError, match="stored by version 1 of the schema"):
        _ = server_in(state).values


def test_without_models_values_are_plain() -> None:
    [resource] = read_state(state_file(instance())).resources
    assert isinstance(resource.values, Values)
    assert resource.values["hourly_price"] == SERVER.hourly_price
    flat = read_state(state_file({"schema_version": 0, "attributes_flat": {"a": "1"}})).resources[0]
    assert flat.values is None
    assert isinstance(flat, StoredResource)
    assert flat.attributes_flat == {"a": "1"}


def test_written_again_it_is_the_same() -> None:
    document = state_file(instance(private="aGk="), instance(deposed="0a1b", index_key=None))
    text = text_of(document).decode()
    state = read_state(text, registry)
    assert isinstance(state, StoredState)
    written = state.to_json()
    assert json.loads(written, parse_float=Decimal) == json.loads(text, parse_float=Decimal)
    assert '"0.1234567890123456789012345"' not in written
    assert "0.1234567890123456789012345" in written
    assert read_state(written).to_json() == written


def test_changed_through_models() -> None:
    gone = {**attributes(), "gone": "x"}
    document = state_file(
        instance(index_key=0, private="aGk=", attributes=gone), instance(index_key=1)
    )
    state = read_state(document, registry)
    assert isinstance(state, StoredState)
    first, second = state.resources_of(NimbusServer)
    values = present(first.values)
    values.size = "large"
    values.metadata = Dynamic({"n": 2**70})
    changed = state.updated({first.address: values})
    assert (changed.serial, changed.lineage) == (8, state.lineage)
    again = read_state(changed.to_json(), registry)
    assert again.resources_of(NimbusServer)[0].values == values
    assert again.resources_of(NimbusServer)[1].values == SERVER
    first_json = json.loads(changed.to_json())["resources"][0]["instances"][0]
    assert (first_json["private"], first_json["attributes"]["gone"]) == ("aGk=", "x")
    assert state.resources_of(NimbusServer)[0].values != values
    assert state.serial == 7
    assert changed.updated({second.address: present(second.values)}).serial == 8


def test_what_a_state_cannot_hold() -> None:
    gone = attributes()
    gone["network_interface"][0]["gone"] = 1
    state = read_state(state_file(instance(attributes=gone)), registry)
    assert isinstance(state, StoredState)
    server = server_in(state)
    with pytest.raises(DocumentError, match=r"network_interface\[0\]\.gone: not in NimbusServer"):
        state.updated({server.address: server.values})
    with pytest.raises(DocumentError, match="no such resource in the state"):
        state.updated({"nimbus_server.other": SERVER})
    with pytest.raises(DocumentError, match="expected a model of nimbus_server, got NimbusImage"):
        state.updated({server.address: NimbusImage(name="x")})
    state = read_state(state_file(instance()), registry)
    assert isinstance(state, StoredState)
    values = server_in(state).values
    values.size = Unknown()
    with pytest.raises(EncodeError, match="size"):
        state.updated({server.address: values})


@pytest.mark.parametrize(
    ("document", "look", "message"),
    [
        ({"version": 4, "resources": {}}, "resources", "resources: expected a list, got a map"),
        ({"version": 4, "resources": [1]}, "resources", r"resources\[0\]: expected an object"),
        ({"version": 4, "outputs": []}, "outputs", "outputs: expected an object, got a list"),
        ({"version": 4, "serial": "x"}, "serial", "serial: expected a whole number, got a string"),
        ({"format_version": "1.0", "values": []}, "resources", "values: expected an object"),
    ],
)
def test_a_wrong_part_is_told_when_it_is_asked_for(document: Any, look: str, message: str) -> None:
    with pytest.raises(DocumentError, match=message):
        getattr(read_state(document), look)


@pytest.mark.parametrize(
    "broken",
    [
        {"index_key": True},
        {"index_key": 1.5},
        {"private": "§"},
        {"sensitive_attributes": [["x"]]},
        {"deposed": 1},
        {"dependencies": "x"},
    ],
)
def test_wrong_members_of_an_object(broken: dict[str, Any]) -> None:
    [resource] = read_state(state_file(instance(**broken))).resources
    assert isinstance(resource, StoredResource)
    names = ("address", "private", "marks", "deposed_key", "depends_on")
    with pytest.raises(DocumentError, match=f"instances\\[0\\]\\.{next(iter(broken))}"):
        [getattr(resource, name) for name in names]


def test_outputs_have_their_types() -> None:
    outputs = {"n": {"value": "x", "type": "number"}, "t": {"value": 1, "type": "int"}}
    state = read_state({"version": 4, "outputs": outputs})
    with pytest.raises(DocumentError, match=r"outputs\.n\.value: "):
        _ = state.outputs["n"].value
    with pytest.raises(DocumentError, match=r"outputs\.t\.type: expected a type constraint"):
        _ = state.outputs["t"].type
    assert known(read_state({"version": 4}).outputs) == {}
