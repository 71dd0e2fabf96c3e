"""The calls of the protocol as methods of `ProviderService`: which messages are which records."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple

from google.protobuf.message import Message

from tofutypes.provider.messages.diagnostics import (
    diagnostic_of_message,
    diagnostic_to_message,
    sendable,
)
from tofutypes.provider.messages.protocol import Call, Protocol
from tofutypes.provider.messages.records import RecordConversion
from tofutypes.provider.messages.schemas import (
    functions_of_message,
    functions_to_message,
    identities_of_message,
    identities_to_message,
    provider_schema_of_message,
    provider_schema_to_message,
)
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6
from tofutypes.provider.service import requests, responses, state_requests
from tofutypes.provider.service.closing import close_iterator
from tofutypes.provider.service.diagnostics import Diagnostic
from tofutypes.provider.service.service import ProviderService

_RECORDS: Final[Mapping[str, tuple[type[Any] | None, type[Any]]]] = {
    "GetMetadata": (None, responses.MetadataResponse),
    "GetProviderSchema": (None, responses.ProviderSchemaResponse),
    "GetResourceIdentitySchemas": (None, responses.IdentitySchemasResponse),
    "GetFunctions": (None, responses.FunctionsResponse),
    "ValidateProviderConfig": (requests.ValidateConfigRequest, responses.DiagnosticsResponse),
    "ValidateResourceConfig": (requests.ValidateConfigRequest, responses.DiagnosticsResponse),
    "ValidateDataResourceConfig": (requests.ValidateConfigRequest, responses.DiagnosticsResponse),
    "ValidateEphemeralResourceConfig": (
        requests.ValidateConfigRequest,
        responses.DiagnosticsResponse,
    ),
    "ConfigureProvider": (requests.ConfigureProviderRequest, responses.DiagnosticsResponse),
    "PlanResourceChange": (
        requests.PlanResourceChangeRequest,
        responses.PlanResourceChangeResponse,
    ),
    "ApplyResourceChange": (
        requests.ApplyResourceChangeRequest,
        responses.ApplyResourceChangeResponse,
    ),
    "ReadResource": (requests.ReadResourceRequest, responses.ReadResourceResponse),
    "ImportResourceState": (
        requests.ImportResourceStateRequest,
        responses.ImportResourceStateResponse,
    ),
    "UpgradeResourceState": (
        requests.UpgradeResourceStateRequest,
        responses.UpgradeResourceStateResponse,
    ),
    "UpgradeResourceIdentity": (
        requests.UpgradeResourceIdentityRequest,
        responses.UpgradeResourceIdentityResponse,
    ),
    "MoveResourceState": (requests.MoveResourceStateRequest, responses.MoveResourceStateResponse),
    "ReadDataSource": (requests.ReadDataSourceRequest, responses.ReadDataSourceResponse),
    "OpenEphemeralResource": (
        requests.OpenEphemeralResourceRequest,
        responses.OpenEphemeralResourceResponse,
    ),
    "RenewEphemeralResource": (
        requests.EphemeralResourceRequest,
        responses.RenewEphemeralResourceResponse,
    ),
    "CloseEphemeralResource": (requests.EphemeralResourceRequest, responses.DiagnosticsResponse),
    "CallFunction": (requests.CallFunctionRequest, responses.CallFunctionResponse),
    "GenerateResourceConfig": (
        requests.GenerateResourceConfigRequest,
        responses.GenerateResourceConfigResponse,
    ),
    "ValidateListResourceConfig": (
        requests.ValidateListResourceConfigRequest,
        responses.DiagnosticsResponse,
    ),
    "ListResource": (requests.ListResourceRequest, responses.ListResourceEvent),
    "ValidateActionConfig": (requests.ValidateConfigRequest, responses.DiagnosticsResponse),
    "PlanAction": (requests.ActionRequest, responses.PlanActionResponse),
    "InvokeAction": (requests.ActionRequest, responses.InvokeActionEvent),
    "ValidateStateStoreConfig": (requests.ValidateConfigRequest, responses.DiagnosticsResponse),
    "ConfigureStateStore": (
        state_requests.ConfigureStateStoreRequest,
        responses.ConfigureStateStoreResponse,
    ),
    "ReadStateBytes": (state_requests.StateRequest, responses.ReadStateChunk),
    "WriteStateBytes": (state_requests.StateChunk, responses.DiagnosticsResponse),
    "LockState": (state_requests.LockStateRequest, responses.LockStateResponse),
    "UnlockState": (state_requests.UnlockStateRequest, responses.DiagnosticsResponse),
    "GetStates": (state_requests.GetStatesRequest, responses.GetStatesResponse),
    "DeleteState": (state_requests.StateRequest, responses.DiagnosticsResponse),
    "StopProvider": (None, responses.StopProviderResponse),
}


class _Both(NamedTuple):
    """A conversion both ways that has no record conversion."""

    of_message: Callable[[Any], Any]
    to_message: Callable[[Any], Message]


class ResponseStream:
    """The responses of a call that has several.

    Args:
        records: What the service returned.
        to_message: Converts each record.
    """

    def __init__(self, records: Iterator[Any], to_message: Callable[[Any], Message]) -> None:
        self._records = records
        self._to_message = to_message

    def __iter__(self) -> Iterator[Message]:
        return map(self._to_message, self._records)

    def close(self) -> None:
        """Tell the service that nobody reads the rest. Any thread may do so, at any time."""
        with suppress(ValueError):  # a generator that is running ends when it is forgotten
            close_iterator(self._records)

    def finish(self) -> None:
        """Wait until the work on a response that nobody reads has ended."""
        finish = getattr(self._records, "finish", None)
        if finish is not None:
            finish()


class ServiceCall(NamedTuple):
    """A call of the protocol and the method of `ProviderService` that answers it.

    Attributes:
        call: The call.
        method: The name of the method.
        request: Converts its request; None if the request is empty.
        response: Converts its response.
    """

    call: Call
    method: str
    request: RecordConversion[Any] | None
    response: RecordConversion[Any] | _Both

    def answer(self, service: ProviderService, message: Message) -> Message:
        """Let a service answer a request.

        Raises:
            TofuTypesError: See `ProviderService`.
        """
        method = getattr(service, self.method)
        record = method() if self.request is None else method(self.request.of_message(message))
        return self.response.to_message(record)

    def answer_stream(self, service: ProviderService, message: Message) -> ResponseStream:
        """Let a service answer a request with several responses, made as they are read.

        Raises:
            TofuTypesError: See `ProviderService`; also while the responses are read.
        """
        assert self.request is not None
        records = getattr(service, self.method)(self.request.of_message(message))
        return ResponseStream(records, self.response.to_message)

    def answer_chunks(self, service: ProviderService, messages: Iterator[Message]) -> Message:
        """Let a service answer requests that arrive one after another.

        Raises:
            TofuTypesError: See `ProviderService`.
        """
        assert self.request is not None
        record = getattr(service, self.method)(map(self.request.of_message, messages))
        return self.response.to_message(record)


def service_calls(protocol: Protocol) -> Mapping[str, ServiceCall]:
    """Return the calls that `ProviderService` answers, by their names in protocol 6."""
    return {
        name: ServiceCall(
            protocol.calls[name],
            _method_name(name),
            None if request is None else RecordConversion(request, protocol.calls[name].request),
            _response(protocol, name, response),
        )
        for name, (request, response) in _RECORDS.items()
        if name in protocol.calls
    }


def _method_name(call: str) -> str:
    return re.sub(r"(?<!^)([A-Z])", r"_\1", call).lower()


def _response(protocol: Protocol, name: str, record: type[Any]) -> RecordConversion[Any] | _Both:
    message = protocol.calls[name].response
    match name:
        case "GetMetadata":
            return _Both(_metadata_of_message, partial(_metadata, message=message))
        case "GetProviderSchema":
            return _Both(_schema_of_message, partial(_schema, protocol=protocol))
        case "GetResourceIdentitySchemas":
            return _Both(_identities_of_message, _identities)
        case "GetFunctions":
            return _Both(_functions_of_message, _functions)
        case _:
            return RecordConversion(record, message)


def failure_message(call: Call, diagnostics: Iterable[Diagnostic]) -> Message:
    """Make the response of a call that failed as a whole; the last one if there are several."""
    response: Any = call.response()
    fields = response.DESCRIPTOR.fields_by_name
    if "diagnostics" in fields:
        _add(response.diagnostics, diagnostics)
    elif call.name == "ListResource":
        _add(response.diagnostic, diagnostics)
    elif call.name == "InvokeAction":
        response.completed.SetInParent()
        _add(response.completed.diagnostics, diagnostics)
    else:
        text = "; ".join(
            f"{diagnostic.summary}: {diagnostic.detail}".removesuffix(": ")
            for diagnostic in diagnostics
        )
        if call.name == "CallFunction":
            response.error.text = sendable(text)
        else:
            response.Error = sendable(text)
    message: Message = response
    return message


def _add(messages: Any, diagnostics: Iterable[Diagnostic]) -> None:
    for diagnostic in diagnostics:
        # The classes of protocol 5 differ, their bytes are the same.
        message = diagnostic_to_message(diagnostic)
        messages.add().MergeFromString(message.SerializeToString())


def _read_diagnostics(message: Any) -> tuple[Diagnostic, ...]:
    return tuple(map(diagnostic_of_message, message.diagnostics))


def _add_capabilities(response: Any, capabilities: responses.ServerCapabilities) -> None:
    for name, value in capabilities._asdict().items():
        setattr(response.server_capabilities, name, value)


def _read_capabilities(message: Any) -> responses.ServerCapabilities:
    capabilities = message.server_capabilities
    return responses.ServerCapabilities(
        *(getattr(capabilities, name) for name in responses.ServerCapabilities._fields)
    )


_HASHICORP_ACTIONS: Final = "hashicorp_actions"
"""The field of protocol 5 in which HashiCorp's peers have what OpenTofu's have in `actions`."""

_NAMED: Final = responses.MetadataResponse._fields[2:]  # those that hold names


def _metadata(record: responses.MetadataResponse, message: type[Message]) -> Message:
    response: Any = message()
    _add_capabilities(response, record.server_capabilities)
    _add(response.diagnostics, record.diagnostics)
    for field in _NAMED:
        if field not in response.DESCRIPTOR.fields_by_name:  # protocol 5 has no state stores
            continue
        key = "name" if field == "functions" else "type_name"
        for name in getattr(record, field):
            getattr(response, field).add(**{key: name})
    if _HASHICORP_ACTIONS in response.DESCRIPTOR.fields_by_name:  # for peers of both kinds
        response.hashicorp_actions.extend(response.actions)
    metadata: Message = response
    return metadata


def _metadata_of_message(message: Any) -> responses.MetadataResponse:
    if not message.actions and _HASHICORP_ACTIONS in message.DESCRIPTOR.fields_by_name:
        message.actions.extend(message.hashicorp_actions)
    names = (
        tuple(
            each.name if field == "functions" else each.type_name
            for each in getattr(message, field, ())
        )
        for field in _NAMED
    )
    return responses.MetadataResponse(
        _read_capabilities(message), _read_diagnostics(message), *names
    )


def _schema(record: responses.ProviderSchemaResponse, protocol: Protocol) -> Message:
    response: Any = protocol.calls["GetProviderSchema"].response()
    if record.schema is not None:
        schema = record.schema
        if "state_store_schemas" not in response.DESCRIPTOR.fields_by_name:
            schema = replace(schema, state_stores={})  # as in the metadata
        response = provider_schema_to_message(schema, protocol)
    _add_capabilities(response, record.server_capabilities)
    _add(response.diagnostics, record.diagnostics)
    message: Message = response
    return message


def _schema_of_message(message: Any) -> responses.ProviderSchemaResponse:
    schema = provider_schema_of_message(message) if message.HasField("provider") else None
    return responses.ProviderSchemaResponse(
        schema, _read_capabilities(message), _read_diagnostics(message)
    )


def _identities(record: responses.IdentitySchemasResponse) -> Message:
    response = identities_to_message(record.identity_schemas)
    _add(response.diagnostics, record.diagnostics)
    return response


def _identities_of_message(
    message: tfplugin6.GetResourceIdentitySchemas.Response,
) -> responses.IdentitySchemasResponse:
    return responses.IdentitySchemasResponse(
        identities_of_message(message), _read_diagnostics(message)
    )


def _functions(record: responses.FunctionsResponse) -> Message:
    response = functions_to_message(record.functions)
    _add(response.diagnostics, record.diagnostics)
    return response


def _functions_of_message(message: tfplugin6.GetFunctions.Response) -> responses.FunctionsResponse:
    return responses.FunctionsResponse(functions_of_message(message), _read_diagnostics(message))
