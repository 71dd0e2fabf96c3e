"""The majors of the protocol, as their descriptors tell."""

from __future__ import annotations

from typing import Any

import pytest

from tofutypes.provider import PluginError
from tofutypes.provider.messages.protocol import (
    MESSAGES_THAT_DIFFER,
    Call,
    protocol_of,
)
from tofutypes.provider.proto import tfplugin5_pb2 as tfplugin5
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6

SERVICE_5 = tfplugin5.DESCRIPTOR.services_by_name["Provider"]
SERVICE_6 = tfplugin6.DESCRIPTOR.services_by_name["Provider"]


def differences(five: Any, six: Any, seen: set[str] | None = None) -> set[str]:
    """The fields in which a message of protocol 5 has other bytes than that of protocol 6."""
    seen = set() if seen is None else seen
    if five.full_name in seen:
        return set()
    seen.add(five.full_name)
    found: set[str] = set()
    for field in five.fields:
        other = six.fields_by_number.get(field.number)
        if other is None or (field.name, field.type) != (other.name, other.type):
            found.add(f"{five.full_name}.{field.name}")
        elif field.message_type is not None and other.message_type is not None:
            found |= differences(field.message_type, other.message_type, seen)
    return found


def own_name(call: Call) -> str:
    return call.path.rpartition("/")[2]


def test_paths() -> None:
    assert {each.path for each in protocol_of(6).calls.values()} == {
        f"/tfplugin6.Provider/{method.name}" for method in SERVICE_6.methods
    }
    assert {each.path for each in protocol_of(5).calls.values()} == {
        f"/tfplugin5.Provider/{method.name}" for method in SERVICE_5.methods
    }
    assert protocol_of(5).calls["ValidateProviderConfig"].path == (
        "/tfplugin5.Provider/PrepareProviderConfig"
    )
    assert (protocol_of(5).service, str(protocol_of(5))) == ("tfplugin5.Provider", "protocol 5")


def test_state_stores_are_in_protocol_6_only() -> None:
    missing = protocol_of(6).calls.keys() - protocol_of(5).calls.keys()
    assert "ConfigureStateStore" in missing
    assert all("State" in name for name in missing)


@pytest.mark.parametrize("name", protocol_of(5).calls)
def test_what_is_said_to_have_the_same_bytes_has(name: str) -> None:
    call = protocol_of(5).calls[name]
    method = SERVICE_5.methods_by_name[own_name(call)]
    found = differences(method.input_type, call.request.DESCRIPTOR)
    found |= differences(method.output_type, call.response.DESCRIPTOR)
    # The core ignores it, and so do we.
    assert found - {"tfplugin5.PrepareProviderConfig.Response.prepared_config"} == set()


def test_what_is_said_to_differ_does() -> None:
    differing = {
        f"{name}.Response"
        for name, call in protocol_of(6).calls.items()
        if name in protocol_of(5).calls
        and differences(
            SERVICE_5.methods_by_name[own_name(protocol_of(5).calls[name])].output_type,
            call.response.DESCRIPTOR,
        )
        - {"tfplugin5.PrepareProviderConfig.Response.prepared_config"}
    }
    assert differing == MESSAGES_THAT_DIFFER


def test_a_major_that_is_none() -> None:
    with pytest.raises(
        PluginError, match=r"^unsupported protocol version 7: 5 and 6 are supported$"
    ):
        protocol_of(7)
