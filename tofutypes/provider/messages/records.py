"""Conversion between messages and the records of `ProviderService`, both ways.

Records have the fields of the messages by the same names. How a field is converted follows from
its type in the message; fields that one side does not have are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import cache, cached_property
from typing import Any, Final, Generic, NamedTuple, TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from tofutypes.provider.messages.diagnostics import (
    diagnostic_of_message,
    diagnostic_to_message,
    sendable,
)
from tofutypes.provider.messages.dynamic_value import value_of_message, value_to_message
from tofutypes.provider.messages.paths import path_of_message, path_to_message
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6
from tofutypes.provider.service.deferral import DeferredReason
from tofutypes.provider.service.requests import ClientCapabilities, RawState
from tofutypes.provider.service.responses import (
    DiagnosticsResponse,
    FunctionError,
    ImportedResource,
    ServerCapabilities,
)
from tofutypes.provider.service.state_requests import (
    StateRange,
    StateRequest,
    StateStoreCapabilities,
)
from tofutypes.provider.service.wire_value import WireValue

R = TypeVar("R")

MessageClass = type[Message]

_OTHER_NAMES: Final[Mapping[str, str]] = {
    "bytes": "data",  # which is no name for a field in Python
    "diagnostic": "diagnostics",
    "state_id": "state_ids",
}
"""Fields of messages whose names say less than those of the records."""


def _record_name(field: Any, names: Iterable[str]) -> str:
    other = _OTHER_NAMES.get(field.name, "")
    return other if other in names else str(field.name).lower()


class _Part(NamedTuple):
    """The conversion of the message in a field.

    Attributes:
        read: Makes a part of a record of it.
        write: Makes it of a part of a record.
        optional: The part is None if the field is not set.
        absent: The part for which the field is not set. Go's framework refuses empty messages
            where it expects none.
    """

    read: Callable[[Any], Any]
    write: Callable[[Any], Message]
    optional: bool = False
    absent: object = None


class RecordConversion(Generic[R]):
    """Converts the messages of one class to records of one class, and back.

    Args:
        record: A named tuple with the fields of the message.
        message: The class of the message.
    """

    def __init__(self, record: type[R], message: MessageClass) -> None:
        self._record = record
        self._message = message

    @cached_property
    def _fields(self) -> list[tuple[str, Any]]:
        """The fields that both have, by their names in records."""
        names: tuple[str, ...] = getattr(self._record, "_fields")  # noqa: B009  # of any named tuple
        fields = {_record_name(field, names): field for field in self._message.DESCRIPTOR.fields}
        return [(name, fields[name]) for name in names if name in fields]

    @cached_property
    def _readers(self) -> Mapping[str, Callable[[Message], Any]]:
        return {name: _reader(field) for name, field in self._fields}

    @cached_property
    def _writers(self) -> list[tuple[str, str, Callable[[Any], Any], object]]:
        return [(name, field.name, _writer(field), _absent(field)) for name, field in self._fields]

    def of_message(self, message: Message) -> R:
        """Convert a message to a record."""
        return self._record(**{name: read(message) for name, read in self._readers.items()})

    def to_message(self, record: R) -> Message:
        """Convert a record to a message."""
        values: dict[str, Any] = {}
        for name, field, write, absent in self._writers:
            value = getattr(record, name)
            if value is not None and value != absent:
                values[field] = write(value)
        return self._message(**values)


def _reader(field: Any) -> Callable[[Message], Any]:
    name, part = field.name, _part_of(field)
    if field.is_repeated and not _is_map(field):
        convert = str if part is None else part.read
        return lambda message: tuple(map(convert, getattr(message, name)))
    if part is not None:
        read = part.read
        if not part.optional and field.containing_oneof is None:  # which `optional` makes
            return lambda message: read(getattr(message, name))
        return lambda message: read(getattr(message, name)) if message.HasField(name) else None
    if _is_map(field):
        return lambda message: dict(getattr(message, name))
    if field.has_presence:
        return lambda message: getattr(message, name) if message.HasField(name) else None
    return lambda message: getattr(message, name)


def _writer(field: Any) -> Callable[[Any], Any]:
    part = _part_of(field)
    if _is_map(field):
        return dict
    if field.is_repeated:
        convert = sendable if part is None else part.write
        return lambda value: list(map(convert, value))
    if part is not None:
        return part.write
    return sendable if field.type == FieldDescriptor.TYPE_STRING else _same


def _absent(field: Any) -> object:
    part = None if field.is_repeated else _part_of(field)
    return None if part is None else part.absent


def _same(value: Any) -> Any:
    return value


def _is_map(field: Any) -> bool:
    inner = field.message_type
    return inner is not None and bool(inner.GetOptions().map_entry)


def _part_of(field: Any) -> _Part | None:
    if field.message_type is None or _is_map(field):
        return None
    return _parts()[field.message_type.name]


@cache
def _parts() -> Mapping[str, _Part]:
    return {
        "DynamicValue": _Part(value_of_message, value_to_message, absent=WireValue()),
        "ResourceIdentityData": _Part(_read_identity, _write_identity, optional=True),
        "Diagnostic": _Part(diagnostic_of_message, diagnostic_to_message),
        "AttributePath": _Part(path_of_message, path_to_message),
        "Deferred": _Part(_read_deferred, _write_deferred, optional=True),
        "Timestamp": _Part(_read_time, _write_time, optional=True),
        "RawState": _record_part(RawState, tfplugin6.RawState)._replace(absent=RawState()),
        "ClientCapabilities": _record_part(ClientCapabilities, tfplugin6.ClientCapabilities),
        "ServerCapabilities": _record_part(ServerCapabilities, tfplugin6.ServerCapabilities),
        "FunctionError": _record_part(FunctionError, tfplugin6.FunctionError, optional=True),
        "ImportedResource": _Part(_read_imported, _write_imported),
        "StateRange": _record_part(StateRange, tfplugin6.StateRange),
        "RequestChunkMeta": _record_part(StateRequest, tfplugin6.RequestChunkMeta, optional=True),
        "StateStoreClientCapabilities": _record_part(
            StateStoreCapabilities, tfplugin6.StateStoreClientCapabilities
        ),
        "StateStoreServerCapabilities": _record_part(
            StateStoreCapabilities, tfplugin6.StateStoreServerCapabilities
        ),
        "Progress": _Part(_read_progress, _write_progress, optional=True),
        "Completed": _Part(_read_completed, _write_completed, optional=True),
    }


def _read_identity(message: tfplugin6.ResourceIdentityData) -> WireValue:
    return value_of_message(message.identity_data)


def _write_identity(identity: WireValue) -> Message:
    data = None if identity == WireValue() else value_to_message(identity)
    return tfplugin6.ResourceIdentityData(identity_data=data)


def _read_deferred(message: tfplugin6.Deferred) -> DeferredReason:
    return _REASONS.get(message.reason, DeferredReason.UNKNOWN)


def _write_deferred(reason: DeferredReason) -> Message:
    return tfplugin6.Deferred(reason=tfplugin6.Deferred.Reason.Name(reason.value))


def _read_imported(message: Message) -> ImportedResource:
    return _imported().of_message(message)


def _write_imported(record: ImportedResource) -> Message:
    return _imported().to_message(record)


def _read_progress(message: tfplugin6.InvokeAction.Event.Progress) -> str:
    return message.message


def _write_progress(text: str) -> Message:
    return tfplugin6.InvokeAction.Event.Progress(message=sendable(text))


def _read_completed(message: Message) -> DiagnosticsResponse:
    return _completed().of_message(message)


def _write_completed(record: DiagnosticsResponse) -> Message:
    return _completed().to_message(record)


_REASONS: Final = {reason.value: reason for reason in DeferredReason}


def _record_part(record: type[Any], message: MessageClass, *, optional: bool = False) -> _Part:
    conversion: RecordConversion[Any] = RecordConversion(record, message)
    return _Part(conversion.of_message, conversion.to_message, optional)


@cache
def _imported() -> RecordConversion[ImportedResource]:
    return RecordConversion(ImportedResource, tfplugin6.ImportResourceState.ImportedResource)


@cache
def _completed() -> RecordConversion[DiagnosticsResponse]:
    return RecordConversion(DiagnosticsResponse, tfplugin6.InvokeAction.Event.Completed)


def _read_time(moment: Timestamp) -> datetime | None:
    try:
        return moment.ToDatetime(UTC)
    except (ValueError, OverflowError):
        return None


def _write_time(moment: datetime) -> Timestamp:
    message = Timestamp()
    utc = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    message.FromDatetime(utc)
    return message
