"""The interface of everything that answers the calls of a provider."""

from __future__ import annotations

from typing import Protocol

from tofutypes.provider.service import requests, responses


class ProviderService(Protocol):
    """What answers the calls of Terraform Core or OpenTofu: a method for each call of protocol 6.

    Methods are called from several threads at once. Errors and warnings for the user are part of
    the responses.

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

    def stop_provider(self) -> responses.StopProviderResponse:
        """Ask the calls that run now to end early; they still answer."""
        ...

    def close(self) -> None:
        """Release what runs beside the calls. No call follows."""
        ...
