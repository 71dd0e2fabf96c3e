"""The calls of the core, by name: what each is answered with.

All is written for protocol 6; what differs in protocol 5 is in `messages.protocol`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, TypeVar

from google.protobuf.message import Message

from tofutypes.provider.messages.diagnostics import ProviderError
from tofutypes.provider.messages.protocol import Protocol
from tofutypes.provider.messages.schemas import (
    functions_to_message,
    identities_to_message,
    provider_schema_to_message,
)
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6
from tofutypes.provider.server.applying import apply
from tofutypes.provider.server.configuration import check_configuration
from tofutypes.provider.server.context import ConfigureContext
from tofutypes.provider.server.data_sources import DataSourceEndpoint, EphemeralResourceEndpoint
from tofutypes.provider.server.definition import ProviderDefinition
from tofutypes.provider.server.endpoint import Endpoint
from tofutypes.provider.server.functions import call_function
from tofutypes.provider.server.planning import plan
from tofutypes.provider.server.provider import Provider
from tofutypes.provider.server.reporting import diagnostics_of, reporting
from tofutypes.provider.server.resource_endpoint import ResourceEndpoint
from tofutypes.provider.server.runner import Runner
from tofutypes.provider.server.state_calls import (
    import_state,
    move,
    read,
    upgrade,
    upgrade_identity,
)

Answering: TypeAlias = Callable[[Any], Message]

T = TypeVar("T")

_CAPABILITIES: Final = ("plan_destroy", "get_provider_schema_optional", "move_resource_state")


class Service:
    """Answers the calls of the core with what a provider offers.

    Args:
        provider: the provider.
        protocol: the major that the core speaks.

    Attributes:
        calls: what answers each call, by its name in protocol 6. Calls that are not there, of
            list resources, actions and state stores, are unimplemented.

    Raises:
        SchemaError: what the provider offers does not go together.
    """

    def __init__(self, provider: Provider[Any], protocol: Protocol) -> None:
        self.protocol = protocol
        self.run = Runner()
        self.definition = ProviderDefinition(provider)
        run = self.run
        self.provider = provider
        self.configuration = Endpoint("provider", provider, provider.config, run)
        self.resources = {
            name: ResourceEndpoint(name, each, run)
            for name, each in self.definition.resources.items()
        }
        self.data_sources = {
            name: DataSourceEndpoint(name, each, run)
            for name, each in self.definition.data_sources.items()
        }
        self.ephemeral_resources = {
            name: EphemeralResourceEndpoint(name, each, run)
            for name, each in self.definition.ephemeral_resources.items()
        }
        self.calls: Mapping[str, Answering] = {
            "GetMetadata": self._metadata,
            "GetProviderSchema": self._schemas,
            "GetResourceIdentitySchemas": self._identity_schemas,
            "GetFunctions": self._functions,
            "ValidateProviderConfig": self._validate_provider,
            "ValidateResourceConfig": self._validate_resource,
            "ValidateDataResourceConfig": self._validate_data_source,
            "ValidateEphemeralResourceConfig": self._validate_ephemeral,
            "ConfigureProvider": self._configure,
            "CallFunction": lambda request: call_function(self.definition.functions, run, request),
            "StopProvider": self._stop,
            **self._resource_calls(),
            **self._other_calls(),
        }

    def _resource_calls(self) -> Mapping[str, Answering]:
        found = self.resources
        return {
            "PlanResourceChange": _of_type(found, plan),
            "ApplyResourceChange": _of_type(found, apply),
            "ReadResource": _of_type(found, read),
            "ImportResourceState": _of_type(found, import_state),
            "UpgradeResourceState": _of_type(found, upgrade),
            "UpgradeResourceIdentity": _of_type(found, upgrade_identity),
            "MoveResourceState": lambda request: move(
                _find(found, request.target_type_name), request
            ),
        }

    def _other_calls(self) -> Mapping[str, Answering]:
        data, ephemeral = self.data_sources, self.ephemeral_resources
        return {
            "ReadDataSource": _of_type(data, DataSourceEndpoint.read),
            "OpenEphemeralResource": _of_type(ephemeral, EphemeralResourceEndpoint.open),
            "RenewEphemeralResource": _of_type(ephemeral, EphemeralResourceEndpoint.renew),
            "CloseEphemeralResource": _of_type(ephemeral, EphemeralResourceEndpoint.close),
        }

    def close(self) -> None:
        """End what runs beside the calls."""
        self.run.stop()
        self.run.close()

    def answer(self, name: str, request: Message) -> Message:
        """Answer a call.

        Args:
            name: its name in protocol 6.
            request: what came with it.
        """
        try:
            return self.calls[name](request)
        except BaseException as error:  # noqa: BLE001  # or the core hears nothing, and waits
            response: Any = self.protocol.calls[name].response()
            for each in diagnostics_of(error, name):
                # Of protocol 5 the classes are others, and the bytes the same.
                response.diagnostics.add().MergeFromString(each.to_message().SerializeToString())
            answer: Message = response
            return answer

    def _schemas(self, _: Message) -> Message:
        for each in self.resources.values():
            each.check()
        answer = provider_schema_to_message(self.definition.schema, self.protocol)
        _say_capabilities(answer.server_capabilities)
        return answer

    def _metadata(self, _: Message) -> Message:
        answer: Any = self.protocol.calls["GetMetadata"].response()
        _say_capabilities(answer.server_capabilities)
        for name in self.resources:
            answer.resources.add(type_name=name)
        for name in self.data_sources:
            answer.data_sources.add(type_name=name)
        for name in self.ephemeral_resources:
            answer.ephemeral_resources.add(type_name=name)
        for name in self.definition.functions:
            answer.functions.add(name=name)
        told: Message = answer
        return told

    def _identity_schemas(self, _: Message) -> Message:
        return identities_to_message(self.definition.identities)

    def _functions(self, _: Message) -> Message:
        return functions_to_message(self.definition.schema.functions)

    def _validate_provider(self, request: tfplugin6.ValidateProviderConfig.Request) -> Message:
        answer = tfplugin6.ValidateProviderConfig.Response()
        check_configuration(self.configuration, request.config, answer, self.provider.validate)
        return answer

    def _validate_resource(self, request: tfplugin6.ValidateResourceConfig.Request) -> Message:
        answer = tfplugin6.ValidateResourceConfig.Response()
        endpoint = _find(self.resources, request.type_name)
        check_configuration(
            endpoint,
            request.config,
            answer,
            endpoint.handler.validate,
            write_only_allowed=request.client_capabilities.write_only_attributes_allowed,
        )
        return answer

    def _validate_data_source(
        self, request: tfplugin6.ValidateDataResourceConfig.Request
    ) -> Message:
        answer = tfplugin6.ValidateDataResourceConfig.Response()
        endpoint = _find(self.data_sources, request.type_name)
        check_configuration(endpoint, request.config, answer, endpoint.handler.validate)
        return answer

    def _validate_ephemeral(
        self, request: tfplugin6.ValidateEphemeralResourceConfig.Request
    ) -> Message:
        answer = tfplugin6.ValidateEphemeralResourceConfig.Response()
        endpoint = _find(self.ephemeral_resources, request.type_name)
        check_configuration(endpoint, request.config, answer, endpoint.handler.validate)
        return answer

    def _configure(self, request: tfplugin6.ConfigureProvider.Request) -> Message:
        answer = tfplugin6.ConfigureProvider.Response()
        context = ConfigureContext(self.run.stopping)
        context.core_version = request.terraform_version
        with reporting(answer, "configuration of the provider", context, self.configuration.parts):
            config = self.configuration.must_read(request.config, "configuration")
            self.run(self.provider.configure(config, context))
        return answer

    def _stop(self, _: Message) -> Message:
        self.run.stop()
        return tfplugin6.StopProvider.Response()


def _say_capabilities(capabilities: Any) -> None:
    for name in _CAPABILITIES:
        setattr(capabilities, name, True)


def _find(endpoint: Mapping[str, T], name: str) -> T:
    found = endpoint.get(name)
    if found is None:
        raise ProviderError(f"The provider has no {name or 'type without a name'}")
    return found


def _of_type(endpoint: Mapping[str, T], call: Callable[[T, Any], Message]) -> Answering:
    """The call for the resource, data source… that the request names."""
    return lambda request: call(_find(endpoint, request.type_name), request)
