"""Random lives of objects with defaults and semantic equality: plans settle."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.provider.server.test_declarations import Host, Toy
from tofutypes import TofuSet, is_known, known
from tofutypes.provider.client import State, host

JSON = st.sampled_from(['{"a": 1}', '{"a":1.0}', "[1]", "[ 1 ]", "2"])


def ports(texts: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "number": st.integers(1, 3),
            "protocol": st.none() | st.sampled_from(["tcp", "udp"]),
            "label": st.none() | st.just("label"),
            "filter": st.none() | texts,
        }
    )


PORTS = ports(JSON)
ROUTES = st.fixed_dictionaries(
    {"to": st.sampled_from("xyz"), "via": st.none() | st.sampled_from(["hop", "ship"])}
)
CONFIGS = st.fixed_dictionaries(
    {
        "name": st.sampled_from(["web", "db"]),
        "region": st.none() | st.sampled_from(["eu", "us"]),
        "domain": st.none() | st.just("example.com"),
        "zones": st.none() | st.lists(st.sampled_from("ab"), max_size=2),
        "policy": st.none() | JSON,
        "policies": st.none() | st.lists(JSON, max_size=3),
        "nets": st.none() | st.lists(st.sampled_from(["10.0.0.0/8", "10.1.0.0/8", "::/0"])),
        "owner": st.none() | st.sampled_from(["Ann", "ANN", "Bea"]),
        "port": st.lists(PORTS, max_size=2),
        "ports": st.lists(PORTS, max_size=3),
        "named": st.dictionaries(st.sampled_from("ab"), PORTS),
        "main": st.none() | PORTS,
        "routes": st.none() | st.lists(ROUTES, max_size=3),
    }
).map(Host.model_validate)

DEFAULTS = ("region", "domain", "zones")


def shouting(state: Host) -> Host:
    """What the provider's service would make of an object: other spellings, the same meaning."""
    if is_known(state.policy) and state.policy is not None:
        state.policy = f" {state.policy} "
    if is_known(state.owner) and state.owner is not None:
        state.owner = state.owner.swapcase()
    for port in map(known, [*known(state.port), *known(state.ports)]):
        if is_known(port.filter) and port.filter is not None:
            port.filter = f" {port.filter} "
    state.ports = TofuSet(list(known(state.ports))[::-1])
    return state


@settings(max_examples=20, deadline=None)
@given(st.lists(CONFIGS, min_size=1, max_size=3))
def test_lives(configs: list[Host]) -> None:
    with host(Toy(spell=shouting)) as provider:
        state: State[Host] | None = None
        for config in configs:
            # Plans and results are checked as Core checks them, on both sides.
            state = provider.apply(provider.plan(config, state))
            again = provider.plan(config, state)
            assert again.planned == state.value
            assert again.requires_replace == ()
            assert provider.read(state).value == state.value
        assert state is not None
        assert state.value is not None
        anew = provider.plan(configs[-1]).planned
        assert anew is not None
        for name in DEFAULTS:
            assert getattr(state.value, name) == getattr(anew, name)
        for name in ("port", "named", "main", "routes"):
            assert known(getattr(state.value, name)) is not None or getattr(anew, name) is None
