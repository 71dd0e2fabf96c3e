"""Parts of requests and responses: values without a model, identities, diagnostics."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Protocol

from tofutypes.provider.client.results import Identity
from tofutypes.provider.messages.diagnostics import diagnostic_of_message
from tofutypes.provider.messages.dynamic_value import NULL, is_null
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6
from tofutypes.provider.service.deferral import DeferredReason
from tofutypes.provider.service.diagnostics import Diagnostic, ProviderError, Severity
from tofutypes.schema import IdentitySchema, implied_type
from tofutypes.types import Type
from tofutypes.wire import Value, decode_json, decode_msgpack, encode_msgpack


class MayBeDeferred(Protocol):
    """A response that may have been deferred."""

    @property
    def deferred(self) -> tfplugin6.Deferred: ...

    def HasField(self, field_name: Literal["deferred"], /) -> bool: ...  # noqa: N802


def read_by_type(message: tfplugin6.DynamicValue, type_: Type) -> Value:
    """Decode a value in MessagePack or JSON; None if it is null or absent.

    Raises:
        DecodeError: If it is not a value of the type. The message has the path.
    """
    if is_null(message):
        return None
    if message.msgpack:
        return decode_msgpack(message.msgpack, type_)
    return decode_json(message.json, type_)


def read_object(message: tfplugin6.DynamicValue, type_: Type) -> dict[str, Value]:
    """Decode a value of an object type; empty if it is null or unknown."""
    value = read_by_type(message, type_)
    return value if isinstance(value, dict) else {}


def write_by_type(value: object, type_: Type) -> tfplugin6.DynamicValue:
    """Encode a value; None is null.

    Raises:
        EncodeError: If it is not a value of the type. The message has the path.
    """
    return tfplugin6.DynamicValue(msgpack=NULL if value is None else encode_msgpack(value, type_))


def read_identity(
    message: tfplugin6.ResourceIdentityData, schema: IdentitySchema | None
) -> Identity | None:
    """Decode the identity of an object; None if there is none."""
    if schema is None or is_null(message.identity_data):
        return None
    return read_object(message.identity_data, implied_type(schema))


def write_identity(
    identity: object, schema: IdentitySchema | None
) -> tfplugin6.ResourceIdentityData | None:
    """Encode the identity of an object; None if there is none."""
    if schema is None or identity is None:
        return None
    return tfplugin6.ResourceIdentityData(
        identity_data=write_by_type(identity, implied_type(schema))
    )


def read_deferred(response: MayBeDeferred) -> DeferredReason | None:
    """Why the call was deferred; None if it was not."""
    if not response.HasField("deferred"):
        return None
    return _REASONS.get(response.deferred.reason, DeferredReason.UNKNOWN)


_REASONS = {reason.value: reason for reason in DeferredReason}


def read_diagnostics(diagnostics: Iterable[tfplugin6.Diagnostic]) -> tuple[Diagnostic, ...]:
    """The diagnostics of a response, errors and warnings."""
    return tuple(map(diagnostic_of_message, diagnostics))


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether one of them is an error."""
    return any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)


def raise_errors(diagnostics: Iterable[tfplugin6.Diagnostic]) -> tuple[Diagnostic, ...]:
    """Raise the errors of a response, and return its warnings if there are none.

    Raises:
        ProviderError: If one of the diagnostics is an error; it has all of them.
    """
    converted = read_diagnostics(diagnostics)
    if has_errors(converted):
        raise ProviderError.of(converted)
    return converted
