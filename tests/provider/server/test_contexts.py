"""Contexts without a host, and calls that are deferred."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.provider.server.boxes import Box, BoxIdentity, Key, Room, Shelf, Toy
from tofutypes.provider import (
    ApplyContext,
    ConfigureContext,
    Context,
    DeferredReason,
    EphemeralContext,
    PlanContext,
    ProviderError,
    ValidateContext,
)
from tofutypes.provider.server.service import HandlerService
from tofutypes.provider.service import requests
from tofutypes.provider.service.requests import ClientCapabilities
from tofutypes.provider.service.wire_value import NULL, WireValue


def test_contexts_are_whole_when_made() -> None:
    box = Box(name="a")
    plan = PlanContext(box)
    assert (plan.config, plan.prior, plan.replace, plan.private) == (box, None, [], b"")
    plan.require_replace("name")
    plan.warn("Odd name", path="name")
    assert plan.replace == ["name"]
    assert not plan.failed
    apply = ApplyContext(box, identity=BoxIdentity(id="box-1"))
    apply.save(box)
    assert apply.saved == box
    assert apply.saved is not box
    for context in (Context(), ValidateContext(), ConfigureContext(), EphemeralContext()):
        context.error("Wrong")
        assert context.failed
        assert not context.stopping.is_set()
    with pytest.raises(ProviderError, match="This cannot be done yet"):
        plan.defer(DeferredReason.ABSENT_PREREQUISITE)


def test_a_text_of_a_context_shows_no_values() -> None:
    context = PlanContext(Box(name="a", secret="hunter2"), private=b"hunter2")
    assert "hunter2" not in repr(context)


BOX = WireValue.of(Box(name="a", id="box-1", serial=7, color="red"))
OTHER = WireValue.of(Box(name="b", id="box-1", serial=7, color="red"))
MAY = ClientCapabilities(deferral_allowed=True)


def defers(*given: Any) -> Any:
    given[-1].defer(DeferredReason.ABSENT_PREREQUISITE)


CALLS: dict[str, tuple[str, Callable[[HandlerService], Any]]] = {
    "plan": (
        "plan",
        lambda service: service.plan_resource_change(
            requests.PlanResourceChangeRequest("toy_box", NULL, BOX, BOX, client_capabilities=MAY)
        ),
    ),
    "plan of a deletion": (
        "plan_delete",
        lambda service: service.plan_resource_change(
            requests.PlanResourceChangeRequest("toy_box", BOX, NULL, NULL, client_capabilities=MAY)
        ),
    ),
    "plan of a replacement": (
        "plan_delete",
        lambda service: service.plan_resource_change(
            requests.PlanResourceChangeRequest(
                "toy_box",
                BOX,
                OTHER,
                WireValue.of(Box(name="b")),
                client_capabilities=MAY,
            )
        ),
    ),
    "read": (
        "read",
        lambda service: service.read_resource(
            requests.ReadResourceRequest("toy_box", BOX, client_capabilities=MAY)
        ),
    ),
    "import": (
        "import_state",
        lambda service: service.import_resource_state(
            requests.ImportResourceStateRequest("toy_box", "box-1", client_capabilities=MAY)
        ),
    ),
    "data source": (
        "read_data",
        lambda service: service.read_data_source(
            requests.ReadDataSourceRequest(
                "toy_shelf", WireValue.of(Shelf(name="s")), client_capabilities=MAY
            )
        ),
    ),
    "ephemeral resource": (
        "open",
        lambda service: service.open_ephemeral_resource(
            requests.OpenEphemeralResourceRequest(
                "toy_key", WireValue.of(Key(name="k")), client_capabilities=MAY
            )
        ),
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_deferred_calls(name: str) -> None:
    method, call = CALLS[name]
    service = HandlerService(Toy(**{method: defers}))
    response = call(service)
    service.close()
    assert response.deferred is DeferredReason.ABSENT_PREREQUISITE
    assert response.diagnostics == ()


def test_calls_that_cannot_be_deferred() -> None:
    service = HandlerService(Toy(configure=defers))
    response = service.configure_provider(
        requests.ConfigureProviderRequest(WireValue.of(Room(name="r")), client_capabilities=MAY)
    )
    service.close()
    [diagnostic] = response.diagnostics
    assert diagnostic.summary == "This cannot be done yet"
