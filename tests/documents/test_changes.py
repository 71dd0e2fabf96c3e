"""Changes: values joined from `after` and `after_unknown`, plain and typed."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents.shown import (
    change_of,
    parsed,
    plain,
    plan_of,
    planned_change,
    resource_change,
    shared_documents,
    text_of,
    unknown_as_bool,
    without_unknown,
)
from tests.golden.nimbus.nimbus import registry
from tests.golden.nimbus.nimbus.registry import RESOURCES
from tests.golden.nimbus.nimbus.resources.nimbus_bucket import NimbusBucket
from tests.golden.nimbus.nimbus.resources.nimbus_server import (
    Disk,
    NetworkInterface,
    NimbusServer,
)
from tests.models.random_values import RandomValues
from tofutypes import (
    UNKNOWN,
    DocumentError,
    Dynamic,
    Model,
    TofuTypesError,
    Unknown,
    build_model,
    read_schemas,
    schema_of,
)
from tofutypes.documents import InferredDynamic, ModelSource, Plan, Values, read_plan, read_state
from tofutypes.documents.values import PLAN
from tofutypes.errors import Path as ValuePath
from tofutypes.narrowing import has_attributes, is_mapping
from tofutypes.schema import ProviderSchemas
from tofutypes.sets import is_tofu_set
from tofutypes.wire.python_values import read_concrete

SERVER = NimbusServer(
    name="web",
    id=UNKNOWN,
    password="hunter2",
    hourly_price=Decimal("0.1234567890123456789012345"),
    tags={"Name": "web", "Stage": UNKNOWN},
    disk=[Disk(name="b", size_gb=UNKNOWN), Disk(name="a", size_gb=2), UNKNOWN],
    network_interface=[NetworkInterface(network_id=UNKNOWN), UNKNOWN],
    metadata={"m": [1, UNKNOWN]},
)


def plan_with(
    model: Model, address: str = "nimbus_server.web", models: ModelSource = registry
) -> Plan:
    return read_plan(text_of(plan_of(planned_change(model, address))), models)


def test_what_is_unknown_stands_in_the_model() -> None:
    [change] = plan_with(SERVER).changes_of(NimbusServer)
    assert change.before is None
    after = change.after
    assert isinstance(after, NimbusServer)
    assert after.id is UNKNOWN
    assert after.tags == {"Name": "web", "Stage": UNKNOWN}
    assert after.hourly_price == Decimal("0.1234567890123456789012345")
    assert after.network_interface == [NetworkInterface(network_id=UNKNOWN), UNKNOWN]
    assert after.disk == SERVER.disk
    assert after.image is None
    assert after == SERVER
    assert change.notes == ()


def test_dynamic_values_are_marked_as_inferred() -> None:
    [change] = plan_with(SERVER).changes_of(NimbusServer)
    assert change.after is not None
    metadata = change.after.metadata
    assert isinstance(metadata, InferredDynamic)
    assert metadata == Dynamic({"m": [1, UNKNOWN]})


@pytest.mark.parametrize("type_name", sorted(RESOURCES))
@given(random=st.randoms(use_true_random=False))
def test_every_value_survives_the_document(type_name: str, random: Random) -> None:
    model = RESOURCES[type_name]
    values = RandomValues(random).of_schema(schema_of(model))
    instance = model.model_validate(values)
    [change] = plan_with(instance, f"{type_name}.x").resource_changes
    assert isinstance(change.after, model), change.notes
    # Refinements, and the types of dynamic values, are not in the document.
    assert plain_without_refinements(change.after) == plain_without_refinements(instance)


def plain_without_refinements(value: object) -> object:
    if isinstance(value, Unknown):
        return UNKNOWN
    if isinstance(value, Dynamic):
        return plain_without_refinements(value.value)
    if has_attributes(value):
        value = value.__tofu_attributes__()
    if is_mapping(value):
        return {key: plain_without_refinements(inner) for key, inner in value.items()}
    if is_tofu_set(value):
        return Counter(repr(plain_without_refinements(each)) for each in value)
    if isinstance(value, list | tuple):
        return [plain_without_refinements(each) for each in value]
    return value


def test_models_come_from_schemas_too(shared: Path) -> None:
    del shared
    schemas = ProviderSchemas(
        read_schemas(Path(__file__).parents[2] / "examples" / "nimbus" / "schema.json")
    )
    [change] = plan_with(SERVER, models=schemas).resource_changes
    assert type(change.after).__name__ == "NimbusServer"
    assert plain_without_refinements(change.after) == plain_without_refinements(SERVER)


def test_without_models_values_are_plain() -> None:
    [change] = plan_with(SERVER, models=None).resource_changes
    after = change.after
    assert isinstance(after, Values)
    assert after["id"] is UNKNOWN
    assert after["tags"] == {"Name": "web", "Stage": UNKNOWN}
    assert str(change.notes[0]) == "no model of managed nimbus_server"
    assert [str(each.address) for each in plan_with(SERVER, models=None).changes_of(NimbusServer)]


def test_attributes_that_are_gone_are_noted() -> None:
    values = {**without(plain(SERVER)), "old": 1, "tags": {}}
    document = plan_of(resource_change("nimbus_server.web", change_of(None, values, "create")))
    [change] = read_plan(text_of(document), registry).changes_of(NimbusServer)
    assert change.after is not None
    assert [str(note) for note in change.notes] == ["old: not in NimbusServer: left out"]
    assert change.after_values is not None
    assert change.after_values["old"] == 1


def without(value: object) -> dict[str, Any]:
    assert isinstance(value, dict)
    return value


def test_values_that_do_not_fit_stay_plain() -> None:
    document = plan_of(
        resource_change("nimbus_server.web", change_of({"name": ["x"]}, {"name": "x"}, "update"))
    )
    plan = read_plan(document, registry)
    [change] = plan.resource_changes
    assert change.before == {"name": ["x"]}
    assert [str(note.path) for note in change.notes] == ["name", "network_interface"]
    [promised] = plan.changes_of(NimbusServer)
    with pytest.raises(DocumentError, match=r"nimbus_server\.web: before: name: .*before_values"):
        _ = promised.before


def test_actions() -> None:
    kinds = {
        ("no-op",): "is_no_op",
        ("create",): "is_create",
        ("read",): "is_read",
        ("update",): "is_update",
        ("delete",): "is_delete",
        ("delete", "create"): "is_replace",
        ("create", "delete"): "is_replace",
        ("forget",): "is_forget",
        ("new-in-2030",): None,
    }
    names = {name for name in kinds.values() if name is not None}
    for actions, kind in kinds.items():
        [change] = read_plan(
            plan_of(resource_change("a.b", change_of({}, {}, *actions)))
        ).resource_changes
        assert change.actions == actions
        assert change.actions == list(actions)
        assert {name for name in names if getattr(change, name)} == ({kind} - {None})


def test_a_delete_has_no_values_after() -> None:
    before = plain(NimbusBucket(name="b"))
    document = plan_of(resource_change("nimbus_bucket.x", change_of(before, None, "delete")))
    [change] = read_plan(document, registry).changes_of(NimbusBucket)
    assert change.after is None
    assert change.before == NimbusBucket(name="b")


def test_unknown_and_sensitive_paths() -> None:
    document = planned_change(SERVER, "nimbus_server.web")
    document["change"]["after_sensitive"] = {
        "tags": {"Name": True},
        "disk": [False, {"name": True}],
    }
    [change] = read_plan(text_of(plan_of(document)), registry).resource_changes
    unknown = ["id", "tags.Stage", 'tags["Stage"]', "network_interface[0].network_id"]
    unknown += ["network_interface[1]", "network_interface[1].address"]
    assert [path for path in unknown if not change.is_unknown(path)] == []
    known = ["", "name", "tags", "tags.Name", "image", "disk[9].name", "network_interface[0]"]
    assert [path for path in known if change.is_unknown(path)] == []
    assert change.is_sensitive("tags.Name")
    assert change.is_sensitive("password")  # by the schema
    assert change.is_sensitive(["disk", 1, "name"])
    assert not change.is_sensitive("tags")
    assert change.holds_sensitive("tags")
    assert not change.holds_sensitive("image")
    with pytest.raises(DocumentError, match="expected a path"):
        change.is_unknown("a[")


def test_no_repr_shows_what_the_document_marks() -> None:
    document = planned_change(SERVER, "nimbus_server.web")
    disks = document["change"]["after"]["disk"]
    document["change"]["after_sensitive"] = {
        "tags": {"Name": True},
        "name": True,
        "disk": [{"name": each is not None and each.get("name") == "a"} for each in disks],
    }
    for models in (registry, None):
        [change] = read_plan(text_of(plan_of(document)), models).resource_changes
        shown = repr(change.after) + repr(change) + repr(change.difference())
        assert "'web'" not in shown
        assert "'a'" not in shown
        assert "'b'" in shown
        assert "(sensitive)" in shown
        if models is not None:
            assert "hunter2" not in shown + repr(change.after_values)
            assert change.after == SERVER
            assert isinstance(change.after, NimbusServer)
            assert "tofu" not in str(change.after.model_dump())
            copy = change.after.model_copy()
            copy.name = "other"
            assert "other" not in repr(copy)
            assert NimbusServer.from_msgpack(copy.to_msgpack()) == copy


def test_differences() -> None:
    before = plain(
        NimbusServer(
            name="web",
            tags={"a": "1", "b": "2"},
            password="x",
            network_interface=[NetworkInterface(network_id="n")],
            ssh_keys=["k", "l"],
        )
    )
    after = plain(
        NimbusServer(
            name="web",
            tags={"a": "1", "b": UNKNOWN},
            password="y",
            size="s",
            network_interface=[NetworkInterface(network_id="n", address="1.1.1.1")],
            ssh_keys=["l", "k"],
        )
    )
    change = change_of(before, after, "update")
    change["after"]["ssh_keys"].reverse()
    [read] = read_plan(
        plan_of(resource_change("nimbus_server.web", change)), registry
    ).resource_changes
    assert {
        str(each.path): (each.before, each.after, each.sensitive) for each in read.difference()
    } == {
        'tags["b"]': ("2", UNKNOWN, False),
        "password": ("x", "y", True),
        "size": (None, "s", False),
        "network_interface[0].address": (None, "1.1.1.1", False),
    }


def test_replace_paths_and_relevant_attributes() -> None:
    change = change_of(
        {}, {}, "delete", "create", replace_paths=[["tags", "a"], ["disk", 0, "name"]]
    )
    relevant = [{"resource": "nimbus_server.web", "attribute": ["network_interface", 0, "address"]}]
    document = plan_of(resource_change("nimbus_server.web", change), relevant_attributes=relevant)
    for models in (registry, None):
        [read] = read_plan(document, models).resource_changes
        assert list(map(str, read.replace_paths)) == [
            'tags["a"]' if models else "tags.a",
            "disk[0].name",
        ]
        assert read.relevant_attributes == (ValuePath(to_steps("network_interface", 0, "address")),)


def to_steps(*steps: str | int) -> Any:
    from tofutypes.errors import AttributeStep, IndexStep

    return tuple(AttributeStep(s) if isinstance(s, str) else IndexStep(s) for s in steps)


@pytest.mark.parametrize(
    ("after", "unknown", "message"),
    [
        ({"a": "x"}, {"a": {"b": True}}, "after: a: after_unknown has a map or an object where"),
        ({"a": {}}, {"a": [True]}, "after: a: after_unknown has a list where"),
        ({"a": [1]}, {"a": [{"b": True}]}, r"after: a\[0\]: after_unknown"),
        ({"a": 1}, {"a": "yes"}, "expected a bool, got a string"),
    ],
)
def test_shapes_that_do_not_match_are_an_error(
    after: object, unknown: object, message: str
) -> None:
    change = {"actions": ["create"], "before": None, "after": after, "after_unknown": unknown}
    [read] = read_plan(plan_of(resource_change("a.b", change))).resource_changes
    with pytest.raises(DocumentError, match=message):
        _ = read.after


def test_an_endless_value_is_an_error_of_ours() -> None:
    deep: object = 1
    for _ in range(20_000):
        deep = {"a": deep}
    change = {"actions": ["create"], "after": deep, "after_unknown": {"b": True}}
    [read] = read_plan(plan_of(resource_change("a.b", change))).resource_changes
    for look in (
        lambda: read.after,
        read.difference,
        lambda: read_plan({"resource_changes": [read.json]}).redacted(),
    ):
        with pytest.raises(DocumentError, match="nested too deeply"):
            look()


def leaves(value: object, path: tuple[object, ...] = ()) -> dict[tuple[object, ...], object]:
    """The leaves of a value by path; empty containers are leaves."""
    if isinstance(value, dict) and value:
        inner = [leaves(each, (*path, key)) for key, each in value.items()]
    elif isinstance(value, list) and value:
        inner = [leaves(each, (*path, position)) for position, each in enumerate(value)]
    else:
        return {path: value}
    return {key: leaf for each in inner for key, leaf in each.items()}


def independent_merge(change: dict[str, Any]) -> dict[tuple[object, ...], object]:
    """Every leaf of what a change leads to, merged path by path."""
    known = leaves(change.get("after"))
    unknown = {path for path, leaf in leaves(change.get("after_unknown")).items() if leaf is True}
    kept = {
        path: leaf
        for path, leaf in known.items()
        if not any(path[: len(each)] == each for each in unknown)
        and not (leaf in ({}, []) and any(each[: len(path)] == path for each in unknown))
        and not (leaf is None and any(each[: len(path)] == path for each in unknown))
    }
    return kept | dict.fromkeys(unknown, UNKNOWN)


def test_every_leaf_of_real_plans_is_merged(shared: Path) -> None:
    compared = 0
    for file in shared_documents(shared):
        document = parsed(file)
        try:
            plan = read_plan(file)
        except TofuTypesError:
            read_state(file)
            continue
        for change, source in zip(
            plan.resource_changes, document.get("resource_changes", []), strict=True
        ):
            expected = independent_merge(source["change"])
            assert leaves(plain(change.after)) == expected, (file.name, change.address)
            assert leaves(plain(change.before)) == leaves(source["change"].get("before"))
            compared += len(expected)
    assert compared > 3_000


def test_real_plans_are_read_with_models(shared: Path) -> None:
    """Models of other provider versions: what they have is what the document has."""
    schemas = [shared / "schemas" / f"{name}.json.gz" for name in ("aws", "google")]
    models = ProviderSchemas({k: v for each in schemas for k, v in read_schemas(each).items()})
    kinds: Counter[str] = Counter()
    for file in shared_documents(shared):
        try:
            plan = read_plan(file, models)
        except TofuTypesError:
            continue
        for change in plan.resource_changes:
            kinds["model" if isinstance(change.after, Model) else "plain"] += (
                change.model is not None
            )
            if isinstance(change.after, Model):
                left_out = {note.path.steps[0][0] for note in change.notes}
                expected = {
                    path: leaf
                    for path, leaf in independent_merge(change.json["change"]).items()
                    if path and path[0] not in left_out
                }
                check_leaves(change.after, expected)
            elif change.after is not None and change.model is not None:
                assert change.notes
    assert kinds["model"] > 100
    assert kinds["plain"] < 10


def check_leaves(model: Model, expected: dict[tuple[object, ...], object]) -> None:
    """Every leaf is in the model; elements of sets stand in any order."""
    actual = Counter(normal(path, leaf) for path, leaf in leaves(plain(model)).items())
    wanted = Counter(normal(path, leaf) for path, leaf in expected.items())
    missing = {leaf for leaf in wanted - actual if leaf[1] not in ("None", "{}", "[]")}
    assert missing == set()


def normal(path: tuple[object, ...], leaf: object) -> tuple[object, str]:
    names = tuple(step for step in path if isinstance(step, str))
    text = (
        str(leaf).lower()
        if isinstance(leaf, bool)
        else str(leaf)
        if not isinstance(leaf, Unknown)
        else "?"
    )
    return names, text


def test_the_tests_own_marshaller_is_that_of_the_product(shared: Path) -> None:
    """What `shown` writes of a merged value is what a real document has."""
    compared = 0
    for file in shared_documents(shared):
        if not file.name.startswith("opentofu"):
            continue
        for source in parsed(file).get("resource_changes", []):
            [change] = read_plan({"resource_changes": [source]}).resource_changes
            if change.after is None:
                continue
            assert without_unknown(change.after) == source["change"]["after"]
            assert unknown_as_bool(change.after) == source["change"].get("after_unknown", {})
            compared += 1
    assert compared > 20


def test_a_class_without_a_type_name_has_no_changes() -> None:
    plan = plan_with(SERVER)
    with pytest.raises(DocumentError, match="expected the model of a resource with a type name"):
        plan.changes_of(Disk)
    nameless = build_model(schema_of(NimbusServer))
    assert plan.changes_of(nameless) == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just(UNKNOWN),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=12,
)


@given(JSON.filter(lambda value: value is not None and value is not UNKNOWN))
def test_inferred_types_are_those_of_a_configuration(value: object) -> None:
    read = PLAN.read_dynamic(value)
    expected = read_concrete(Dynamic(value))
    assert isinstance(read, InferredDynamic)
    assert read == expected
    assert type(read.value) is type(vars_of(expected))


def vars_of(value: object) -> object:
    assert isinstance(value, Dynamic)
    return value.value


def test_both_sides_may_be_asked_in_any_order() -> None:
    text = text_of(plan_of(resource_change("nimbus_server.web", server_change()))).decode()
    for order in (["before", "after"], ["after", "before"], ["after", "after_values", "before"]):
        [change] = read_plan(text, registry).resource_changes
        sides = {side: getattr(change, side) for side in order}
        assert sides["after"] == SERVER
        assert change.before_values is not None
        assert change.before_values["tags"] == {"a": "b"}
        assert change.after_values is not None
        assert change.after_values["tags"] == {"Name": "web", "Stage": UNKNOWN}
        assert isinstance(change.before, NimbusServer)
        assert change.difference()
        assert change.json["change"]["before"]["tags"] == {"a": "b"}


def server_change() -> dict[str, Any]:
    interfaces = [NetworkInterface(network_id="n")]
    before = NimbusServer(name="web", tags={"a": "b"}, network_interface=interfaces)
    return change_of(plain(before), plain(SERVER), "update")


def test_threads_share_a_plan() -> None:
    changes = [resource_change(f"nimbus_server.web[{n}]", server_change()) for n in range(40)]
    plan = read_plan(text_of(plan_of(*changes)), registry)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda n: plan.resource_changes[n % 40].after, range(320)))
    assert all(after == SERVER for after in found)
