"""The interface of everything that answers the calls of a provider."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from tofutypes.provider.service import requests, responses, state_requests


class ProviderService(Protocol):
    """What answers the calls of Terraform Core or OpenTofu: a method for each call of protocol 6.

    Methods are called from several threads at once. Errors and warnings for the user are part of
    the responses. Methods that return an iterator do their work as it is read; who does not want
    the rest closes it, if it has a method `close`.

    Raises:
        TofuTypesError: If a call fails as a whole: the type does not exist, or a remote provider
            is gone. Who called turns the exception into diagnostics.
    """

    def get_metadata(self) -> responses.MetadataResponse:
        """Return the names of everything that the provider has."""
        ...

    def get_provider_schema(self) -> responses.ProviderSchemaResponse:
        """Return the schemas."""
        ...

    def get_resource_identity_schemas(self) -> responses.IdentitySchemasResponse:
        """Return the schemas of the identities of resources."""
        ...

    def get_functions(self) -> responses.FunctionsResponse:
        """Return the signatures of the functions."""
        ...

    def validate_provider_config(
        self, request: requests.ValidateConfigRequest, /
    ) -> responses.DiagnosticsResponse:
        """Validate the configuration of the provider."""
        ...

    def validate_resource_config(
        self, request: requests.ValidateConfigRequest, /
    ) -> responses.DiagnosticsResponse:
        """Validate the configuration of a resource."""
        ...

    def validate_data_resource_config(
        self, request: requests.ValidateConfigRequest, /
    ) -> responses.DiagnosticsResponse:
        """Validate the configuration of a data source."""
        ...

    def validate_ephemeral_resource_config(
        self, request: requests.ValidateConfigRequest, /
    ) -> responses.DiagnosticsResponse:
        """Validate the configuration of an ephemeral resource."""
        ...

    def configure_provider(
        self, request: requests.ConfigureProviderRequest, /
    ) -> responses.DiagnosticsResponse:
        """Configure the provider."""
        ...

    def plan_resource_change(
        self, request: requests.PlanResourceChangeRequest, /
    ) -> responses.PlanResourceChangeResponse:
        """Plan a creation, an update or a deletion."""
        ...

    def apply_resource_change(
        self, request: requests.ApplyResourceChangeRequest, /
    ) -> responses.ApplyResourceChangeResponse:
        """Create, update or delete an object as planned."""
        ...

    def read_resource(
        self, request: requests.ReadResourceRequest, /
    ) -> responses.ReadResourceResponse:
        """Read the current state of an object."""
        ...

    def import_resource_state(
        self, request: requests.ImportResourceStateRequest, /
    ) -> responses.ImportResourceStateResponse:
        """Import an existing object."""
        ...

    def upgrade_resource_state(
        self, request: requests.UpgradeResourceStateRequest, /
    ) -> responses.UpgradeResourceStateResponse:
        """Bring stored state to the current schema version."""
        ...

    def upgrade_resource_identity(
        self, request: requests.UpgradeResourceIdentityRequest, /
    ) -> responses.UpgradeResourceIdentityResponse:
        """Bring a stored identity to the current version."""
        ...

    def move_resource_state(
        self, request: requests.MoveResourceStateRequest, /
    ) -> responses.MoveResourceStateResponse:
        """Make the state of another type one of a resource."""
        ...

    def read_data_source(
        self, request: requests.ReadDataSourceRequest, /
    ) -> responses.ReadDataSourceResponse:
        """Read a data source."""
        ...

    def open_ephemeral_resource(
        self, request: requests.OpenEphemeralResourceRequest, /
    ) -> responses.OpenEphemeralResourceResponse:
        """Open an ephemeral resource."""
        ...

    def renew_ephemeral_resource(
        self, request: requests.EphemeralResourceRequest, /
    ) -> responses.RenewEphemeralResourceResponse:
        """Renew an ephemeral resource."""
        ...

    def close_ephemeral_resource(
        self, request: requests.EphemeralResourceRequest, /
    ) -> responses.DiagnosticsResponse:
        """Close an ephemeral resource."""
        ...

    def call_function(
        self, request: requests.CallFunctionRequest, /
    ) -> responses.CallFunctionResponse:
        """Call a function."""
        ...

    def generate_resource_config(
        self, request: requests.GenerateResourceConfigRequest, /
    ) -> responses.GenerateResourceConfigResponse:
        """Make the configuration of an object."""
        ...

    def validate_list_resource_config(
        self, request: requests.ValidateListResourceConfigRequest, /
    ) -> responses.DiagnosticsResponse:
        """Validate the configuration of a list resource."""
        ...

    def list_resource(
        self, request: requests.ListResourceRequest, /
    ) -> Iterator[responses.ListResourceEvent]:
        """List objects, one by one, as the caller takes them."""
        ...

    def validate_action_config(
        self, request: requests.ValidateConfigRequest, /
    ) -> responses.DiagnosticsResponse:
        """Validate the configuration of an action."""
        ...

    def plan_action(self, request: requests.ActionRequest, /) -> responses.PlanActionResponse:
        """Plan an action."""
        ...

    def invoke_action(
        self, request: requests.ActionRequest, /
    ) -> Iterator[responses.InvokeActionEvent]:
        """Invoke an action; the events come as they happen."""
        ...

    def validate_state_store_config(
        self, request: requests.ValidateConfigRequest, /
    ) -> responses.DiagnosticsResponse:
        """Validate the configuration of a state store."""
        ...

    def configure_state_store(
        self, request: state_requests.ConfigureStateStoreRequest, /
    ) -> responses.ConfigureStateStoreResponse:
        """Configure a state store."""
        ...

    def read_state_bytes(
        self, request: state_requests.StateRequest, /
    ) -> Iterator[responses.ReadStateChunk]:
        """Read a state in chunks; no chunk means no state."""
        ...

    def write_state_bytes(
        self, chunks: Iterator[state_requests.StateChunk], /
    ) -> responses.DiagnosticsResponse:
        """Write a state that arrives in chunks."""
        ...

    def lock_state(
        self, request: state_requests.LockStateRequest, /
    ) -> responses.LockStateResponse:
        """Lock a state."""
        ...

    def unlock_state(
        self, request: state_requests.UnlockStateRequest, /
    ) -> responses.DiagnosticsResponse:
        """Unlock a state."""
        ...

    def get_states(
        self, request: state_requests.GetStatesRequest, /
    ) -> responses.GetStatesResponse:
        """Return the states of a state store."""
        ...

    def delete_state(
        self, request: state_requests.StateRequest, /
    ) -> responses.DiagnosticsResponse:
        """Delete a state."""
        ...

    def stop_provider(self) -> responses.StopProviderResponse:
        """Ask the calls that run now to end early; they still answer."""
        ...

    def close(self) -> None:
        """Release what runs beside the calls. No call follows."""
        ...
