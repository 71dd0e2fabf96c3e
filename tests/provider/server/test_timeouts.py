"""Calls that take longer than the user allows."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import pytest

from tofutypes import Attr, Resource, SingleBlock
from tofutypes.provider import (
    ApplyContext,
    Context,
    Provider,
    ProviderError,
    ResourceHandler,
    Timeouts,
    TimeoutsAttribute,
)
from tofutypes.provider.client import ApplyError, Client, State, host

CANCELLED = threading.Event()


class Lake(Resource, type_name="toy_lake"):
    name: Attr[str] = Attr(required=True)
    id: Attr[str | None] = Attr(computed=True, default=None, keep=True)
    timeouts: SingleBlock[Timeouts | None] = SingleBlock(default=None)


class Lakes(ResourceHandler[Lake, "Toy"]):
    def create(self, planned: Lake, context: ApplyContext[Lake]) -> Any:
        return self.provider.code(planned, context)

    def update(self, planned: Lake, prior: Lake, context: ApplyContext[Lake]) -> Any:
        return self.provider.code(planned, context)

    def read(self, state: Lake, context: Context) -> Any:
        return self.provider.code(state, context)

    def delete(self, state: Lake, context: Context) -> Any:
        return self.provider.code(state, context)


class Toy(Provider):
    address = "registry.opentofu.org/example/toy"
    resources = (Lakes,)

    def __init__(self, code: Callable[[Lake, Any], Any]) -> None:
        self.code = code


def made(lake: Lake, _: object = None) -> Lake:
    return Lake(name=lake.name, id="l1", timeouts=lake.timeouts)


def blocks(lake: Lake, context: ApplyContext[Lake]) -> Lake:
    context.save(made(lake))
    context.stopping.wait(60)  # set when the time is over
    CANCELLED.set()
    return made(lake)


async def waits(lake: Lake, context: ApplyContext[Lake]) -> Lake:
    context.save(made(lake))
    try:
        await forever()
    except asyncio.CancelledError:
        CANCELLED.set()
        raise
    return made(lake)


async def forever() -> None:
    await asyncio.sleep(60)


@pytest.mark.parametrize("code", [blocks, waits])
def test_a_creation_that_takes_too_long(code: Any) -> None:
    CANCELLED.clear()
    lake = Lake(name="Garda", timeouts=Timeouts(create="50ms"))
    with host(Toy(code)) as provider, pytest.raises(ApplyError) as caught:
        provider.apply(provider.plan(lake))
    [message] = map(str, caught.value.diagnostics)
    assert message.startswith(
        "error: The operation took too long (timeouts.create): Lakes.create did not end within "
        f"50ms ({__file__}, line "
    )
    assert CANCELLED.wait(10)
    assert caught.value.state.value == made(lake)  # what was saved is stored


@pytest.mark.parametrize("code", [made, lambda lake, _: made(lake)])
def test_what_ends_in_time(code: Any) -> None:
    lake = Lake(name="Garda", timeouts=Timeouts(create="60s"))
    with host(Toy(code)) as provider:
        assert provider.apply(provider.plan(lake)).value == made(lake)


def fails(lake: Lake, context: object) -> Lake:
    raise ProviderError("There is no water")


def test_errors_in_time() -> None:
    lake = Lake(name="Garda", timeouts=Timeouts(create="60s"))
    with host(Toy(fails)) as provider, pytest.raises(ApplyError, match="There is no water"):
        provider.apply(provider.plan(lake))


@pytest.mark.parametrize("operation", ["read", "update", "delete"])
def test_other_operations(operation: str) -> None:
    timeouts = Timeouts.model_validate({operation: "50ms"})
    state = State(Lake(name="Garda", id="l1", timeouts=timeouts))

    def code(lake: Lake, context: Context) -> Lake:
        context.stopping.wait(60)
        return lake

    def call(provider: Client) -> None:
        if operation == "read":
            provider.read(state)
        else:
            config = None if operation == "delete" else Lake(name="Como", timeouts=timeouts)
            provider.apply(provider.plan(config, state))

    with host(Toy(code)) as provider, pytest.raises(ProviderError) as caught:
        call(provider)
    assert f"(timeouts.{operation}): Lakes.{operation} did not end within 50ms" in str(caught.value)


def test_timeouts_of_the_handler() -> None:
    class Slow(Lakes):
        default_timeouts: ClassVar[Mapping[str, str]] = {"create": "50ms"}

    class SlowToy(Toy):
        resources = (Slow,)

    with host(SlowToy(blocks)) as provider, pytest.raises(ApplyError) as caught:
        provider.apply(provider.plan(Lake(name="Garda")))
    assert "took too long: Slow.create did not end within 50ms" in str(caught.value)


def test_no_duration() -> None:
    lake = Lake(name="Garda", timeouts=Timeouts(create="soon"))
    with host(Toy(made)) as provider, pytest.raises(ProviderError, match="expected a duration"):
        provider.validate(lake)


def test_an_attribute_does_too() -> None:
    class Pond(Resource, type_name="toy_pond"):
        timeouts: Attr[TimeoutsAttribute | None] = Attr(optional=True, default=None)

    class Ponds(ResourceHandler[Pond]):
        def create(self, planned: Pond, context: ApplyContext[Pond]) -> Pond:
            context.stopping.wait(60)
            return planned

        def delete(self, state: Pond, context: Context) -> None:
            pass

    provider = type("Toy", (Provider,), {"address": Toy.address, "resources": (Ponds,)})
    pond = Pond(timeouts=TimeoutsAttribute(create="50ms"))
    with host(provider) as client, pytest.raises(ApplyError, match="did not end within 50ms"):
        client.apply(client.plan(pond))
