"""Actions: plan, progress, interruption, and how an invocation ends."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.provider.server.boxes import Code, Shake, Shakes, Toy, Workshop
from tofutypes import UNKNOWN, Action, Attr, known
from tofutypes.provider import (
    ActionHandler,
    Context,
    DeferredReason,
    Diagnostic,
    InvokeContext,
    ProviderError,
    Severity,
    ValidateContext,
)
from tofutypes.provider.client.connection import Connection, open_channel
from tofutypes.provider.client.remote_service import remote_service
from tofutypes.provider.messages.protocol import protocol_of
from tofutypes.provider.server.context import KEPT_MESSAGES
from tofutypes.provider.server.listening import listening
from tofutypes.provider.server.service import HandlerService
from tofutypes.provider.service.requests import (
    ActionRequest,
    ClientCapabilities,
    ValidateConfigRequest,
)
from tofutypes.provider.service.responses import DiagnosticsResponse, InvokeActionEvent
from tofutypes.provider.service.service import ProviderService
from tofutypes.provider.service.wire_value import WireValue

Make = Callable[..., ProviderService]

PATIENCE = 10.0


@pytest.fixture(params=["here", 5, 6])
def service(request: pytest.FixtureRequest) -> Iterator[Make]:
    """Makes the service of a provider: in this process, and over both versions of the protocol."""
    with ExitStack() as stack:

        def make(**code: Code) -> ProviderService:
            own = HandlerService(Workshop(**code))
            if request.param == "here":
                stack.callback(own.close)
                return own
            server, handshake = stack.enter_context(listening(own, request.param, {}))
            stack.callback(server.stop, PATIENCE)
            connection = Connection(open_channel(handshake.listens_on), protocol_of(request.param))
            stack.callback(connection.close)
            return remote_service(connection)

        yield make


def request(**values: Any) -> ActionRequest:
    return ActionRequest("toy_shake", WireValue.of(Shake(**{"box": "b", **values})))


def outcome(events: Iterator[InvokeActionEvent]) -> tuple[list[str], tuple[Diagnostic, ...]]:
    """The messages of an invocation and its diagnostics; the end comes once, and last."""
    *messages, end = events
    assert isinstance(end.completed, DiagnosticsResponse)
    assert all(event.completed is None for event in messages)
    return [event.progress or "" for event in messages], end.completed.diagnostics


def told(diagnostics: tuple[Diagnostic, ...]) -> list[str]:
    return list(map(str, diagnostics))


def test_it_is_in_the_schema(service: Make) -> None:
    provider = service()
    schema = provider.get_provider_schema().schema
    assert schema is not None
    assert list(schema.actions) == ["toy_shake"]
    assert schema.actions["toy_shake"].block.description == "Shakes a box."
    assert provider.get_metadata().actions == ("toy_shake",)


def test_validation(service: Make) -> None:
    def validate(config: Shake, context: ValidateContext) -> None:
        if config.box == "":
            context.error("The box has no name", path="box")

    provider = service(validate_action=validate)

    def found(**values: Any) -> list[str]:
        config = WireValue.of(Shake(**values))
        request = ValidateConfigRequest(config, "toy_shake")
        return told(provider.validate_action_config(request).diagnostics)

    assert found(box="") == ["error: The box has no name (box)"]
    assert found(box=UNKNOWN) == []
    assert found(box="b", times=1, seconds=1) == [
        "error: Invalid combination of attributes (times): "
        "Set at most one of `times` or `seconds`, not `times` and `seconds`."
    ]


def test_a_plan(service: Make) -> None:
    planned: list[Shake] = []

    async def plan(config: Shake, context: Context) -> None:
        planned.append(config)
        context.warn("Boxes are fragile")
        if config.times == 0:
            raise ProviderError("Nothing to do", path="times")
        if config.times == 1:
            context.defer(DeferredReason.ABSENT_PREREQUISITE)

    provider = service(plan_action=plan)
    response = provider.plan_action(request(box=UNKNOWN))
    assert planned == [Shake(box=UNKNOWN)]
    assert told(response.diagnostics) == ["warning: Boxes are fragile"]
    assert told(provider.plan_action(request(times=0)).diagnostics)[1:] == [
        "error: Nothing to do (times)"
    ]
    able = ClientCapabilities(deferral_allowed=True)
    deferred = provider.plan_action(request(times=1)._replace(client_capabilities=able))
    assert deferred.deferred is DeferredReason.ABSENT_PREREQUISITE
    assert told(provider.plan_action(request(times=1)).diagnostics)[1:] == [
        "error: This cannot be done yet: It would have to be deferred: absent prerequisite."
    ]


def test_progress(service: Make) -> None:
    def invoke(config: Shake, context: InvokeContext) -> None:
        for number in range(known(config.times) or 0):
            context.progress(f"{config.box} {number}")
        context.warn("Something rattles")

    messages, diagnostics = outcome(service(invoke=invoke).invoke_action(request(times=2)))
    assert messages == ["b 0", "b 1"]
    assert told(diagnostics) == ["warning: Something rattles"]


def test_progress_comes_as_it_happens(service: Make) -> None:
    received = threading.Event()

    async def invoke(_: Shake, context: InvokeContext) -> None:
        context.progress("begun")
        while not received.is_set():
            await asyncio.sleep(0.01)
        context.progress("seen")

    events = service(invoke=invoke).invoke_action(request())
    assert next(events).progress == "begun"
    received.set()
    assert outcome(events) == (["seen"], ())


def test_nobody_reads_the_progress(service: Make) -> None:
    """The newest messages are kept, and the author's code is not held up."""
    told_all = threading.Event()
    contexts: list[InvokeContext] = []

    def invoke(_: Shake, context: InvokeContext) -> None:
        contexts.append(context)
        for number in range(100_000):
            context.progress(f"{number} {'x' * 1000}")
        told_all.set()

    events = service(invoke=invoke).invoke_action(request())
    next(events)
    assert told_all.wait(PATIENCE * 6)
    assert len(contexts[0].messages) <= KEPT_MESSAGES
    messages, diagnostics = outcome(events)
    assert not diagnostics
    assert messages[-1].startswith("99999 ")
    assert len(messages) < 50_000


@pytest.mark.parametrize(
    ("raised", "message"),
    [
        (ProviderError("It is stuck", path="box"), "error: It is stuck (box)"),
        (ValueError("swordfish"), "error: The provider failed: ValueError in the invocation of"),
        (SystemExit(1), "error: The provider failed: "),
    ],
)
@pytest.mark.parametrize("later", [False, True])
def test_a_failure(service: Make, raised: BaseException, message: str, later: bool) -> None:
    def invoke(_: Shake, context: InvokeContext) -> None:
        context.progress("begun")
        raise raised

    async def invoke_later(config: Shake, context: InvokeContext) -> None:
        invoke(config, context)

    provider = service(invoke=invoke_later if later else invoke)
    messages, diagnostics = outcome(provider.invoke_action(request()))
    assert messages == ["begun"]
    assert [str(each).startswith(message) for each in diagnostics] == [True]
    assert "swordfish" not in str(diagnostics)


def test_an_invocation_cannot_be_deferred(service: Make) -> None:
    provider = service(invoke=lambda _, context: context.defer(DeferredReason.ABSENT_PREREQUISITE))
    able = ClientCapabilities(deferral_allowed=True)
    _, diagnostics = outcome(provider.invoke_action(request()._replace(client_capabilities=able)))
    assert [each.summary for each in diagnostics] == ["This cannot be done yet"]


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (WireValue.of(Shake(box=UNKNOWN)), "The configuration of toy_shake has unknown values"),
        (WireValue(), "The configuration of toy_shake is missing"),
        (WireValue(b"\xa1x"), "Invalid value"),
    ],
)
def test_configurations_that_do_not_fit(service: Make, config: WireValue, message: str) -> None:
    invoked: list[object] = []
    provider = service(invoke=lambda *given: invoked.append(given))
    _, diagnostics = outcome(provider.invoke_action(ActionRequest("toy_shake", config)))
    assert [(each.severity, each.summary) for each in diagnostics] == [(Severity.ERROR, message)]
    assert not invoked


class Tidy(Action, type_name="toy_tidy"):
    room: Attr[str | None] = Attr(optional=True, default=None)


class Tidies(ActionHandler[Tidy]):
    def plan(self, config: Tidy, context: Context) -> None:
        context.warn(f"planned {config.room}")

    def invoke(self, config: Tidy, context: InvokeContext) -> None:
        context.warn(f"tidied {config.room}")


def test_an_action_without_configuration() -> None:
    """Terraform sends null if there is no `config` block."""

    class Home(Toy):
        actions = (Tidies,)

    provider, ask = HandlerService(Home()), ActionRequest("toy_tidy", WireValue(b"\xc0"))
    assert told(provider.plan_action(ask).diagnostics) == ["warning: planned None"]
    _, diagnostics = outcome(provider.invoke_action(ask))
    assert told(diagnostics) == ["warning: tidied None"]


def test_progress_that_is_no_text(service: Make) -> None:
    provider = service(invoke=lambda _, context: context.progress(1))
    _, diagnostics = outcome(provider.invoke_action(request()))
    assert told(diagnostics) == [
        "error: The provider is at fault: context.progress: expected a string, got a number."
    ]


def test_the_user_interrupts(service: Make) -> None:
    def invoke(_: Shake, context: InvokeContext) -> None:
        context.progress("begun")
        assert context.stopping.wait(PATIENCE)
        raise ProviderError("Interrupted")

    provider = service(invoke=invoke)
    events = provider.invoke_action(request())
    assert next(events).progress == "begun"
    provider.stop_provider()
    assert told(outcome(events)[1]) == ["error: Interrupted"]


def test_a_later_invocation_is_not_interrupted(service: Make) -> None:
    stopped: list[bool] = []
    provider = service(invoke=lambda _, context: stopped.append(context.stopping.is_set()))
    provider.stop_provider()
    outcome(provider.invoke_action(request()))
    assert stopped == [False]


def test_the_caller_goes_away(service: Make) -> None:
    ended = threading.Event()

    def invoke(_: Shake, context: InvokeContext) -> None:
        context.progress("begun")
        if context.stopping.wait(PATIENCE):
            ended.set()

    events = service(invoke=invoke).invoke_action(request())
    next(events)
    events.close()  # type: ignore[attr-defined]  # streams have it
    assert ended.wait(PATIENCE)


def test_nothing_is_done_before_it_is_read() -> None:
    invoked: list[object] = []
    provider = HandlerService(Workshop(invoke=lambda *given: invoked.append(given)))
    events = provider.invoke_action(request())
    assert not invoked
    outcome(events)
    assert len(invoked) == 1


def test_a_server_waits_for_invocations_without_a_caller() -> None:
    """As it waits for other calls whose caller has gone."""
    begun, ended = threading.Event(), threading.Event()

    def invoke(_: Shake, context: InvokeContext) -> None:
        context.progress("begun")
        begun.set()
        context.stopping.wait(PATIENCE)
        context.progress("ending")  # nobody takes it
        threading.Event().wait(0.5)
        ended.set()

    with listening(HandlerService(Workshop(invoke=invoke)), 6, {}) as (server, handshake):
        connection = Connection(open_channel(handshake.listens_on), protocol_of(6))
        next(remote_service(connection).invoke_action(request()))
        assert begun.wait(PATIENCE)
        connection.close()
        server.stop(PATIENCE)
        assert ended.is_set()


def test_a_context_in_a_unit_test() -> None:
    context = InvokeContext()
    asked: list[str] = []
    handler = Shakes(Workshop(invoke=lambda config, context: context.progress(config.box)))
    handler.invoke(Shake(box="b"), context)
    asked.extend(context.messages)
    assert asked == ["b"]
