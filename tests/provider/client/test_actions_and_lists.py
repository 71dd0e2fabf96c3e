"""Actions and list resources as a client sees them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.provider.server.boxes import Box, BoxFilter, BoxIdentity, Shake, Workshop
from tofutypes import UNKNOWN, Resource
from tofutypes.provider import (
    DeferredReason,
    InvokeContext,
    ListContext,
    Listed,
    PluginError,
    ProviderError,
)
from tofutypes.provider.client import Client, ListedObject, host
from tofutypes.provider.client.connection import Connection, open_channel
from tofutypes.provider.messages.protocol import protocol_of
from tofutypes.provider.server.listening import listening
from tofutypes.provider.server.service import HandlerService
from tofutypes.provider.service.diagnostics import Diagnostic, Severity
from tofutypes.provider.service.responses import (
    DiagnosticsResponse,
    InvokeActionEvent,
    ListResourceEvent,
)
from tofutypes.provider.service.wire_value import WireValue

Make = Callable[..., Client]

PATIENCE = 10.0
SHAKE = Shake(box="b")


@pytest.fixture(params=[5, 6])
def client(request: pytest.FixtureRequest) -> Iterator[Make]:
    """Makes a client of a provider, or of a service, for both versions of the protocol."""
    with ExitStack() as stack:

        def make(service: HandlerService | None = None, **code: Callable[..., Any]) -> Client:
            if service is None:
                return stack.enter_context(host(Workshop(**code), request.param))
            server, handshake = stack.enter_context(listening(service, request.param, {}))
            stack.callback(server.stop)
            channel = open_channel(handshake.listens_on)
            return stack.enter_context(Client(Connection(channel, protocol_of(request.param))))

        yield make


class Odd(HandlerService):
    """A service that sends whatever events a test gives."""

    def __init__(self, *events: Any) -> None:
        super().__init__(Workshop())
        self.events = events

    def invoke_action(self, request: object, /) -> Iterator[InvokeActionEvent]:
        return iter(self.events)

    def list_resource(self, request: object, /) -> Iterator[ListResourceEvent]:
        return iter(self.events)


def test_progress_and_warnings(client: Make) -> None:
    def invoke(config: Shake, context: InvokeContext) -> None:
        context.progress(f"shaking {config.box}")
        context.warn("Something rattles")

    invocation = client(invoke=invoke).invoke(SHAKE)
    assert list(invocation) == ["shaking b"]
    assert [each.summary for each in invocation.diagnostics] == ["Something rattles"]
    assert list(invocation) == []


def test_the_result_of_an_action(client: Make) -> None:
    outcome = client(invoke=lambda _, context: context.warn("Careful")).invoke(SHAKE).result()
    assert [each.summary for each in outcome.diagnostics] == ["Careful"]


def test_an_action_that_fails(client: Make) -> None:
    def invoke(_: Shake, context: InvokeContext) -> None:
        context.progress("begun")
        context.warn("Careful")
        raise ProviderError("It is stuck", path="box")

    invocation = client(invoke=invoke).invoke(SHAKE)
    assert next(invocation) == "begun"
    with pytest.raises(ProviderError, match="It is stuck") as raised:
        next(invocation)
    assert [str(each) for each in raised.value.diagnostics] == [
        "warning: Careful",
        "error: It is stuck (box)",
    ]
    assert list(invocation) == []


def test_a_planned_action(client: Make) -> None:
    def plan(config: Shake, context: Any) -> None:
        if config.times == 1:
            raise ProviderError("Nothing to do")
        context.warn("Careful")
        context.defer(DeferredReason.ABSENT_PREREQUISITE)

    provider = client(plan_action=plan)
    with pytest.raises(ProviderError, match="Nothing to do"):
        provider.plan_action(Shake(box=UNKNOWN, times=1))
    with pytest.raises(ProviderError, match="This cannot be done yet"):
        provider.plan_action(SHAKE)
    with host(Workshop(plan_action=plan)) as able:
        able._capable.deferral_allowed = True
        planned = able.plan_action(SHAKE)
    assert planned.deferred is DeferredReason.ABSENT_PREREQUISITE
    assert [each.summary for each in planned.diagnostics] == ["Careful"]


def test_a_cancelled_action(client: Make) -> None:
    ended = threading.Event()

    def invoke(_: Shake, context: InvokeContext) -> None:
        context.progress("begun")
        if context.stopping.wait(PATIENCE):
            ended.set()

    invocation = client(invoke=invoke).invoke(SHAKE)
    next(invocation)
    invocation.cancel()
    assert ended.wait(PATIENCE)
    with pytest.raises(PluginError, match="InvokeAction: the call was cancelled"):
        invocation.result()


END = InvokeActionEvent(completed=DiagnosticsResponse())


@pytest.mark.parametrize(
    ("events", "message"),
    [
        ([], "toy_shake: the provider did not say how the action ended"),
        ([InvokeActionEvent()], "toy_shake: the provider did not say how the action ended"),
        ([END, END], "toy_shake: the provider sent an event after the last"),
    ],
)
def test_odd_ends_of_actions(client: Make, events: list[Any], message: str) -> None:
    with pytest.raises(PluginError, match=message):
        client(Odd(*events)).invoke(SHAKE).result()


def listed(number: int) -> Any:
    box = Box(name=f"box {number}", id=f"box-{number}", serial=7, color="red")
    return Listed(f"box {number}", resource=box)


def test_a_list(client: Make) -> None:
    def found(config: BoxFilter, context: ListContext) -> Iterator[Any]:
        assert context.limit == 100
        context.warn(f"All with {config.prefix}")
        yield listed(1)
        yield listed(2)
        context.warn("And so on")

    boxes = client(list=found).list(BoxFilter(prefix="b"))
    one, two = boxes
    assert (one.identity, one.display_name, one.resource) == ({"id": "box-1"}, "box 1", None)
    assert [str(each) for each in one.diagnostics] == ["warning: All with b"]
    assert two == ListedObject({"id": "box-2"}, "box 2")
    assert [each.summary for each in boxes.diagnostics] == ["All with b", "And so on"]


def test_objects(client: Make) -> None:
    provider = client(list=lambda *_: map(listed, range(3)))
    (one,) = provider.list(Box, include_resource=True, limit=1)
    assert isinstance(one.resource, Box)
    assert one.resource == listed(0).resource
    (again,) = provider.list(BoxFilter(), Box, include_resource=True, limit=1)
    assert again == one
    (made,) = provider.list(BoxFilter(), include_resource=True, limit=1)
    assert isinstance(made.resource, Resource)
    assert made.resource.to_json() == one.resource.to_json()


def test_objects_are_made_as_they_are_read(client: Make) -> None:
    closed = threading.Event()

    def endless(_: BoxFilter, context: ListContext) -> Iterator[Any]:
        try:
            while True:
                yield listed(1)
        finally:
            closed.set()

    boxes = client(list=endless).list(Box, limit=10**9)
    next(boxes)
    boxes.close()
    assert closed.wait(PATIENCE)


def test_identities_are_for_imports(client: Make) -> None:
    wanted: list[object] = []

    def imported(identity: object, _: object) -> Box:
        wanted.append(identity)
        box: Box = listed(1).resource
        return box

    provider = client(list=lambda *_: [listed(1)], import_state=imported)
    (one,) = provider.list(Box)
    provider.import_state(Box, one.identity)
    assert wanted == [BoxIdentity(id="box-1")]


def test_a_list_that_fails(client: Make) -> None:
    def found(*_: object) -> Iterator[Any]:
        yield listed(1)
        raise ProviderError("The page is gone")

    boxes = client(list=found).list(Box)
    next(boxes)
    with pytest.raises(ProviderError, match="The page is gone"):
        next(boxes)
    assert list(boxes) == []


def test_nothing_follows_an_error(client: Make) -> None:
    failed = ListResourceEvent(diagnostics=(Diagnostic(Severity.ERROR, "The page is gone"),))
    event = ListResourceEvent(WireValue.of(BoxIdentity(id="1")), "one")
    boxes = client(Odd(failed, event)).list(Box)
    with pytest.raises(ProviderError, match="The page is gone"):
        next(boxes)
    assert list(boxes) == []


def test_more_than_the_limit(client: Make) -> None:
    event = ListResourceEvent(WireValue.of(BoxIdentity(id="1")), "one")
    assert len(list(client(Odd(event, event, event)).list(Box, limit=2))) == 2


WARNING = Diagnostic(Severity.WARNING, "Slow")


def test_odd_events_of_lists(client: Make) -> None:
    boxes = client(Odd(ListResourceEvent(diagnostics=(WARNING,)))).list(Box)
    assert list(boxes) == []
    assert boxes.diagnostics == (WARNING,)
    with pytest.raises(PluginError, match="toy_box: the provider listed an object without an id"):
        next(client(Odd(ListResourceEvent())).list(Box))


def test_what_the_provider_does_not_have(client: Make) -> None:
    class Drawer(Resource, type_name="toy_drawer"):
        pass

    with pytest.raises(PluginError, match="the provider has no list resource toy_drawer"):
        client().list(Drawer)


def test_validation(client: Make) -> None:
    def refuse(config: Any, context: Any) -> None:
        context.error(type(config).__name__)

    provider = client(validate_action=refuse, validate_list=refuse)
    with pytest.raises(ProviderError, match="Shake"):
        provider.validate(Shake(box=UNKNOWN))
    with pytest.raises(ProviderError, match="BoxFilter"):
        provider.validate(BoxFilter(prefix=UNKNOWN))
