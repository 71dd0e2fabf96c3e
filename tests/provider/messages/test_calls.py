"""Messages of the protocol and records of the service, both ways."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from tofutypes import parse_type
from tofutypes.errors import AttributeStep, Path
from tofutypes.provider.messages.calls import failure_message, service_calls
from tofutypes.provider.messages.protocol import protocol_of
from tofutypes.provider.messages.versions import SUPPORTED
from tofutypes.provider.service import requests, responses, state_requests
from tofutypes.provider.service.deferral import DeferredReason
from tofutypes.provider.service.diagnostics import Diagnostic, Severity
from tofutypes.provider.service.service import ProviderService
from tofutypes.provider.service.wire_value import NULL, WireValue
from tofutypes.schema import Block, Function, IdentitySchema, ProviderSchema, Schema

ERROR = Diagnostic(Severity.ERROR, "Too small", "At least 10.", Path((AttributeStep("size"),)))
FULL: dict[str, object] = {
    "client_capabilities": requests.ClientCapabilities(True, True),
    "server_capabilities": responses.ServerCapabilities(True, True, True, True),
    "diagnostics": (ERROR, Diagnostic(Severity.WARNING, "Old")),
    "requires_replace": (Path((AttributeStep("size"),)),),
    "deferred": DeferredReason.ABSENT_PREREQUISITE,
    "renew_at": datetime(2031, 5, 4, 3, 2, 1, tzinfo=UTC),
    "arguments": (NULL, WireValue(b"\x01")),
    "error": responses.FunctionError("wrong", 1),
    "imported_resources": (responses.ImportedResource("a_b", NULL, b"p", WireValue(json=b"{}")),),
    "schema": ProviderSchema(provider=Schema(Block(), 3)),
    "identity_schemas": {"a_b": IdentitySchema({}, 2)},
    "capabilities": state_requests.StateStoreCapabilities(4096),
    "range": state_requests.StateRange(3, 5),
    "meta": state_requests.StateRequest("a_b", "default"),
    "completed": responses.DiagnosticsResponse((ERROR,)),
    "functions": {"one": Function(parse_type('"string"'))},
}
BY_TYPE: dict[str, object] = {
    "str": "text",
    "bytes": b"kept",
    "bytes | None": b"kept",
    "str | None": "text",
    "int": 7,
    "bool": True,
    "WireValue": WireValue(b"\x81\xa1a\x01"),
    "WireValue | None": WireValue(json=b"{}"),
    "RawState": requests.RawState(b"{}", {"a": "b"}),
    "tuple[str, ...]": ("a", "b"),
}
CALLS = [(major, name) for major in SUPPORTED for name in service_calls(protocol_of(major))]


def full(record: type[Any]) -> Any:
    """Make a record with something in every field."""
    values: dict[str, object] = {}
    for name, hint in record.__annotations__.items():
        type_name = str(getattr(hint, "__forward_arg__", hint))
        values[name] = BY_TYPE.get(type_name) or FULL[name]
    return record(**values)


@pytest.mark.parametrize(("major", "name"), CALLS)
def test_every_call_is_a_method_of_the_service(major: int, name: str) -> None:
    call = service_calls(protocol_of(major))[name]
    hints = get_type_hints(getattr(ProviderService, call.method))
    argument = "chunks" if call.call.streams_requests else "request"
    assert hints.keys() == ({"return"} if call.request is None else {argument, "return"})
    assert (get_origin(hints["return"]) is Iterator) == call.call.streams_responses


@pytest.mark.parametrize(("major", "name"), CALLS)
def test_records_survive_as_messages(major: int, name: str) -> None:
    call = service_calls(protocol_of(major))[name]
    hints = get_type_hints(getattr(ProviderService, call.method))
    if call.call.streams_requests:
        hints["request"] = hints.pop("chunks")
    for direction, conversion in (("request", call.request), ("return", call.response)):
        if conversion is None:
            continue
        hint = hints[direction]
        record_type = get_args(hint)[0] if get_origin(hint) is Iterator else hint
        for record in records(record_type):
            ensure_survival(record, conversion, _left_out(major, name, direction))


def records(record_type: type[Any]) -> list[Any]:
    """Make records with something in every field that can be set beside the others."""
    record = full(record_type)
    if record_type is responses.InvokeActionEvent:  # either progress or the end
        return [record._replace(progress=None), record._replace(completed=None)]
    return [record]


def ensure_survival(record: Any, conversion: Any, left_out_fields: list[str]) -> None:
    """Assert that a record is the same after it was a message."""
    message = conversion.to_message(record)
    read = conversion.of_message(type(message).FromString(message.SerializeToString()))
    left_out = {field: record._field_defaults[field] for field in left_out_fields}
    assert read == record._replace(**left_out)


def _left_out(major: int, name: str, direction: str) -> list[str]:
    """The fields of shared records that a call does not have."""
    match direction, name:
        case "request", "ValidateProviderConfig":
            return ["type_name", "client_capabilities"]
        case (
            "request",
            "ValidateDataResourceConfig"
            | "ValidateEphemeralResourceConfig"
            | "ValidateActionConfig"
            | "ValidateStateStoreConfig",
        ):
            return ["client_capabilities"]
        case "return", "GetMetadata" if major == 5:
            return ["state_stores"]
        case _:
            return []


@pytest.mark.parametrize(
    ("major", "data"),
    [
        (5, "42 05 0a 03 61 5f 62"),  # actions = 8, as OpenTofu has it
        (5, "4a 05 0a 03 61 5f 62"),  # actions = 9, as HashiCorp has it
        (5, "42 05 0a 03 61 5f 62 4a 05 0a 03 61 5f 62"),  # as we write it, for both
        (6, "4a 05 0a 03 61 5f 62"),
    ],
)
def test_actions_of_peers_of_both_kinds(major: int, data: str) -> None:
    call = service_calls(protocol_of(major))["GetMetadata"]
    message: Any = call.call.response.FromString(bytes.fromhex(data))
    read = call.response.of_message(message)
    assert read.actions == ("a_b",)
    assert read.state_stores == ()


@pytest.mark.parametrize(
    ("major", "data"),
    [(5, "42 05 0a 03 61 5f 62 4a 05 0a 03 61 5f 62"), (6, "4a 05 0a 03 61 5f 62")],
)
def test_actions_are_written_for_peers_of_both_kinds(major: int, data: str) -> None:
    record = responses.MetadataResponse(actions=("a_b",))
    message = service_calls(protocol_of(major))["GetMetadata"].response.to_message(record)
    assert message.SerializeToString().endswith(bytes.fromhex(data))


def test_a_response_that_leaves_everything_out() -> None:
    for call in service_calls(protocol_of(6)).values():
        record = call.response.of_message(call.call.response())
        assert getattr(record, "diagnostics", ()) == ()
        assert getattr(record, "deferred", None) is None
        assert getattr(record, "new_identity", None) is None


@pytest.mark.parametrize(("major", "name"), CALLS)
def test_failures(major: int, name: str) -> None:
    call = service_calls(protocol_of(major))[name]
    message: Any = failure_message(call.call, [ERROR, ERROR])
    text = "Too small: At least 10.; Too small: At least 10."
    if name == "CallFunction":
        assert message.error.text == text
    elif name == "StopProvider":
        assert message.Error == text
    else:
        holder = message.completed if name == "InvokeAction" else message
        field = "diagnostic" if name == "ListResource" else "diagnostics"
        assert [error.summary for error in getattr(holder, field)] == ["Too small", "Too small"]


def test_a_time_without_a_zone_is_utc() -> None:
    response = service_calls(protocol_of(6))["RenewEphemeralResource"].response
    local = responses.RenewEphemeralResourceResponse(renew_at=datetime(2031, 5, 4))
    read = response.of_message(response.to_message(local))
    assert read.renew_at == datetime(2031, 5, 4, tzinfo=UTC)


def test_no_bytes_in_texts() -> None:
    request = requests.ReadResourceRequest("a", WireValue(b"hunter2"), b"hunter2")
    response = responses.ImportedResource("a", WireValue(json=b"hunter2"), b"hunter2")
    state = requests.RawState(b"hunter2", {"a": "hunter2"})
    assert "hunter2" not in f"{request!r}{response!r}{state!r}"
    assert "private=<7 bytes>" in repr(request)


def test_what_is_absent_stays_absent() -> None:
    """Go's framework refuses messages without content where it expects none."""
    call = service_calls(protocol_of(6))
    for name in ("ReadResource", "UpgradeResourceState", "ImportResourceState"):
        conversion = call[name].request
        assert conversion is not None
        message = call[name].call.request()
        written: Any = conversion.to_message(conversion.of_message(message))
        names = {field.name for field, _ in written.ListFields()}
        assert names <= {"client_capabilities"}
    identity = responses.ReadResourceResponse(new_identity=WireValue())
    read = call["ReadResource"].response
    written = read.to_message(identity)
    assert written.HasField("new_identity")
    assert read.of_message(written) == identity


@pytest.mark.parametrize("reason", [0, 1, 9])
def test_a_deferral_for_any_reason_stays_one(reason: int) -> None:
    """Providers may know reasons that this library does not know."""
    call = service_calls(protocol_of(6))["ReadResource"]
    message: Any = call.call.response()
    message.deferred.SetInParent()
    message.deferred.MergeFromString(bytes([8, reason]))
    response = call.response.of_message(message)
    assert response.deferred is DeferredReason(reason if reason < 4 else 0)
    written: Any = call.response.to_message(response)
    assert written.HasField("deferred")
