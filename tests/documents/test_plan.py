"""What a plan says beside its changes: outputs, variables, checks, state, configuration…"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.documents.shown import change_of, plan_of, resource_change, text_of
from tests.golden import nimbus
from tests.golden.nimbus.nimbus import registry
from tests.golden.nimbus.nimbus.registry import RESOURCES
from tests.golden.nimbus.nimbus.resources.nimbus_bucket import NimbusBucket
from tofutypes import UNKNOWN, DocumentError, SchemaError, read_schemas
from tofutypes.documents import Plan, Values, read_document, read_plan, read_state

SCHEMA = Path(__file__).parents[2] / "examples" / "nimbus" / "schema.json"
BUCKET = resource_change("nimbus_bucket.logs", change_of(None, {"name": "logs"}, "create"))

DOCUMENT: dict[str, Any] = plan_of(
    BUCKET,
    timestamp="2026-01-01T00:00:00Z",
    errored=True,
    applyable=False,
    complete=False,
    future={"a": [1]},
    resource_drift=[BUCKET],
    deferred_changes=[{"reason": "resource_config_unknown", "resource_change": BUCKET}],
    output_changes={
        "url": change_of(None, {"a": UNKNOWN, "b": [UNKNOWN, 1]}, "create"),
        "gone": change_of("x", None, "delete", before_sensitive=True),
    },
    variables={"plain": {"value": Decimal("1.50")}, "secret": {"value": "hunter2"}},
    planned_values={
        "outputs": {"n": {"value": 3, "type": "number"}},
        "root_module": {
            "resources": [{"address": "nimbus_bucket.logs", "values": {"name": "logs"}}]
        },
    },
    prior_state={
        "format_version": "1.0",
        "terraform_version": "1.9.0",
        "values": {
            "root_module": {
                "resources": [{"address": "nimbus_bucket.old", "values": {"name": "old"}}]
            }
        },
    },
    checks=[
        {
            "address": {"kind": "check", "name": "c", "to_display": "check.c"},
            "status": "fail",
            "instances": [
                {
                    "address": {"to_display": "check.c"},
                    "status": "fail",
                    "problems": [{"message": "down"}],
                }
            ],
        }
    ],
    relevant_attributes=[{"resource": "nimbus_bucket.logs", "attribute": ["tags", "a"]}],
    action_invocations=[
        {
            "address": "action.nimbus_reboot.x",
            "type": "nimbus_reboot",
            "name": "x",
            "config_values": {"force": True},
            "lifecycle_action_trigger": {
                "triggering_resource_address": "nimbus_bucket.logs",
                "action_trigger_event": "AfterCreate",
                "actions_list_index": 0,
            },
        }
    ],
    configuration={
        "provider_config": {
            "nimbus": {
                "name": "nimbus",
                "full_name": "registry.opentofu.org/example/nimbus",
                "version_constraint": "~> 1.0",
                "expressions": {"region": {"constant_value": "eu"}},
            }
        },
        "root_module": {
            "variables": {"secret": {"sensitive": True}, "plain": {"type": "number", "default": 1}},
            "outputs": {"url": {"expression": {"references": ["nimbus_bucket.logs"]}}},
            "resources": [
                {
                    "address": "nimbus_bucket.logs",
                    "provider_config_key": "nimbus",
                    "schema_version": 1,
                    "expressions": {
                        "name": {"constant_value": "logs"},
                        "cors_rule": [{"origins": {"references": ["var.plain"]}}],
                        "references": {"references": ["var.plain"]},
                    },
                    "for_each_expression": {"references": ["var.plain"]},
                    "provisioners": [
                        {"type": "local-exec", "expressions": {"command": {"constant_value": "x"}}}
                    ],
                    "depends_on": ["nimbus_bucket.other"],
                }
            ],
            "module_calls": {"m": {"source": "./m", "module": {"module_calls": {"n": {}}}}},
        },
    },
)


@pytest.fixture(params=["lazy", "parsed"])
def plan(request: pytest.FixtureRequest) -> Plan:
    """The plan from text, and from JSON that was parsed already."""
    return read_plan(text_of(DOCUMENT) if request.param == "lazy" else DOCUMENT, registry)


def test_the_plan_itself(plan: Plan) -> None:
    assert (plan.format_version, plan.terraform_version) == ("1.2", "1.10.0")
    assert plan.timestamp == "2026-01-01T00:00:00Z"
    assert (plan.errored, plan.applyable, plan.complete) == (True, False, False)
    assert plan.extra == {"future": {"a": [1]}}
    assert "1 resource changes" in repr(plan)
    assert read_plan({"format_version": "1.0"}).complete is None


def test_changes_of_all_kinds(plan: Plan) -> None:
    expected = NimbusBucket(name="logs")
    assert [each.after for each in plan.changes_of(NimbusBucket)] == [expected]
    assert [each.after for each in plan.drift_of(NimbusBucket)] == [expected]
    [deferred] = plan.deferred_changes
    assert deferred.reason == "resource_config_unknown"
    assert deferred.resource_change.after == expected
    assert plan.change("nimbus_bucket.logs") is plan.resource_changes[0]
    assert plan.change("nimbus_bucket.other") is None


def test_outputs(plan: Plan) -> None:
    url, gone = plan.output_changes["url"], plan.output_changes["gone"]
    assert url.after == {"a": UNKNOWN, "b": [UNKNOWN, 1]}
    assert (url.is_unknown("a"), url.is_unknown("b"), url.is_unknown("b[0]")) == (True, False, True)
    assert (gone.before, gone.after, gone.is_sensitive(), gone.is_delete) == ("x", None, True, True)


def test_variables(plan: Plan) -> None:
    assert plan.variables["plain"].value == Decimal("1.5")
    assert plan.variables["secret"].is_sensitive
    assert "hunter2" not in repr(plan.variables)


def test_state_before_and_after(plan: Plan) -> None:
    assert plan.prior_state is not None
    [old] = plan.prior_state.resources_of(NimbusBucket)
    assert old.values == NimbusBucket(name="old")
    assert plan.prior_state.terraform_version == "1.9.0"
    assert plan.planned_values is not None
    [planned] = plan.planned_values.resources
    assert isinstance(planned.values, Values)
    assert plan.planned_values.outputs["n"].value == 3


def test_checks_actions_and_relevant_attributes(plan: Plan) -> None:
    [check] = plan.checks
    assert (check.address, check.kind, check.status) == ("check.c", "check", "fail")
    assert [each.problems for each in check.instances] == [("down",)]
    [action] = plan.action_invocations
    assert (action.address, action.config_values) == ("action.nimbus_reboot.x", {"force": True})
    assert action.lifecycle_action_trigger is not None
    assert action.lifecycle_action_trigger.triggering_resource_address == "nimbus_bucket.logs"
    [relevant] = plan.relevant_attributes
    assert (relevant.resource, str(relevant.path)) == ("nimbus_bucket.logs", "tags.a")


def test_the_configuration(plan: Plan) -> None:
    configuration = plan.configuration
    assert configuration is not None
    provider = configuration.providers["nimbus"]
    assert (provider.name, provider.version_constraint, provider.alias) == (
        "nimbus",
        "~> 1.0",
        None,
    )
    root = configuration.root_module
    [bucket] = root.resources
    assert bucket.address == "nimbus_bucket.logs"
    expressions = {str(path): each for path, each in bucket.expressions.items()}
    assert expressions.keys() == {"name", "cors_rule[0].origins", "references"}
    assert expressions["name"].is_constant
    assert expressions["name"].constant_value == "logs"
    assert expressions["cors_rule[0].origins"].references == ("var.plain",)
    assert bucket.for_each_expression is not None
    assert bucket.count_expression is None
    assert (bucket.schema_version, bucket.depends_on) == (1, ("nimbus_bucket.other",))
    assert [each.type for each in bucket.provisioners] == ["local-exec"]
    assert root.variables["plain"].default == 1
    assert root.module_calls["m"].source == "./m"
    assert configuration.module("m", "n") is not None
    assert configuration.module("m", "x") is None


def test_it_is_written_as_it_was_read(plan: Plan) -> None:
    again = read_plan(plan.to_json())
    assert dict(again.json) == dict(plan.json)
    assert text_of(dict(again.json)) == text_of(DOCUMENT)


@pytest.mark.parametrize(
    ("member", "value", "look", "message"),
    [
        ("resource_changes", {}, "resource_changes", "resource_changes: expected a list, got"),
        ("resource_changes", [1], "resource_changes", r"resource_changes\[0\]: expected an object"),
        ("errored", "yes", "errored", "errored: expected a bool, got a string"),
        ("timestamp", 1, "timestamp", "timestamp: expected a string, got a number"),
        ("variables", [], "variables", "variables: expected an object, got a list"),
        ("checks", [{}], "checks", None),
        ("prior_state", 1, "prior_state", "prior_state: expected an object"),
        ("output_changes", {"a": 1}, "output_changes", r"output_changes\.a: expected an object"),
    ],
)
def test_a_wrong_part_is_told_when_it_is_asked_for(
    member: str, value: object, look: str, message: str | None
) -> None:
    for document in (plan_of(**{member: value}), text_of(plan_of(**{member: value}))):
        plan = read_plan(document)
        if message is None:
            getattr(plan, look)
        else:
            with pytest.raises(DocumentError, match=message):
                getattr(plan, look)


@pytest.mark.parametrize("change", [1, None, {"actions": "create"}, {"actions": [1]}])
def test_a_wrong_change(change: object) -> None:
    document = plan_of({"address": "a.b", "change": change})
    for source in (document, text_of(document)):
        [read] = read_plan(source).resource_changes
        with pytest.raises(DocumentError, match=r"resource_changes\[0\]\.change"):
            _ = read.actions


MODELS = {
    "a package": nimbus,
    "a registry module": registry,
    "a registry": RESOURCES,
    "classes": {"nimbus_bucket": NimbusBucket},
    "schemas": read_schemas(SCHEMA),
    "one provider": next(iter(read_schemas(SCHEMA).values())),
    "a path": SCHEMA,
    "a path as text": str(SCHEMA),
    "bytes": SCHEMA.read_bytes(),
    "several": [{}, RESOURCES, read_schemas(SCHEMA)],
}


@pytest.mark.parametrize("name", MODELS)
def test_models_come_from_many_places(name: str) -> None:
    [change] = read_plan(DOCUMENT, MODELS[name]).resource_changes  # type: ignore[arg-type]
    assert type(change.after).__name__ == "NimbusBucket"


def test_what_has_no_models() -> None:
    with pytest.raises(DocumentError, match="models: expected a generated package or its registry"):
        read_plan(DOCUMENT, pytest)
    with pytest.raises(DocumentError, match="models: expected a generated package, a registry"):
        read_plan(DOCUMENT, 3)  # type: ignore[arg-type]
    with pytest.raises(SchemaError):
        read_plan(DOCUMENT, "nowhere.json")
    with pytest.raises(SchemaError):
        read_plan(DOCUMENT, {"a": "b"})


def test_a_document_is_what_it_is() -> None:
    assert isinstance(read_document(text_of(DOCUMENT)), Plan)
    for state in ({"version": 4}, {"format_version": "1.0", "values": {}}):
        assert type(read_document(state)) is type(read_state(state))
    with pytest.raises(DocumentError, match="not a state"):
        read_document({})
