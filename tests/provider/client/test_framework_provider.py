"""A provider of Go's framework that uses all it can do: `tests/counterparts/framework`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.provider.client.go_providers import ADDRESSES, generated, program_of, started
from tofutypes import UNKNOWN, Attr, Dynamic, Resource, known, parse_type
from tofutypes.provider import ApplyContext, Context, Executable, Mux, Provider, ResourceHandler
from tofutypes.provider.client import Client, State, host
from tofutypes.provider.messages.calls import service_calls
from tofutypes.provider.service.diagnostics import ProviderError


@dataclass(frozen=True)
class Framework:
    """The provider at work, and the package that is generated from it."""

    protocol: int
    client: Any
    module: Callable[[str], Any]

    @property
    def thing(self) -> Any:
        return self.module("resources.framework_thing")

    def config(self, **values: Any) -> Any:
        return self.thing.FrameworkThing(name="a", **values)

    def created(self, **values: Any) -> Any:
        return self.client.apply(self.client.plan(self.config(**values)))


class Lamp(Resource, type_name="framework_lamp"):
    on: Attr[bool] = Attr(required=True)


class Lamps(ResourceHandler[Lamp]):
    def create(self, planned: Lamp, context: ApplyContext[Lamp]) -> Lamp:
        return planned

    def delete(self, state: Lamp, context: Context) -> None:
        pass


class Other(Provider):
    """A set of handlers beside the provider, which takes nothing from it."""

    address = ADDRESSES["framework"]
    resources = (Lamps,)


@pytest.fixture(
    params=[(5, False), (6, False), (5, True), (6, True)],
    ids=("5", "6", "5 in a mux", "6 in a mux"),
)
def framework(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Framework]:
    """The provider alone, or as a part of one that speaks protocol 6."""
    protocol, in_mux = request.param
    monkeypatch.setenv("FRAMEWORK_PROTOCOL", str(protocol))
    with generated("framework", tmp_path) as module, ExitStack() as stack:
        client = stack.enter_context(
            host(Mux(Other, Executable(program_of("framework"))))
            if in_mux
            else started("framework")
        )
        assert client.protocol.major == (6 if in_mux else protocol)
        client.configure(module("provider").FrameworkProvider(zone="north"))
        yield Framework(protocol, client, module)


def full_of(framework: Framework) -> dict[str, Any]:
    """Values of all attributes and blocks that a configuration may set."""
    thing = framework.thing
    values: dict[str, Any] = {
        "text": "é",
        "flag": True,
        "whole": 2**63 - 1,
        "small": -(2**31),
        "double": 0.1,
        "single": 0.5,
        "exact": Decimal("53.5500000000000000000001"),
        "words": ["b", "a", "b"],
        "names": ["b", "a"],
        "tags": {"k": "v"},
        "size": thing.Size(x=Decimal("0.1"), names=["n"]),
        "any": Dynamic(["x", 1], parse_type(["tuple", ["string", "number"]])),
        "secret": "swordfish",
        "password": "swordfish",
        "password_version": 1,
        "limits": thing.Limits(size=1),
        "disk": [thing.Disk(size=1, leaf=[thing.Leaf(set_="x")]), thing.Disk(size=Decimal("0.1"))],
        "rule": [thing.Rule(size=1), thing.Rule(size=2)],
    }
    if framework.protocol == 6:
        values |= {
            "one": thing.One(set_="x"),
            "many": [thing.Many(set_="x"), thing.Many(either="y")],
            "several": [thing.Many(set_="x"), thing.Many(set_="y")],
            "named": {"k": thing.Named()},
        }
    return values


def test_the_life_of_a_thing(framework: Framework) -> None:
    client = framework.client
    config = framework.config(**full_of(framework))
    assert [warning.summary for warning in client.validate(config).diagnostics] == [
        "Attribute Deprecated"
    ]
    plan = client.plan(config)
    planned = plan.planned
    assert (planned.id, planned.revision, planned.disk[0].device) == (UNKNOWN, UNKNOWN, UNKNOWN)
    assert (planned.default, planned.exact) == ("d", config.exact)
    assert planned.any == config.any
    assert planned.password is None  # write-only
    assert plan.identity is None or set(plan.identity) == {"name", "zone"}

    state = client.apply(plan)
    made = state.value
    assert (made.id, made.revision, made.disk[0].device) == ("given", 1, "given")
    assert (made.double, made.words, made.size) == (Decimal("0.1"), config.words, config.size)
    assert dict(state.identity) == {"name": "a", "zone": "north"}
    assert "swordfish" not in repr(made)
    if framework.protocol == 6:
        assert (made.one.given, made.many[1].either, made.named["k"].given) == (
            "given",
            "y",
            "given",
        )
        assert {known(element).set_ for element in made.several} == {"x", "y"}
    assert client.read(state).value == made

    changed = client.plan(config.model_copy(update={"text": "b"}), state)
    assert changed.requires_replace == ()
    assert changed.planned.id == "given"  # kept
    assert changed.planned.revision == UNKNOWN
    updated = client.apply(changed)
    assert (updated.value.text, updated.value.revision) == ("b", 2)

    renamed = client.plan(config.model_copy(update={"name": "b"}), updated)
    assert [str(path) for path in renamed.requires_replace] == ["name"]
    assert client.apply(client.plan(None, updated)).value is None


def test_what_is_unknown_stays_unknown(framework: Framework) -> None:
    unknown = dict.fromkeys(full_of(framework), UNKNOWN)
    planned = framework.client.plan(framework.config(**unknown)).planned
    for name in unknown.keys() - {"password"}:
        assert getattr(planned, name) == UNKNOWN, name


def test_refusals_name_the_attribute(framework: Framework) -> None:
    with pytest.raises(ProviderError, match="A wrong text") as refused:
        framework.client.validate(framework.config(text="wrong"))
    assert str(refused.value.diagnostics[0].path) == "text"
    with pytest.raises(ProviderError, match="The thing is protected") as refused:
        framework.client.plan(None, framework.created(protected=True))
    assert str(refused.value.diagnostics[0].path) == "protected"


def test_what_is_gone(framework: Framework) -> None:
    assert framework.client.read(framework.created(text="gone")).value is None


@pytest.mark.parametrize("wanted", ["by id", "by identity"])
def test_import(framework: Framework, wanted: str) -> None:
    client, thing = framework.client, framework.thing
    identity = thing.FrameworkThingIdentity(name="i")
    (imported,) = client.import_state(thing.FrameworkThing, "i" if wanted == "by id" else identity)
    assert dict(imported.identity) == {"name": "i", "zone": "north"}
    state = client.read(imported)
    assert (state.value.name, state.value.id) == ("i", "id-imported")
    update = client.plan(thing.FrameworkThing(name="i", flag=True), state)
    assert client.apply(update).value.revision == 2  # its private state is still there


def test_states_of_other_schemas(framework: Framework) -> None:
    client, model = framework.client, framework.thing.FrameworkThing
    upgraded = client.upgrade(model, {"title": "old", "id": "1"}, 0).value
    assert (upgraded.name, upgraded.id) == ("old", "1")
    moved = client.move(
        model,
        {"name": "label"},
        provider="registry.opentofu.org/example/framework",
        type="framework_label",
    )
    assert (moved.value.name, moved.value.id) == ("label", "id-moved")


def test_deferral(framework: Framework) -> None:
    config = framework.config(postpone=True)
    assert framework.client.plan(config).deferred is None
    patient = Client(framework.client._session.connection, deferral_allowed=True)
    plan = patient.plan(config)
    assert plan.deferred is not None
    assert plan.deferred.name == "ABSENT_PREREQUISITE"


def test_warnings(framework: Framework) -> None:
    label = framework.module("resources.framework_label").FrameworkLabel(name="x")
    state: State[Any] = framework.client.apply(framework.client.plan(label))
    assert [warning.summary for warning in state.diagnostics] == ["A label was made"]


def test_data(framework: Framework) -> None:
    model = framework.module("data_sources.framework_things").FrameworkThings
    read = framework.client.read_data(model(prefix="n")).value
    assert sorted(read.names) == ["n1", "n2"]
    assert {name: float(size) for name, size in read.sizes.items()} == {"n1": 0.1, "n2": 1e30}
    with pytest.raises(ProviderError, match="No prefix"):
        framework.client.read_data(model(prefix=""))


def test_ephemeral(framework: Framework) -> None:
    client = framework.client
    model = framework.module("ephemeral_resources.framework_token").FrameworkToken
    opened = client.open_ephemeral(model(length=3))
    assert opened.value.value == "xxx"
    assert opened.renew_at is not None
    renewed = client.renew_ephemeral(opened)
    assert renewed.renew_at >= opened.renew_at
    (warning,) = client.close_ephemeral(renewed).diagnostics
    assert (warning.summary, warning.detail) == ("The token is closed", "10")


def test_functions(framework: Framework) -> None:
    functions, call = framework.module("functions"), framework.client.call
    assert call(functions.join, "-", "a", None, "b") == "a-b"
    assert call(functions.join, "-") == ""
    with pytest.raises(ProviderError, match="no spaces") as refused:
        call(functions.join, " ")
    assert str(refused.value.diagnostics[0].path) == "[0]"
    for value in (Dynamic(Decimal("0.1"), parse_type("number")), None):
        assert call(functions.echo, value) == value
    rows = [functions.TotalRows(name="a", count=2), functions.TotalRows(name="b", count=3)]
    added = call(functions.total, rows)
    assert (added.total, sorted(added.names)) == (5, ["a", "b"])


def test_metadata(framework: Framework) -> None:
    connection = framework.client._session.connection
    call = service_calls(connection.protocol)["GetMetadata"]
    metadata = call.response.of_message(connection.call("GetMetadata", call.call.request()))
    assert metadata.actions == ("framework_notify",)  # in protocol 5 at another place
    assert {*metadata.resources} - {"framework_lamp"} == {"framework_label", "framework_thing"}
    assert metadata.list_resources == ("framework_thing",)
    assert set(metadata.functions) == {"join", "echo", "total"}


def test_an_action(framework: Framework) -> None:
    client, model = framework.client, framework.module("actions.framework_notify").FrameworkNotify
    assert client.validate(model(message=UNKNOWN)).diagnostics == ()
    assert client.plan_action(model(message=UNKNOWN)).deferred is None
    invocation = client.invoke(model(message="hello"))
    assert list(invocation) == ["sending hello"]
    assert invocation.diagnostics == ()
    with pytest.raises(ProviderError, match="There is no message"):
        client.invoke(model(message="")).result()


def test_a_list_resource(framework: Framework) -> None:
    client = framework.client
    things = framework.module("list_resources.framework_thing")
    config = things.FrameworkThing(prefix="a")
    client.validate(config)
    one, *others = client.list(config)
    assert (one.display_name, one.resource) == ("Thing a0", None)
    assert dict(one.identity)["name"] == "a0"
    assert len(others) == 2
    model = framework.thing.FrameworkThing
    (first,) = client.list(config, model, limit=1, include_resource=True)
    assert isinstance(first.resource, model)
    assert first.resource.name == "a0"
    (made,) = client.list(config, limit=1, include_resource=True)
    assert made.resource.name == "a0"
