"""Answers of services that have neither list resources nor actions nor state stores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

from tofutypes.provider.service import requests, responses, state_requests
from tofutypes.provider.service.diagnostics import ProviderError


def no_such_type(type_name: str) -> NoReturn:
    """Refuse a call about a type that the provider does not have.

    Raises:
        ProviderError: Always.
    """
    raise ProviderError(f"The provider has no {type_name or 'type without a name'}")


class UnsupportedCalls:
    """The calls of `ProviderService` that came late to the protocol, all refused.

    A base class for services that have nothing behind them.
    """

    def generate_resource_config(
        self, request: requests.GenerateResourceConfigRequest, /
    ) -> responses.GenerateResourceConfigResponse:
        """Make the configuration of an object."""
        no_such_type(request.type_name)

    def validate_list_resource_config(
        self, request: requests.ValidateListResourceConfigRequest, /
    ) -> responses.DiagnosticsResponse:
        """Validate the configuration of a list resource."""
        no_such_type(request.type_name)

    def list_resource(
        self, request: requests.ListResourceRequest, /
    ) -> Iterator[responses.ListResourceEvent]:
        """List objects."""
        no_such_type(request.type_name)

    def validate_action_config(
        self, request: requests.ValidateConfigRequest, /
    ) -> responses.DiagnosticsResponse:
        """Validate the configuration of an action."""
        no_such_type(request.type_name)

    def plan_action(self, request: requests.ActionRequest, /) -> responses.PlanActionResponse:
        """Plan an action."""
        no_such_type(request.action_type)

    def invoke_action(
        self, request: requests.ActionRequest, /
    ) -> Iterator[responses.InvokeActionEvent]:
        """Invoke an action."""
        no_such_type(request.action_type)

    def validate_state_store_config(
        self, request: requests.ValidateConfigRequest, /
    ) -> responses.DiagnosticsResponse:
        """Validate the configuration of a state store."""
        no_such_type(request.type_name)

    def configure_state_store(
        self, request: state_requests.ConfigureStateStoreRequest, /
    ) -> responses.ConfigureStateStoreResponse:
        """Configure a state store."""
        no_such_type(request.type_name)

    def read_state_bytes(
        self, request: state_requests.StateRequest, /
    ) -> Iterator[responses.ReadStateChunk]:
        """Read a state."""
        no_such_type(request.type_name)

    def write_state_bytes(
        self, chunks: Iterator[state_requests.StateChunk], /
    ) -> responses.DiagnosticsResponse:
        """Write a state."""
        meta = next((chunk.meta for chunk in chunks), None)
        no_such_type(meta.type_name if meta else "")

    def lock_state(
        self, request: state_requests.LockStateRequest, /
    ) -> responses.LockStateResponse:
        """Lock a state."""
        no_such_type(request.type_name)

    def unlock_state(
        self, request: state_requests.UnlockStateRequest, /
    ) -> responses.DiagnosticsResponse:
        """Unlock a state."""
        no_such_type(request.type_name)

    def get_states(
        self, request: state_requests.GetStatesRequest, /
    ) -> responses.GetStatesResponse:
        """Return the states of a state store."""
        no_such_type(request.type_name)

    def delete_state(
        self, request: state_requests.StateRequest, /
    ) -> responses.DiagnosticsResponse:
        """Delete a state."""
        no_such_type(request.type_name)
