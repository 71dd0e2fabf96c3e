"""What is declared on attributes: defaults, replacement, kept values, constraints, meaning."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest
from pydantic import AfterValidator, Field

from tofutypes import (
    UNKNOWN,
    Attr,
    ListBlock,
    MapBlock,
    NestedBlock,
    NestedObject,
    Number,
    Resource,
    SetBlock,
    SingleBlock,
    TofuSet,
    is_known,
    known,
)
from tofutypes.provider import (
    ApplyContext,
    CaseInsensitive,
    ConfigValidator,
    Context,
    Duration,
    IpNetwork,
    JsonText,
    PlanContext,
    Provider,
    ProviderError,
    ResourceHandler,
    Timestamp,
    at_least_one_of,
    conflicting,
    exactly_one_of,
    required_together,
)
from tofutypes.provider.client import Client, State, host
from tofutypes.provider.objchange.planning import without_unknown


class Color(StrEnum):
    RED = "red"
    BLUE = "blue"


class Port(NestedBlock):
    number: Attr[int] = Attr(required=True)
    protocol: Attr[str | None] = Attr(optional=True, computed=True, default="tcp")
    label: Attr[str | None] = Attr(
        optional=True, computed=True, default_factory=lambda port: f"port-{known(port.number)}"
    )
    filter: Attr[JsonText | None] = Attr(optional=True, default=None)


class Route(NestedObject):
    to: Attr[str] = Attr(required=True)
    via: Attr[str | None] = Attr(optional=True, computed=True, default="direct")


class Host(Resource, type_name="toy_host"):
    name: Attr[Annotated[str, Field(min_length=2, pattern="^[a-z]+$")]] = Attr(
        required=True, requires_replace=True
    )
    id: Attr[str | None] = Attr(computed=True, default=None, keep=True)
    serial: Attr[str | None] = Attr(computed=True, default=None)
    region: Attr[str | None] = Attr(optional=True, computed=True, default="eu")
    domain: Attr[str | None] = Attr(
        optional=True,
        computed=True,
        default_factory=lambda host: f"{known(host.name)}.example.org",
        requires_replace="if_configured",
    )
    zones: Attr[list[str] | None] = Attr(optional=True, computed=True, default=("a", "b"))
    size: Attr[int | None] = Attr(
        optional=True, default=None, requires_replace=lambda prior, planned: planned < prior
    )
    color: Attr[Color | None] = Attr(optional=True, default=None)
    tier: Attr[Literal["small", "large"] | None] = Attr(optional=True, default=None)
    policy: Attr[JsonText | None] = Attr(optional=True, default=None)
    policies: Attr[list[JsonText] | None] = Attr(optional=True, default=None)
    nets: Attr[TofuSet[IpNetwork] | None] = Attr(optional=True, default=None)
    owner: Attr[CaseInsensitive | None] = Attr(optional=True, computed=True, default=None)
    port: ListBlock[Port] = ListBlock(default=())
    ports: SetBlock[Port] = SetBlock(default=())
    named: MapBlock[Port] = MapBlock(default={})
    main: SingleBlock[Port | None] = SingleBlock(default=None)
    routes: Attr[TofuSet[Route] | None] = Attr(optional=True, default=None)


class Hosts(ResourceHandler[Host, "Toy"]):
    def plan(self, planned: Host, context: PlanContext[Host]) -> Host:
        return self.provider.plan(planned, context)

    def create(self, planned: Host, context: ApplyContext[Host]) -> Host:
        host = Host.model_validate(without_unknown(planned))
        host.id, host.serial = host.id or "h1", "7"
        host.owner = host.owner or "Ann"
        return self.provider.spell(host)

    def update(self, planned: Host, prior: Host, context: ApplyContext[Host]) -> Host:
        return self.create(planned, context)

    def read(self, state: Host, context: Context) -> Host:
        return self.provider.spell(state)

    def delete(self, state: Host, context: Context) -> None:
        pass


class Toy(Provider):
    address = "registry.opentofu.org/example/toy"
    resources = (Hosts,)

    def __init__(
        self,
        plan: Callable[[Host, PlanContext[Host]], Host] = lambda host, _: host,
        spell: Callable[[Host], Host] = lambda host: host,
    ) -> None:
        self.plan = plan
        self.spell = spell


def config(**values: object) -> Host:
    """A configuration as Core sends it: what is not set is null."""
    nothing = dict.fromkeys(("region", "zones"))
    return Host.model_validate({"name": "web"} | nothing | values)


def port(number: int, **values: object) -> Port:
    return Port.model_validate({"number": number, "protocol": None} | values)


def apply(provider: Client, value: Host, prior: State[Host] | None = None) -> State[Host]:
    return provider.apply(provider.plan(value, prior))


def test_defaults_of_a_new_object() -> None:
    with host(Toy()) as provider:
        plan = provider.plan(config(ports=[port(1), port(2, protocol="udp")], main=port(3)))
    planned = plan.planned
    assert planned is not None
    assert (planned.region, planned.zones) == ("eu", ["a", "b"])
    assert planned.domain == "web.example.org"
    assert known(planned.ports) == TofuSet(
        [
            Port(number=1, protocol="tcp", label="port-1"),
            Port(number=2, protocol="udp", label="port-2"),
        ]
    )
    assert planned.main == Port(number=3, protocol="tcp", label="port-3")


def test_a_default_that_needs_an_unknown_value_is_unknown() -> None:
    with host(Toy()) as provider:
        plan = provider.plan(config(name=UNKNOWN))
    assert plan.planned is not None
    assert plan.planned.domain == UNKNOWN
    assert plan.planned.region == "eu"


@pytest.mark.parametrize("place", ["port", "ports", "named", "main", "routes"])
def test_a_setting_that_is_taken_away_becomes_the_default(place: str) -> None:
    def inside(value: str | None) -> object:
        if place == "routes":
            return [{"to": "x", "via": value}, {"to": "y", "via": None}]
        one, other = port(1, protocol=value), port(2)
        return {
            "port": [one, other],
            "ports": [one, other],
            "named": {"a": one, "b": other},
            "main": one,
        }[place]

    with host(Toy()) as provider:
        state = apply(provider, config(region="us", **{place: inside("udp")}))
        plan = provider.plan(config(region="us", **{place: inside(None)}), state)
        assert plan.planned != state.value
        after = provider.apply(plan)
        assert after == apply(provider, config(region="us", **{place: inside(None)}))
        assert provider.plan(config(region="us", **{place: inside(None)}), after).planned == (
            after.value
        )
        back = provider.plan(config(**{place: inside(None)}), after)
    assert back.planned is not None
    assert back.planned.region == "eu"
    assert back.planned.serial == UNKNOWN
    assert back.planned.id == "h1"


def test_elements_that_are_equal_with_their_defaults() -> None:
    routes = [{"to": "x", "via": None}, {"to": "x", "via": "direct"}]
    with host(Toy()) as provider, pytest.raises(ProviderError) as caught:
        provider.plan(config(routes=routes))
    assert str(caught.value) == (
        "error: Duplicate elements (routes): Two elements of the set are equal once their defaults "
        "are set."
    )


def test_nothing_changes_where_a_default_is_written_out() -> None:
    with host(Toy()) as provider:
        state = apply(provider, config(ports=[port(1)]))
        written = config(region="eu", zones=["a", "b"], ports=[port(1, protocol="tcp")])
        assert provider.plan(written, state).planned == state.value


def test_the_code_plans_also_where_nothing_changes() -> None:
    def renew(planned: Host, context: PlanContext[Host]) -> Host:
        if context.prior is not None:
            planned.serial = UNKNOWN
            context.require_replace("serial")
        return planned

    with host(Toy(plan=renew)) as provider:
        state = apply(provider, config())
        plan = provider.plan(config(), state)
    assert state.value is not None
    assert [str(path) for path in plan.requires_replace] == ["serial"]
    assert plan.planned == state.value.model_copy(update={"serial": UNKNOWN})


def move(planned: Host, context: PlanContext[Host]) -> Host:
    if context.prior is not None and is_known(planned.zones):
        planned.domain = "planned.example.org"
    return planned


@pytest.mark.parametrize(
    ("changes", "replaced"),
    [
        ({}, []),
        ({"name": "db", "domain": "x"}, ["domain", "name"]),
        ({"name": "db"}, ["name"]),  # the default of `domain` changes, and nobody configured it
        ({"domain": "x"}, ["domain"]),
        ({"size": 5}, []),
        ({"size": 3}, ["size"]),
        ({"size": UNKNOWN}, ["size"]),
    ],
    ids=str,
)
def test_replacement(changes: dict[str, object], replaced: list[str]) -> None:
    with host(Toy()) as provider:
        state = apply(provider, config(size=4))
        plan = provider.plan(config(**({"size": 4} | changes)), state)
    assert sorted(map(str, plan.requires_replace)) == replaced


def test_replacement_is_judged_on_the_final_plan() -> None:
    class Immutable(Hosts):
        replace_on = ("domain",)

    class Fixed(Toy):
        resources = (Immutable,)

    with host(Fixed(plan=move)) as provider:
        state = apply(provider, config())
        plan = provider.plan(config(), state)
    assert [str(path) for path in plan.requires_replace] == ["domain"]


SPELLINGS: list[tuple[dict[str, object], dict[str, object]]] = [
    ({"policy": '{"a": 1, "b": [true]}'}, {"policy": '{"b":[true],"a":1.0}'}),
    ({"policies": ['{"a": 1}', "2"]}, {"policies": ['{"a":1}', "2.0"]}),
    ({"nets": ["10.0.0.0/8", "::/0"]}, {"nets": ["0::0/0", "10.1.2.3/8"]}),
    ({"owner": "Ann"}, {"owner": "ANN"}),
    ({"ports": [port(1, filter="[1]"), port(2)]}, {"ports": [port(2), port(1, filter="[ 1 ]")]}),
    ({"port": [port(1, filter="[1]")]}, {"port": [port(1, filter="[ 1 ]")]}),
    ({"main": port(1, filter="[1]")}, {"main": port(1, filter="[ 1 ]")}),
]


@pytest.mark.parametrize(("one", "other"), SPELLINGS, ids=str)
def test_another_spelling_is_no_change(one: dict[str, object], other: dict[str, object]) -> None:
    with host(Toy()) as provider:
        state = apply(provider, config(**one))
        plan = provider.plan(config(**other), state)
        assert plan.planned == state.value
        changed = provider.plan(config(region="us", **other), state).planned
    assert changed is not None
    assert state.value is not None
    for name in one:
        assert getattr(changed, name) == getattr(state.value, name)


@pytest.mark.parametrize(("one", "other"), SPELLINGS, ids=str)
def test_results_and_reads_keep_the_spelling(
    one: dict[str, object], other: dict[str, object]
) -> None:
    def spell(state: Host) -> Host:
        full = Host.model_validate({"name": "x"} | other)
        for name in other:
            setattr(state, name, getattr(full, name))
            for each in (state.port, state.ports):
                for block in map(known, known(each)):
                    block.protocol, block.label = "tcp", f"port-{known(block.number)}"
            if (main := known(state.main)) is not None:
                main.protocol, main.label = "tcp", "port-1"
        return state

    with host(Toy(spell=spell)) as provider:
        plan = provider.plan(config(**one))
        state = provider.apply(plan)
        assert plan.planned is not None
        assert state.value is not None
        for name in one:
            assert getattr(state.value, name) == getattr(plan.planned, name)
        assert provider.read(state).value == state.value


def test_a_list_of_which_one_element_changes_has_the_new_spelling() -> None:
    with host(Toy()) as provider:
        state = apply(provider, config(policies=['{"a": 1}', "2"]))
        plan = provider.plan(config(policies=['{"a":1}', "3"]), state)
        assert plan.planned is not None
        assert plan.planned.policies == ['{"a":1}', "3"]


def test_a_real_change_of_what_is_read_shows() -> None:
    def spell(state: Host) -> Host:
        state.policies = ['{"a":1.0}', "3"]
        return state

    with host(Toy()) as provider:
        state = apply(provider, config(policies=['{"a": 1}', "2"]))
    with host(Toy(spell=spell)) as provider:
        read = provider.read(state).value
    assert read is not None
    assert read.policies == ['{"a": 1}', "3"]


def even(size: int) -> int:
    if size % 2:
        raise ValueError("an even number is wanted")
    return size


class Checked(Resource, type_name="toy_checked"):
    name: Attr[Annotated[str, Field(min_length=2, pattern="^[a-z]+$")]] = Attr(required=True)
    sizes: Attr[dict[str, Annotated[int, AfterValidator(even)]] | None] = Attr(
        optional=True, default=None
    )
    ratio: Attr[Annotated[Number, Field(gt=0)] | None] = Attr(optional=True, default=None)
    tags: Attr[Annotated[list[str], Field(max_length=2)] | None] = Attr(optional=True, default=None)
    color: Attr[Color | None] = Attr(optional=True, default=None)
    tier: Attr[Literal["small", "large"] | None] = Attr(optional=True, default=None)
    policy: Attr[JsonText | None] = Attr(optional=True, default=None)
    when: Attr[Timestamp | None] = Attr(optional=True, default=None)
    wait: Attr[Duration | None] = Attr(optional=True, default=None)
    token: Attr[Annotated[str, AfterValidator(lambda text: even(len(text)))] | None] = Attr(
        optional=True, sensitive=True, default=None
    )
    port: ListBlock[Port] = ListBlock(default=())


class CheckedOnes(ResourceHandler[Checked]):
    def create(self, planned: Checked, context: ApplyContext[Checked]) -> Checked:
        return planned

    def delete(self, state: Checked, context: Context) -> None:
        pass


def errors_of(value: Checked, *validators: ConfigValidator) -> list[str]:
    handler = type("Ones", (CheckedOnes,), {"validators": validators})
    provider = type("Checking", (Provider,), {"address": Toy.address, "resources": (handler,)})
    with host(provider) as client:
        try:
            client.validate(value)
        except ProviderError as error:
            return str(error).splitlines()
    return []


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"color": "red", "tier": "small", "policy": "[1]", "wait": "1h"}, None),
        ({"name": UNKNOWN, "color": UNKNOWN, "tags": ["a", "b", UNKNOWN]}, None),
        ({"name": "A"}, "(name): name: string should have at least 2 characters."),
        ({"name": "AB"}, "(name): name: string should match pattern '^[a-z]+$'."),
        ({"sizes": {"a": 2, "b": 3}}, '(sizes["b"]): sizes["b"]: an even number is wanted.'),
        ({"ratio": 0}, "(ratio): ratio: input should be greater than 0."),
        ({"tags": ["a", "b", "c"]}, "(tags): tags: value should have at most 2 items after"),
        ({"color": "green"}, "(color): color: input should be 'red' or 'blue'."),
        ({"tier": "huge"}, "(tier): tier: input should be 'small' or 'large'."),
        ({"policy": "["}, "(policy): policy: expected JSON."),
        ({"when": "today"}, "(when): when: expected a time such as 2030-01-31T12:00:00Z"),
        ({"wait": "1 hour"}, "(wait): wait: expected a duration such as 1h30m."),
        ({"token": "hunter2"}, "(token): token: the value is not valid."),
        (
            {"port": [{"number": 1, "filter": "["}]},
            "(port[0].filter): port[0].filter: expected JSON.",
        ),
    ],
    ids=str,
)
def test_constraints(values: dict[str, Any], error: str | None) -> None:
    errors = errors_of(Checked.model_validate({"name": "ab"} | values))
    if error is None:
        assert errors == []
    else:
        [only] = errors
        assert only.startswith(f"error: Invalid value {error}")
        assert "hunter2" not in only


@pytest.mark.parametrize(
    ("validator", "values", "message"),
    [
        (exactly_one_of("tier", "color"), {"tier": "small"}, None),
        (exactly_one_of("tier", "color"), {"tier": UNKNOWN}, None),
        (exactly_one_of("tier", "color"), {}, ": Set exactly one of `tier` or `color`."),
        (
            exactly_one_of("tier", "color"),
            {"tier": "small", "color": "red"},
            " (tier): Set exactly one of `tier` or `color`, not `tier` and `color`.",
        ),
        (at_least_one_of("tier", "port"), {}, ": Set at least one of `tier` or `port`."),
        (at_least_one_of("tier", "port"), {"port": [Port(number=1)]}, None),
        (conflicting("tier", "color"), {"tier": "small", "color": UNKNOWN}, None),
        (
            conflicting("tier", "color", "ratio"),
            {"ratio": 1, "color": "red"},
            " (color): Set at most one of `tier`, `color` or `ratio`, not `color` and `ratio`.",
        ),
        (required_together("tier", "color"), {}, None),
        (
            required_together("tier", "color"),
            {"color": "red"},
            " (color): Set `tier` too: `tier` and `color` belong together.",
        ),
    ],
)
def test_checks_over_several_attributes(
    validator: ConfigValidator, values: dict[str, Any], message: str | None
) -> None:
    errors = errors_of(Checked.model_validate({"name": "ab"} | values), validator)
    expected = [] if message is None else [f"error: Invalid combination of attributes{message}"]
    assert errors == expected
