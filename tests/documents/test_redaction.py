"""Redacted documents have no secret in any place, and the shape of the first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.documents.shown import (
    change_of,
    parsed,
    plain,
    plan_of,
    resource_change,
    shared_documents,
)
from tests.golden.nimbus.nimbus import registry
from tests.golden.nimbus.nimbus.resources.nimbus_server import NetworkInterface, NimbusServer
from tofutypes import Model, TofuTypesError
from tofutypes.documents import read_plan, read_state

SERVER = NimbusServer(
    name="web",
    password="hunter2-schema",
    tags={"secret": "hunter2-tag", "public": "yes"},
    boot_secret_version=123456,
    network_interface=[NetworkInterface(network_id="n", address="10.9.8.7")],
)
MARKS = {
    "tags": {"secret": True},
    "boot_secret_version": True,
    "network_interface": [{"address": True}],
}


def document() -> dict[str, Any]:
    values: Any = plain(SERVER)
    change = change_of(values, values, "update", after_sensitive=MARKS, before_sensitive=MARKS)
    change["generated_config"] = 'password = "hunter2-schema"'
    state = {
        "outputs": {"o": {"value": "hunter2-output", "type": "string", "sensitive": True}},
        "root_module": {
            "child_modules": [
                {
                    "address": "module.m",
                    "resources": [
                        {
                            "address": "module.m.nimbus_server.web",
                            "values": values,
                            "sensitive_values": MARKS,
                        }
                    ],
                }
            ]
        },
    }
    return plan_of(
        resource_change("nimbus_server.web", change),
        resource_change(
            "other_thing.x", change_of(None, {"copy": ["hunter2-tag", 123456]}, "create")
        ),
        resource_drift=[resource_change("nimbus_server.web", change)],
        deferred_changes=[{"resource_change": resource_change("nimbus_server.web", change)}],
        output_changes={
            "o": change_of(None, {"a": ["hunter2-output"]}, "create", after_sensitive=True)
        },
        planned_values=state,
        prior_state={"format_version": "1.0", "values": state},
        variables={
            "v": {"value": "hunter2-variable"},
            "w": {"value": "hunter2-tag"},
            "x": {"value": 1},
        },
        action_invocations=[
            {"config_values": {"a": "hunter2-action", "b": "c"}, "config_sensitive": {"a": True}}
        ],
        configuration={
            "provider_config": {
                "nimbus": {
                    "expressions": {
                        "token": {"constant_value": "hunter2-variable"},
                        "secret_key": {"constant_value": "hunter2-provider"},
                    }
                }
            },
            "root_module": {
                "variables": {"v": {"sensitive": True, "default": "hunter2-default"}, "w": {}},
                "resources": [
                    {
                        "address": "nimbus_server.web",
                        "expressions": {
                            "password": {"constant_value": "hunter2-schema"},
                            "name": {"constant_value": "web"},
                        },
                    }
                ],
                "module_calls": {
                    "m": {
                        "expressions": {"key": {"constant_value": "hunter2-argument"}},
                        "module": {"variables": {"key": {"sensitive": True}}},
                    }
                },
            },
        },
    )


def shape(value: object) -> object:
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    return [shape(inner) for inner in value] if isinstance(value, list) else type(value).__name__


def test_no_secret_is_left_in_a_plan() -> None:
    whole = json.dumps(document())
    for source in (document(), whole):
        redacted = read_plan(source, registry).redacted()
        text = redacted.to_json()
        for secret in ("hunter2", "123456", "10.9.8.7"):
            assert secret in whole
            assert secret not in text
        assert '"yes"' in text
        assert '"web"' in text
        assert '"(sensitive)"' in text
        changes = json.loads(text)["resource_changes"]
        assert shape(changes) == shape(document()["resource_changes"])
        [change] = redacted.changes_of(NimbusServer)
        assert isinstance(change.after, Model)
        assert change.after.tags == {"secret": "(sensitive)", "public": "yes"}


def test_the_plan_itself_stays_as_it_is() -> None:
    source = document()
    read_plan(source, registry).redacted()
    assert source == document()


def test_no_secret_is_left_in_a_state_file() -> None:
    attributes = json.loads(SERVER.to_json())
    mark = [
        [
            {"type": "get_attr", "value": "tags"},
            {"type": "index", "value": {"value": "secret", "type": "string"}},
        ]
    ]
    state = {
        "version": 4,
        "serial": 1,
        "lineage": "l",
        "outputs": {"o": {"value": "hunter2-tag", "type": "string"}},
        "resources": [
            {
                "mode": "managed",
                "type": "nimbus_server",
                "name": "web",
                "instances": [
                    {
                        "schema_version": 2,
                        "attributes": {
                            **attributes,
                            "metadata": {"type": "string", "value": "hunter2-tag"},
                        },
                        "sensitive_attributes": mark,
                        "private": "aHVudGVyMg==",
                    }
                ],
            }
        ],
    }
    read = read_state(state, registry)
    redacted = read.redacted()
    text = redacted.to_json()
    assert "hunter2" not in text
    assert "aHVudGVyMg==" not in text
    [server] = redacted.resources_of(NimbusServer)
    assert server.values is not None
    assert server.values.password == "(sensitive)"
    assert read.resources_of(NimbusServer)[0].values == NimbusServer(
        **{**dict(SERVER), "metadata": "hunter2-tag"}
    )


def test_a_shown_state_is_redacted_too() -> None:
    values = document()["planned_values"]
    redacted = read_state({"format_version": "1.0", "values": values}, registry).redacted()
    assert "hunter2" not in redacted.to_json()


def secrets(value: object, marks: object) -> set[str]:
    """What marks call sensitive, by a walk of its own."""
    if marks is True:
        if isinstance(value, dict):
            return {each for inner in value.values() for each in secrets(inner, True)}
        if isinstance(value, list):
            return {each for inner in value for each in secrets(inner, True)}
        return {value} if isinstance(value, str) else set()
    if isinstance(value, dict) and isinstance(marks, dict):
        return {s for key, inner in value.items() for s in secrets(inner, marks.get(key))}
    if isinstance(value, list) and isinstance(marks, list):
        return {s for inner, mark in zip(value, marks, strict=False) for s in secrets(inner, mark)}
    return set()


def strings(value: object) -> set[str]:
    if isinstance(value, dict):
        return {each for inner in value.values() for each in strings(inner)}
    if isinstance(value, list):
        return {each for inner in value for each in strings(inner)}
    return {value} if isinstance(value, str) else set()


def test_real_documents(shared: Path) -> None:
    hidden = 0
    for file in shared_documents(shared):
        try:
            redacted = read_plan(file).redacted()
        except TofuTypesError:
            read_state(file).redacted()
            continue
        text = json.loads(redacted.to_json())
        for change, new in zip(
            parsed(file).get("resource_changes", []), text.get("resource_changes", []), strict=True
        ):
            inner = change["change"]
            for side in ("before", "after"):
                found = secrets(inner.get(side), inner.get(f"{side}_sensitive"))
                hidden += len(found)
                assert not found & strings(new["change"].get(side)), file.name
        assert text.keys() == parsed(file).keys()
    assert hidden > 5


@pytest.mark.parametrize(
    ("value", "replaced"),
    [("", "(sensitive)"), (True, False), (False, False), (None, None), (0, 0), (7, 0)],
)
def test_values_that_tell_nothing_are_not_looked_for(value: object, replaced: object) -> None:
    change = change_of(None, {"a": value, "b": value}, "create", after_sensitive={"a": True})
    [redacted] = read_plan(plan_of(resource_change("a.b", change))).redacted().resource_changes
    assert redacted.after == {"a": replaced, "b": value}
