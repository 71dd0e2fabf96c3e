"""What is fuzzed of plans and state: every part of what was read can be asked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

from tofutypes import Model, TofuTypesError, build_model, read_schemas
from tofutypes.documents import Plan, PlannedValues, State, read_plan, read_state

ROOT: Final = Path(__file__).parents[2]
PLANS: Final = ROOT.parent / "shared" / "plans"

_OF_CHANGES: Final = (
    *("address", "before", "after", "notes", "actions", "replace_paths", "relevant_attributes"),
    *("previous_address", "importing", "extra", "json"),
)
_OF_PLANS: Final = (
    *("variables", "output_changes", "checks", "deferred_changes", "action_invocations", "extra"),
    *("resource_drift", "relevant_attributes", "timestamp", "errored"),
)
_OF_RESOURCES: Final = (
    *("address", "values", "plain_values", "notes", "marks", "depends_on", "is_tainted"),
    *("provider_name", "deposed_key", "identity", "extra"),
)


def check_plans(data: bytes) -> None:
    """A plan: written, it is the same again."""
    plan = read_plan(data, _models())
    with suppress(TofuTypesError):
        again = read_plan(plan.to_json())
        assert dict(again.json) == dict(plan.json), "written, it is another document"
    with suppress(TofuTypesError):
        read_plan(plan.redacted().to_json())
    with suppress(TofuTypesError):
        for change in plan.resource_changes:
            _look(change, _OF_CHANGES)
            _ask(change.difference)
            _ask(lambda: change.is_sensitive("disk[0].name"))  # noqa: B023  # called here
            _ask(lambda: change.is_unknown("tags.a"))  # noqa: B023
            _ask(lambda: plan.references(change.address))  # noqa: B023
    _look(plan, _OF_PLANS)
    with suppress(TofuTypesError):
        if plan.prior_state is not None:
            _look_at_state(plan.prior_state)
        if plan.planned_values is not None:
            _look_at_state(plan.planned_values)


def check_states(data: bytes) -> None:
    """A state: written, it is the same again."""
    state: State = read_state(data, _models())
    with suppress(TofuTypesError):
        assert read_state(state.to_json()).json == state.json, "written, it is another document"
    with suppress(TofuTypesError):
        read_state(state.redacted().to_json())
    _look_at_state(state)
    _ask(lambda: state.checks)


def _look_at_state(state: State | PlannedValues) -> None:
    _ask(lambda: [repr(output) for output in state.outputs.values()])
    with suppress(TofuTypesError):
        for resource in state.resources:
            _look(resource, _OF_RESOURCES)


def _look(part: object, names: Iterable[str]) -> None:
    for name in names:
        _ask(lambda: repr(getattr(part, name)))  # noqa: B023  # called here


def _ask(question: Callable[[], object]) -> None:
    with suppress(TofuTypesError):
        question()


@cache
def _models() -> dict[str, type[Model]]:
    """Built once: to build them takes longer than to read a small document."""
    [provider] = read_schemas(ROOT / "examples" / "nimbus" / "schema.json").values()
    return {name: build_model(schema, name=name) for name, schema in provider.resources.items()}


def plan_seeds() -> Iterator[bytes]:
    """A plan with everything in it, and real ones if they are there."""
    yield json.dumps(_plan()).encode()
    for file in sorted(PLANS.glob("opentofu*.json")):
        with suppress(TofuTypesError):
            if isinstance(read_plan(file), Plan):
                yield file.read_bytes()


def state_seeds() -> Iterator[bytes]:
    """A state file, and what is shown of a state."""
    resource = {"mode": "managed", "type": "nimbus_server", "name": "web"}
    instance = {
        "index_key": "a",
        "schema_version": 2,
        "attributes": {
            **_SERVER,
            "metadata": {"value": [1, "x"], "type": ["tuple", ["number", "string"]]},
        },
        "sensitive_attributes": [[{"type": "get_attr", "value": "name"}]],
        "private": "aGk=",
        "dependencies": ["a.b"],
    }
    outputs = {"o": {"value": ["a"], "type": ["list", "string"], "sensitive": True}}
    provider = {"provider": 'provider["registry.opentofu.org/example/nimbus"]'}
    yield json.dumps(
        {
            "version": 4,
            "serial": 1,
            "lineage": "l",
            "outputs": outputs,
            "resources": [{**resource, **provider, "instances": [instance]}],
            "check_results": None,
        }
    ).encode()
    shown = {**resource, "address": "nimbus_server.web", "values": _SERVER}
    values = {"outputs": outputs, "root_module": {"child_modules": [{"resources": [shown]}]}}
    yield json.dumps({"format_version": "1.0", "values": values}).encode()


_SERVER: Final[dict[str, Any]] = {
    "name": "web",
    "password": "x",
    "hourly_price": 0.125,
    "tags": {"a": "b"},
    "disk": [{"name": "d", "size_gb": 1}],
    "network_interface": [{"network_id": "n", "ingress": [{"peers": ["p"], "ports": [1, 2]}]}],
    "metadata": [1, {"a": None}],
}


def _plan() -> dict[str, Any]:
    change = {
        "address": 'module.m["a"].nimbus_server.web[0]',
        "previous_address": "nimbus_server.old",
        "change": {
            "actions": ["delete", "create"],
            "before": _SERVER,
            "after": {**_SERVER, "tags": {}},
            "after_unknown": {"id": True, "tags": {"c": True}, "disk": [{"kind": True}]},
            "before_sensitive": {"tags": {"a": True}},
            "after_sensitive": {"disk": [{"name": True}]},
            "replace_paths": [["disk", 0, "name"]],
            "importing": {"id": "i"},
        },
    }
    values = {
        "root_module": {"resources": [{"address": "nimbus_server.web", "values": _SERVER}]},
        "outputs": {"o": {"value": 1, "type": "number"}},
    }
    reference = {"references": ["nimbus_network.n.id", "nimbus_network.n"]}
    module = {
        "variables": {"v": {"sensitive": True, "default": "x"}},
        "resources": [
            {
                "address": "nimbus_server.web",
                "expressions": {"network_interface": [{"network_id": reference}]},
            }
        ],
        "outputs": {"o": {"expression": reference}},
    }
    call = {"module": module, "expressions": {"v": {"constant_value": "secret"}}}
    return {
        "format_version": "1.2",
        "resource_changes": [change],
        "resource_drift": [change],
        "deferred_changes": [{"reason": "r", "resource_change": change}],
        "output_changes": {"o": {"actions": ["create"], "after": 1, "after_unknown": False}},
        "variables": {"v": {"value": "secret"}},
        "prior_state": {"format_version": "1.0", "values": values},
        "planned_values": values,
        "relevant_attributes": [{"resource": "nimbus_server.web", "attribute": ["id"]}],
        "checks": [{"address": {"to_display": "c"}, "status": "pass", "instances": []}],
        "configuration": {"root_module": {**module, "module_calls": {"m": call}}},
        "errored": False,
    }
