"""A plugin as a provider service: what stands before it calls the plugin."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cached_property
from typing import Any, TypeVar

from tofutypes.errors import DecodeError, TofuTypesError
from tofutypes.narrowing import is_dict
from tofutypes.provider.service import requests, responses
from tofutypes.provider.service.diagnostics import ProviderError
from tofutypes.provider.service.unsupported import UnsupportedCalls
from tofutypes.provider.service.wire_value import WireValue
from tofutypes.schema import Block, Function, ProviderSchema, Schema, implied_type
from tofutypes.schema.document import read_part
from tofutypes.seasonings.errors import CallError, ErrorCode, PeerError
from tofutypes.seasonings.host.sync import PluginClient
from tofutypes.seasonings.protocol.methods import FUNCTIONS, RESOURCES
from tofutypes.seasonings.protocol.paths import read_path
from tofutypes.seasonings.resources.conversion import (
    diagnostics_of,
    read_bytes,
    read_deferred,
    read_list,
    read_value,
    write_value,
)
from tofutypes.wire import decode_json, decode_msgpack, encode_msgpack

S = TypeVar("S", bound=Schema)

_CAPABILITIES = responses.ServerCapabilities(
    plan_destroy=True, get_provider_schema_optional=True, move_resource_state=False
)

_NULL = b"\xc0"


class PluginService(UnsupportedCalls):
    """Answers the calls of Terraform Core with a plugin; see `ProviderService` for the methods.

    Args:
        plugin: the plugin.
    """

    def __init__(self, plugin: PluginClient) -> None:
        self._plugin = plugin

    @cached_property
    def _schema(self) -> ProviderSchema:
        functions: Mapping[str, Function] = {}
        resources: Mapping[str, object] = {}
        if FUNCTIONS in self._plugin.info.capabilities:
            functions = self._plugin.functions()
        if RESOURCES in self._plugin.info.capabilities:
            resources = self._plugin.call("resources/getSchema", {})
        provider = resources.get("provider")
        return ProviderSchema(
            provider=self._read_schema("provider", provider) if provider else Schema(Block()),
            resources=self._read_schemas(resources, "resource_schemas"),
            data_sources=self._read_schemas(resources, "data_source_schemas"),
            ephemeral_resources=self._read_schemas(resources, "ephemeral_resource_schemas"),
            functions=functions,
        )

    def _read_schemas(self, answer: Mapping[str, object], kind: str) -> Mapping[str, Schema]:
        listed = answer.get(kind)
        if not is_dict(listed):
            return {}
        return {
            str(name): self._read_schema(f"{kind}.{name}", schema)
            for name, schema in listed.items()
        }

    def _read_schema(self, where: str, schema: object) -> Schema:
        try:
            if not is_dict(schema):
                raise PeerError("expected a map")
            return read_part(Schema, {str(key): value for key, value in schema.items()})
        except TofuTypesError as error:
            where = f"{self._plugin.name}: resources/getSchema: {where}"
            raise PeerError(f"{where}: {error}") from None

    def _call(self, method: str, **params: object) -> Mapping[str, object]:
        return self._plugin.call(f"resources/{method}", params)

    # Schemas.

    def get_metadata(self) -> responses.MetadataResponse:
        """Return the names of everything that the plugin has."""
        schema = self._schema
        return responses.MetadataResponse(
            _CAPABILITIES,
            resources=tuple(schema.resources),
            data_sources=tuple(schema.data_sources),
            functions=tuple(schema.functions),
            ephemeral_resources=tuple(schema.ephemeral_resources),
        )

    def get_provider_schema(self) -> responses.ProviderSchemaResponse:
        """Return the schemas."""
        return responses.ProviderSchemaResponse(self._schema, _CAPABILITIES)

    def get_resource_identity_schemas(self) -> responses.IdentitySchemasResponse:
        """Return no identities: plugins have none."""
        return responses.IdentitySchemasResponse({})

    def get_functions(self) -> responses.FunctionsResponse:
        """Return the signatures of the functions."""
        return responses.FunctionsResponse(self._schema.functions)

    # Configurations.

    def _validate(
        self, mode: str, request: requests.ValidateConfigRequest
    ) -> responses.DiagnosticsResponse:
        if RESOURCES not in self._plugin.info.capabilities:
            return responses.DiagnosticsResponse()
        answer = self._call(
            "validateConfig",
            mode=mode,
            type_name=request.type_name or None,
            config=write_value(request.config),
        )
        return responses.DiagnosticsResponse(diagnostics_of(answer))

    def validate_provider_config(
        self, request: requests.ValidateConfigRequest, /
    ) -> responses.DiagnosticsResponse:
        """Validate the configuration of the provider."""
        return self._validate("provider", request)

    def validate_resource_config(
        self, request: requests.ValidateConfigRequest, /
    ) -> responses.DiagnosticsResponse:
        """Validate the configuration of a resource."""
        return self._validate("managed", request)

    def validate_data_resource_config(
        self, request: requests.ValidateConfigRequest, /
    ) -> responses.DiagnosticsResponse:
        """Validate the configuration of a data source."""
        return self._validate("data", request)

    def validate_ephemeral_resource_config(
        self, request: requests.ValidateConfigRequest, /
    ) -> responses.DiagnosticsResponse:
        """Validate the configuration of an ephemeral resource."""
        return self._validate("ephemeral", request)

    def configure_provider(
        self, request: requests.ConfigureProviderRequest, /
    ) -> responses.DiagnosticsResponse:
        """Configure the plugin's resources."""
        if RESOURCES not in self._plugin.info.capabilities:
            return responses.DiagnosticsResponse()
        answer = self._call("configure", config=write_value(request.config))
        return responses.DiagnosticsResponse(diagnostics_of(answer))

    # Managed resources.

    def plan_resource_change(
        self, request: requests.PlanResourceChangeRequest, /
    ) -> responses.PlanResourceChangeResponse:
        """Plan a creation, an update or a deletion."""
        answer = self._call(
            "planChange",
            type_name=request.type_name,
            prior_state=write_value(request.prior_state),
            proposed_new_state=write_value(request.proposed_new_state),
            config=write_value(request.config),
            private=request.prior_private,
        )
        return responses.PlanResourceChangeResponse(
            read_value(answer.get("planned_state")),
            tuple(map(read_path, read_list(answer.get("requires_replace")))),
            read_bytes(answer.get("private")),
            diagnostics_of(answer),
            deferred=read_deferred(answer.get("deferred")),
        )

    def apply_resource_change(
        self, request: requests.ApplyResourceChangeRequest, /
    ) -> responses.ApplyResourceChangeResponse:
        """Create, update or delete an object as planned."""
        answer = self._call(
            "applyChange",
            type_name=request.type_name,
            prior_state=write_value(request.prior_state),
            planned_state=write_value(request.planned_state),
            config=write_value(request.config),
            private=request.planned_private,
        )
        return responses.ApplyResourceChangeResponse(
            read_value(answer.get("new_state")),
            read_bytes(answer.get("private")),
            diagnostics_of(answer),
        )

    def read_resource(
        self, request: requests.ReadResourceRequest, /
    ) -> responses.ReadResourceResponse:
        """Read the current state of an object."""
        answer = self._call(
            "read",
            type_name=request.type_name,
            current_state=write_value(request.current_state),
            private=request.private,
        )
        return responses.ReadResourceResponse(
            read_value(answer.get("new_state")),
            diagnostics_of(answer),
            read_bytes(answer.get("private")),
            read_deferred(answer.get("deferred")),
        )

    def import_resource_state(
        self, request: requests.ImportResourceStateRequest, /
    ) -> responses.ImportResourceStateResponse:
        """Import an existing object."""
        answer = self._call("import", type_name=request.type_name, id=request.id)
        imported = [
            responses.ImportedResource(
                str(entry.get("type_name", request.type_name)),
                read_value(entry.get("state")),
                read_bytes(entry.get("private")),
            )
            for entry in read_list(answer.get("resources"))
            if is_dict(entry)
        ]
        return responses.ImportResourceStateResponse(tuple(imported), diagnostics_of(answer))

    def upgrade_resource_state(
        self, request: requests.UpgradeResourceStateRequest, /
    ) -> responses.UpgradeResourceStateResponse:
        """Bring stored state to the current schema version.

        Terraform Core asks at every refresh. A plugin need not answer for its current version.
        """
        schema = self._schema.resources.get(request.type_name)
        if schema is not None and schema.version == request.version and request.raw_state.json:
            type_ = implied_type(schema)
            try:
                state = encode_msgpack(decode_json(request.raw_state.json, type_), type_)
            except TofuTypesError:
                pass  # the plugin knows better what was stored
            else:
                return responses.UpgradeResourceStateResponse(WireValue(state))
        answer = self._call(
            "upgradeState",
            type_name=request.type_name,
            version=request.version,
            state=request.raw_state.json.decode("utf-8", "replace"),
        )
        return responses.UpgradeResourceStateResponse(
            read_value(answer.get("state")), diagnostics_of(answer)
        )

    def upgrade_resource_identity(
        self, request: requests.UpgradeResourceIdentityRequest, /
    ) -> responses.UpgradeResourceIdentityResponse:
        """Refuse: plugins have no identities."""
        raise ProviderError(f"{request.type_name} has no identity")

    def move_resource_state(
        self, request: requests.MoveResourceStateRequest, /
    ) -> responses.MoveResourceStateResponse:
        """Refuse: the protocol of plugins has no such call."""
        raise ProviderError(
            f"{request.source_type_name} cannot be moved to {request.target_type_name}"
        )

    # Data sources and ephemeral resources.

    def read_data_source(
        self, request: requests.ReadDataSourceRequest, /
    ) -> responses.ReadDataSourceResponse:
        """Read a data source."""
        answer = self._call(
            "readData", type_name=request.type_name, config=write_value(request.config)
        )
        return responses.ReadDataSourceResponse(
            read_value(answer.get("state")),
            diagnostics_of(answer),
            read_deferred(answer.get("deferred")),
        )

    def open_ephemeral_resource(
        self, request: requests.OpenEphemeralResourceRequest, /
    ) -> responses.OpenEphemeralResourceResponse:
        """Open an ephemeral resource."""
        answer = self._call(
            "openEphemeral", type_name=request.type_name, config=write_value(request.config)
        )
        return responses.OpenEphemeralResourceResponse(
            read_value(answer.get("result")),
            deferred=read_deferred(answer.get("deferred")),
            **_lease(answer),
        )

    def renew_ephemeral_resource(
        self, request: requests.EphemeralResourceRequest, /
    ) -> responses.RenewEphemeralResourceResponse:
        """Renew an ephemeral resource."""
        answer = self._call("renewEphemeral", type_name=request.type_name, private=request.private)
        return responses.RenewEphemeralResourceResponse(**_lease(answer))

    def close_ephemeral_resource(
        self, request: requests.EphemeralResourceRequest, /
    ) -> responses.DiagnosticsResponse:
        """Close an ephemeral resource."""
        answer = self._call("closeEphemeral", type_name=request.type_name, private=request.private)
        return responses.DiagnosticsResponse(diagnostics_of(answer))

    # Functions, and the end.

    def call_function(
        self, request: requests.CallFunctionRequest, /
    ) -> responses.CallFunctionResponse:
        """Call a function."""
        arguments = list(map(write_value, request.arguments))
        params = {"name": request.name, "arguments": arguments}
        try:
            answer = self._plugin.call("functions/call", params)
        except CallError as error:
            return responses.CallFunctionResponse(error=_function_error(error, self._plugin.name))
        if "result" not in answer:
            raise PeerError(f"{self._plugin.name}: functions/call: wrong answer: no result")
        result = read_value(answer["result"])
        function = self._schema.functions.get(request.name)
        if function is not None:
            try:
                decode_msgpack(result.msgpack or _NULL, function.return_type)
            except DecodeError as error:  # Terraform Core would not say whose result it is
                text = f"{self._plugin.name}: wrong result of {request.name}: {error}"
                return responses.CallFunctionResponse(error=responses.FunctionError(text))
        return responses.CallFunctionResponse(result)

    def stop_provider(self) -> responses.StopProviderResponse:
        """Do nothing: calls of plugins end by themselves."""
        return responses.StopProviderResponse()

    def close(self) -> None:
        """End the plugin."""
        self._plugin.close()


def _function_error(error: CallError, name: str) -> responses.FunctionError:
    position = error.data.get("argument") if is_dict(error.data) else None
    text = str(error)
    if error.code == ErrorCode.INVALID_PARAMS:
        text = text.removeprefix(f"{name}: ")
    if not isinstance(position, int) or isinstance(position, bool) or position < 0:
        position = None
    return responses.FunctionError(text, position)


def _lease(answer: Mapping[str, object]) -> dict[str, Any]:
    renew_at, private = answer.get("renew_at"), answer.get("private")
    renewed = None
    if isinstance(renew_at, str):
        try:
            renewed = datetime.fromisoformat(renew_at)
        except ValueError:
            raise PeerError("renew_at: expected a time in ISO 8601") from None
    return {
        "renew_at": renewed,
        "private": None if private is None else read_bytes(private),
        "diagnostics": diagnostics_of(answer),
    }
