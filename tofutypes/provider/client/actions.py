"""Calls about actions: plan and invoke."""

from __future__ import annotations

from typing import Any

from tofutypes.models import Action
from tofutypes.provider.client.connection import ResponseStream
from tofutypes.provider.client.conversion import raise_errors, read_deferred
from tofutypes.provider.client.results import Outcome, PlannedAction
from tofutypes.provider.client.session import Session, type_name
from tofutypes.provider.messages.dynamic_value import write_value
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6
from tofutypes.provider.service.diagnostics import Diagnostic, PluginError


class Invocation:
    """An action at work: an iterator of what the provider tells about its progress.

        for message in provider.invoke(Reboot(server="web")):
            print(message)

    The action is over when the iterator ends, or `result` returns. Forgetting the object before
    that cancels the action.

    Args:
        action: The type name of the action.
        events: The events that the provider sends.

    Attributes:
        diagnostics: The warnings, once the action is over.

    Raises:
        ProviderError: At the end of the iteration, if the provider returns errors.
        PluginError: While it is read, if the provider ended or violated the protocol.
    """

    def __init__(self, action: str, events: ResponseStream) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = ()
        self._action = action
        self._events = events
        self._over = False

    def __iter__(self) -> Invocation:
        return self

    def __next__(self) -> str:
        if self._over:
            raise StopIteration
        event: Any = next(self._events, None)
        if event is not None and event.HasField("progress"):
            message: str = event.progress.message
            return message
        self._over = True
        if event is None or not event.HasField("completed"):
            self.cancel()
            raise PluginError(f"{self._action}: the provider did not say how the action ended")
        self.diagnostics = raise_errors(event.completed.diagnostics)
        if next(self._events, None) is not None:
            self.cancel()
            raise PluginError(f"{self._action}: the provider sent an event after the last")
        raise StopIteration

    def result(self) -> Outcome:
        """Wait until the action is over, and return its warnings."""
        for _ in self:
            pass
        return Outcome(self.diagnostics)

    def cancel(self) -> None:
        """End the call: the provider learns that nobody waits. Any thread may do so."""
        self._events.close()


class ActionCalls:
    """The calls of a [`Client`][tofutypes.provider.client.client.Client] about actions."""

    _session: Session
    _capable: tfplugin6.ClientCapabilities

    def plan_action(self, config: Action) -> PlannedAction:
        """Plan an action: the provider may warn, refuse or defer it.

        Args:
            config: The configuration. Values in it may be unknown.
        """
        response: tfplugin6.PlanAction.Response = self._session.call(
            "PlanAction",
            tfplugin6.PlanAction.Request(
                action_type=type_name(type(config)),
                config=write_value(config),
                client_capabilities=self._capable,
            ),
        )
        return PlannedAction(raise_errors(response.diagnostics), read_deferred(response))

    def invoke(self, config: Action) -> Invocation:
        """Invoke an action.

            for message in provider.invoke(Reboot(server="web")):
                print(message)

        Args:
            config: The configuration. All values in it must be known.

        Returns:
            The progress of the action. `Invocation.result` waits for its end.
        """
        name = type_name(type(config))
        request = tfplugin6.InvokeAction.Request(
            action_type=name, config=write_value(config), client_capabilities=self._capable
        )
        return Invocation(name, self._session.connection.stream("InvokeAction", request))
