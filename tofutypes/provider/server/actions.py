"""Actions. Source: the protocol, `PlanAction` and `InvokeAction`."""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import Future
from threading import Thread
from typing import Any

from tofutypes.models import Action
from tofutypes.provider.server.context import Context, InvokeContext
from tofutypes.provider.server.endpoint import ConfigBlockEndpoint
from tofutypes.provider.server.handlers import ActionHandler
from tofutypes.provider.server.reporting import reporting
from tofutypes.provider.server.runner import Runner
from tofutypes.provider.server.streams import EventStream
from tofutypes.provider.service.diagnostics import Diagnostic
from tofutypes.provider.service.requests import ActionRequest
from tofutypes.provider.service.responses import (
    DiagnosticsResponse,
    InvokeActionEvent,
    PlanActionResponse,
)


class ActionEndpoint(ConfigBlockEndpoint[Action]):
    """An action of the provider.

    Attributes:
        handler: The author's handler.
    """

    def __init__(self, name: str, handler: ActionHandler[Any, Any], run: Runner):
        super().__init__(name, handler, handler.model, run)
        self.handler = handler

    def plan(self, request: ActionRequest) -> PlanActionResponse:
        """Plan the action: its author may warn, refuse or defer it."""
        allowed = request.client_capabilities.deferral_allowed
        context = Context(stopping=self.stopping, deferral_allowed=allowed)
        with reporting(f"plan of {self.name}", context, self.parts) as report:
            config = self.decode(request.config, "configuration")
            self.run(self.handler.plan(config, context))
        return PlanActionResponse(report.diagnostics, report.deferred)

    def invoke(self, request: ActionRequest) -> EventStream[InvokeActionEvent]:
        """Invoke the action. The last event has its errors and warnings."""
        context = InvokeContext(stopping=self.run.stopping_of_one_call())
        return EventStream(self._events(request, context), context.stopping)

    def _events(
        self, request: ActionRequest, context: InvokeContext
    ) -> Generator[InvokeActionEvent]:
        # The author's code has a thread of its own: it goes on while an event is sent.
        outcome: Future[tuple[Diagnostic, ...]] = Future()
        thread = Thread(
            target=self._run, args=(request, context, outcome), name="tofutypes-action", daemon=True
        )
        thread.start()
        try:
            while (message := _next_message(context, outcome)) is not None:
                yield InvokeActionEvent(progress=message)
        finally:  # also if nobody reads the rest
            thread.join()
        yield InvokeActionEvent(completed=DiagnosticsResponse(outcome.result()))

    def _run(
        self,
        request: ActionRequest,
        context: InvokeContext,
        outcome: Future[tuple[Diagnostic, ...]],
    ) -> None:
        with reporting(f"invocation of {self.name}", context, self.parts) as report:
            config = self.decode_known(request.config)
            self.run(self.handler.invoke(config, context))
        with context.changed:
            outcome.set_result(report.diagnostics)
            context.changed.notify_all()


def _next_message(context: InvokeContext, outcome: Future[tuple[Diagnostic, ...]]) -> str | None:
    """Wait for a message of the author's code; None if that has ended and there is no more."""
    with context.changed:
        context.changed.wait_for(lambda: context.messages or outcome.done())
        return context.messages.popleft() if context.messages else None
