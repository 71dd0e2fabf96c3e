"""The messages of the calls with hooks: reading their values, and adding diagnostics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgpack
from google.protobuf.message import DecodeError as MessageError

from tofutypes.errors import TofuTypesError
from tofutypes.provider.messages.diagnostics import diagnostic_to_message
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6
from tofutypes.provider.service.diagnostics import Diagnostic as ProviderDiagnostic
from tofutypes.provider.service.diagnostics import Severity as ProviderSeverity
from tofutypes.seasonings.bridges.relay.call_kinds import CallKind
from tofutypes.seasonings.bridges.relay.schemas import ProviderSchemas, ResourceSchema, typed_path
from tofutypes.seasonings.protocol.diagnostics import Diagnostic, Severity
from tofutypes.wire import decode_json, encode_msgpack

NULL: Final = b"\xc0"

__all__ = ["NULL", "CallMessages", "MessageError", "ProviderSchemas", "provider_configuration"]


class CallMessages:
    """The request of one call, and the response to it.

    Args:
        kind: the call.
        request: as bytes.

    Raises:
        MessageError: If it is no request of the call.
    """

    def __init__(self, kind: CallKind, request: bytes) -> None:
        self._kind = kind
        call: Any = getattr(tfplugin6, kind.name)
        self._response_type: Any = call.Response
        self.request: Any = call.Request.FromString(request)
        self.type_name: str = self.request.type_name

    def requested(self, field: str, schema: ResourceSchema) -> bytes:
        """A value of the request in MessagePack; null if there is none."""
        return _msgpack(getattr(self.request, field), schema) if field else NULL

    def read_response(self, response: bytes) -> Any:
        """A response.

        Raises:
            MessageError: If it is none of the call.
        """
        return self._response_type.FromString(response)

    def has_errors(self, response: Any) -> bool:
        """Whether the provider has failed."""
        error = tfplugin6.Diagnostic.ERROR
        return any(diagnostic.severity == error for diagnostic in response.diagnostics)

    def result(self, response: Any, schema: ResourceSchema) -> bytes:
        """What has become of the resource, in MessagePack."""
        return _msgpack(getattr(response, self._kind.result), schema)

    def refused(self) -> bytes:
        """The response to a request that nobody has carried out: all is as it was."""
        fields: dict[str, Any] = {}
        if self._kind.state:
            fields[self._kind.result] = getattr(self.request, self._kind.state)
        if self._kind.private is not None:
            theirs, ours = self._kind.private
            fields[ours] = getattr(self.request, theirs)
        return bytes(self._response_type(**fields).SerializeToString())

    def diagnostics(self, diagnostics: Sequence[Diagnostic], schema: ResourceSchema) -> bytes:
        """Diagnostics as the end of a response: fields that come again are added."""
        if not diagnostics:
            return b""
        messages = [_diagnostic(diagnostic, schema) for diagnostic in diagnostics]
        return bytes(self._response_type(diagnostics=messages).SerializeToString())


def provider_configuration(request: bytes, schema: ResourceSchema) -> object:
    """The configuration in a request `ConfigureProvider`, as it is inside a message.

    Raises:
        MessageError: If it is no such request.
    """
    message = tfplugin6.ConfigureProvider.Request.FromString(request)
    value: object = msgpack.unpackb(_msgpack(message.config, schema))
    return value


def _msgpack(value: tfplugin6.DynamicValue, schema: ResourceSchema) -> bytes:
    """A value in MessagePack, which a provider may have sent as JSON; null if it is absent."""
    if value.msgpack:
        return value.msgpack
    if not value.json:
        return NULL
    try:
        return encode_msgpack(decode_json(value.json, schema.type), schema.type)
    except TofuTypesError:  # Terraform Core says what is wrong with it
        return NULL


def _diagnostic(diagnostic: Diagnostic, schema: ResourceSchema) -> tfplugin6.Diagnostic:
    error = diagnostic.severity is Severity.ERROR
    return diagnostic_to_message(
        ProviderDiagnostic(
            ProviderSeverity.ERROR if error else ProviderSeverity.WARNING,
            diagnostic.summary,
            diagnostic.detail,
            typed_path(diagnostic.path, schema.type),
        )
    )
