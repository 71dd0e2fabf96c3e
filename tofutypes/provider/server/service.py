"""A provider of handlers in this process, behind the interface that every front calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeVar

from tofutypes.provider.server.actions import ActionEndpoint
from tofutypes.provider.server.applying import apply
from tofutypes.provider.server.configuration import check_configuration
from tofutypes.provider.server.context import ConfigureContext
from tofutypes.provider.server.data_sources import DataSourceEndpoint, EphemeralResourceEndpoint
from tofutypes.provider.server.definition import ProviderDefinition
from tofutypes.provider.server.endpoint import Endpoint
from tofutypes.provider.server.functions import call_function
from tofutypes.provider.server.list_resources import ListResourceEndpoint
from tofutypes.provider.server.planning import plan
from tofutypes.provider.server.provider import Provider
from tofutypes.provider.server.reporting import reporting
from tofutypes.provider.server.resource_endpoint import ResourceEndpoint
from tofutypes.provider.server.runner import Runner
from tofutypes.provider.server.start_checks import check_endpoint
from tofutypes.provider.server.state_calls import (
    generate_config,
    import_state,
    move,
    read,
    upgrade,
    upgrade_identity,
)
from tofutypes.provider.server.state_stores import StateStoreCalls, StateStoreEndpoint
from tofutypes.provider.service import requests, responses
from tofutypes.provider.service.unsupported import no_such_type

T = TypeVar("T")

_CAPABILITIES: Final = responses.ServerCapabilities(
    plan_destroy=True,
    get_provider_schema_optional=True,
    move_resource_state=True,
    generate_resource_config=True,
)


class HandlerService(StateStoreCalls):
    """Answers calls with the handlers of a provider; see `ProviderService` for the methods.

    Args:
        provider: The provider.

    Attributes:
        definition: What the provider consists of.
        run: Runs the author's code.

    Raises:
        SchemaError: If the definition of the provider is not consistent.
    """

    def __init__(self, provider: Provider[Any]) -> None:
        self.run = run = Runner()
        self.definition = definition = ProviderDefinition(provider)
        self._provider = provider
        self._configuration = Endpoint("provider", provider, provider.config, run)
        self._resources = {
            name: ResourceEndpoint(name, handler, run)
            for name, handler in definition.resources.items()
        }
        self._data_sources = {
            name: DataSourceEndpoint(name, handler, run)
            for name, handler in definition.data_sources.items()
        }
        self._ephemeral_resources = {
            name: EphemeralResourceEndpoint(name, handler, run)
            for name, handler in definition.ephemeral_resources.items()
        }
        self._actions = {
            name: ActionEndpoint(name, handler, run) for name, handler in definition.actions.items()
        }
        self._list_resources = {
            name: ListResourceEndpoint(name, handler, self._resources[name])
            for name, handler in definition.list_resources.items()
        }
        self.state_stores = {
            name: StateStoreEndpoint(name, handler, run)
            for name, handler in definition.state_stores.items()
        }

    def get_metadata(self) -> responses.MetadataResponse:
        """Return the names of everything that the provider has."""
        return responses.MetadataResponse(
            _CAPABILITIES,
            resources=tuple(self._resources),
            data_sources=tuple(self._data_sources),
            functions=tuple(self.definition.functions),
            ephemeral_resources=tuple(self._ephemeral_resources),
            list_resources=tuple(self._list_resources),
            actions=tuple(self._actions),
            state_stores=tuple(self.state_stores),
        )

    def get_provider_schema(self) -> responses.ProviderSchemaResponse:
        """Return the schemas."""
        check_endpoint(self._configuration, self._provider)
        groups = (
            self._resources,
            self._data_sources,
            self._ephemeral_resources,
            self._actions,
            self._list_resources,
            self.state_stores,
        )
        for group in groups:
            for endpoint in group.values():
                check_endpoint(endpoint, endpoint.handler)
        return responses.ProviderSchemaResponse(self.definition.schema, _CAPABILITIES)

    def get_resource_identity_schemas(self) -> responses.IdentitySchemasResponse:
        """Return the schemas of the identities of resources."""
        return responses.IdentitySchemasResponse(self.definition.identities)

    def get_functions(self) -> responses.FunctionsResponse:
        """Return the signatures of the functions."""
        return responses.FunctionsResponse(self.definition.schema.functions)

    def validate_provider_config(
        self, request: requests.ValidateConfigRequest, /
    ) -> responses.DiagnosticsResponse:
        """Validate the configuration of the provider."""
        return check_configuration(self._configuration, request, self._provider)

    def validate_resource_config(
        self, request: requests.ValidateConfigRequest, /
    ) -> responses.DiagnosticsResponse:
        """Validate the configuration of a resource."""
        endpoint = _find(self._resources, request.type_name)
        return check_configuration(endpoint, request, endpoint.handler)

    def validate_data_resource_config(
        self, request: requests.ValidateConfigRequest, /
    ) -> responses.DiagnosticsResponse:
        """Validate the configuration of a data source."""
        endpoint = _find(self._data_sources, request.type_name)
        return check_configuration(endpoint, request, endpoint.handler)

    def validate_ephemeral_resource_config(
        self, request: requests.ValidateConfigRequest, /
    ) -> responses.DiagnosticsResponse:
        """Validate the configuration of an ephemeral resource."""
        endpoint = _find(self._ephemeral_resources, request.type_name)
        return check_configuration(endpoint, request, endpoint.handler)

    def configure_provider(
        self, request: requests.ConfigureProviderRequest, /
    ) -> responses.DiagnosticsResponse:
        """Configure the provider."""
        context = ConfigureContext(
            stopping=self.run.stopping, core_version=request.terraform_version
        )
        endpoint = self._configuration
        with reporting("configuration of the provider", context, endpoint.parts) as report:
            config = endpoint.decode(request.config, "configuration")
            self.run(self._provider.configure(config, context))
        return responses.DiagnosticsResponse(report.diagnostics)

    def plan_resource_change(
        self, request: requests.PlanResourceChangeRequest, /
    ) -> responses.PlanResourceChangeResponse:
        """Plan a creation, an update or a deletion."""
        return plan(_find(self._resources, request.type_name), request)

    def apply_resource_change(
        self, request: requests.ApplyResourceChangeRequest, /
    ) -> responses.ApplyResourceChangeResponse:
        """Create, update or delete an object as planned."""
        return apply(_find(self._resources, request.type_name), request)

    def read_resource(
        self, request: requests.ReadResourceRequest, /
    ) -> responses.ReadResourceResponse:
        """Read the current state of an object."""
        return read(_find(self._resources, request.type_name), request)

    def import_resource_state(
        self, request: requests.ImportResourceStateRequest, /
    ) -> responses.ImportResourceStateResponse:
        """Import an existing object."""
        return import_state(_find(self._resources, request.type_name), request)

    def upgrade_resource_state(
        self, request: requests.UpgradeResourceStateRequest, /
    ) -> responses.UpgradeResourceStateResponse:
        """Bring stored state to the current schema version."""
        return upgrade(_find(self._resources, request.type_name), request)

    def upgrade_resource_identity(
        self, request: requests.UpgradeResourceIdentityRequest, /
    ) -> responses.UpgradeResourceIdentityResponse:
        """Bring a stored identity to the current version."""
        return upgrade_identity(_find(self._resources, request.type_name), request)

    def move_resource_state(
        self, request: requests.MoveResourceStateRequest, /
    ) -> responses.MoveResourceStateResponse:
        """Make the state of another type one of a resource."""
        return move(_find(self._resources, request.target_type_name), request)

    def generate_resource_config(
        self, request: requests.GenerateResourceConfigRequest, /
    ) -> responses.GenerateResourceConfigResponse:
        """Make the configuration of an object."""
        return generate_config(_find(self._resources, request.type_name), request)

    def read_data_source(
        self, request: requests.ReadDataSourceRequest, /
    ) -> responses.ReadDataSourceResponse:
        """Read a data source."""
        return _find(self._data_sources, request.type_name).read(request)

    def open_ephemeral_resource(
        self, request: requests.OpenEphemeralResourceRequest, /
    ) -> responses.OpenEphemeralResourceResponse:
        """Open an ephemeral resource."""
        return _find(self._ephemeral_resources, request.type_name).open(request)

    def renew_ephemeral_resource(
        self, request: requests.EphemeralResourceRequest, /
    ) -> responses.RenewEphemeralResourceResponse:
        """Renew an ephemeral resource."""
        return _find(self._ephemeral_resources, request.type_name).renew(request)

    def close_ephemeral_resource(
        self, request: requests.EphemeralResourceRequest, /
    ) -> responses.DiagnosticsResponse:
        """Close an ephemeral resource."""
        return _find(self._ephemeral_resources, request.type_name).close(request)

    def call_function(
        self, request: requests.CallFunctionRequest, /
    ) -> responses.CallFunctionResponse:
        """Call a function."""
        return call_function(self.definition.functions, self.run, request)

    def validate_action_config(
        self, request: requests.ValidateConfigRequest, /
    ) -> responses.DiagnosticsResponse:
        """Validate the configuration of an action."""
        endpoint = _find(self._actions, request.type_name)
        return check_configuration(endpoint, request, endpoint.handler)

    def plan_action(self, request: requests.ActionRequest, /) -> responses.PlanActionResponse:
        """Plan an action."""
        return _find(self._actions, request.action_type).plan(request)

    def invoke_action(
        self, request: requests.ActionRequest, /
    ) -> Iterator[responses.InvokeActionEvent]:
        """Invoke an action; the events come as they happen."""
        return _find(self._actions, request.action_type).invoke(request)

    def validate_list_resource_config(
        self, request: requests.ValidateListResourceConfigRequest, /
    ) -> responses.DiagnosticsResponse:
        """Validate the configuration of a list resource."""
        return _find(self._list_resources, request.type_name).validate(request)

    def list_resource(
        self, request: requests.ListResourceRequest, /
    ) -> Iterator[responses.ListResourceEvent]:
        """List objects, one by one, as the caller takes them."""
        return _find(self._list_resources, request.type_name).list_objects(request)

    def stop_provider(self) -> responses.StopProviderResponse:
        """Ask the calls that run now to end early; they still answer."""
        self.run.stop()
        return responses.StopProviderResponse()

    def close(self) -> None:
        """Release what runs beside the calls. No call follows."""
        self.run.stop()
        self.run.close()


def _find(endpoints: Mapping[str, T], type_name: str) -> T:
    endpoint = endpoints.get(type_name)
    if endpoint is None:
        no_such_type(type_name)
    return endpoint
