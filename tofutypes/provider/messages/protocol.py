"""The two protocol versions (5 and 6), and which of their names mean the same.

The library uses the messages of protocol 6. The messages of protocol 5 have the same fields with
the same numbers, hence the same bytes (a test compares the descriptors). The exceptions are the
messages that hold schemas or list actions: `Call.response` is the class of the right version.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from tofutypes.provider.messages.versions import SUPPORTED, name_in, service_name
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6
from tofutypes.provider.service.diagnostics import PluginError

if TYPE_CHECKING:
    from google.protobuf.descriptor import ServiceDescriptor

MESSAGES_THAT_DIFFER: Final = frozenset({"GetProviderSchema.Response", "GetMetadata.Response"})
"""Responses whose bytes differ between the versions."""

MessageClass: TypeAlias = type[Message]


@dataclass(frozen=True, slots=True)
class Call:
    """A remote procedure call of the `Provider` service.

    Attributes:
        name: The name of the call in protocol 6.
        path: The path in gRPC: `/tfplugin5.Provider/GetSchema`.
        request: The class of the request.
        response: The class of the response.
        streams_requests: Several requests make one call.
        streams_responses: One call has several responses.
    """

    name: str
    path: str
    request: MessageClass
    response: MessageClass
    streams_requests: bool = False
    streams_responses: bool = False


@dataclass(frozen=True, slots=True)
class Protocol:
    """One version of the protocol.

    Attributes:
        major: 5 or 6.
        calls: The calls by their names in protocol 6.
    """

    major: int
    calls: Mapping[str, Call]

    @property
    def service(self) -> str:
        """The full name of the service: `tfplugin6.Provider`."""
        return service_name(self.major)

    def __str__(self) -> str:
        return f"protocol {self.major}"


@cache
def protocol_of(major: int) -> Protocol:
    """Return the protocol of a major version.

    Raises:
        PluginError: If the library does not support that version.
    """
    if major not in SUPPORTED:
        supported = " and ".join(map(str, SUPPORTED))
        raise PluginError(f"unsupported protocol version {major!r}: {supported} are supported")
    own_service = _service(major)
    calls: dict[str, Call] = {}
    for method in _service(6).methods:
        own = own_service.methods_by_name.get(name_in(major, method.name))
        if own is None:
            continue
        differs = f"{method.name}.Response" in MESSAGES_THAT_DIFFER
        calls[method.name] = Call(
            method.name,
            f"/{own_service.full_name}/{own.name}",
            GetMessageClass(method.input_type),
            GetMessageClass((own if differs else method).output_type),
            method.client_streaming,
            method.server_streaming,
        )
    return Protocol(major, MappingProxyType(calls))


def _service(major: int) -> ServiceDescriptor:
    if major == 6:
        return tfplugin6.DESCRIPTOR.services_by_name["Provider"]
    from tofutypes.provider.proto import tfplugin5_pb2 as tfplugin5

    return tfplugin5.DESCRIPTOR.services_by_name["Provider"]
