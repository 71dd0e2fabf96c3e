"""The two majors of the protocol, and which of their names mean the same.

The library speaks in the messages of protocol 6. Those of protocol 5 have the same fields with the
same numbers, so their bytes are the same (a test compares the descriptors); only what holds
schemas or lists actions is not, and those have a class of their own here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from tofutypes.provider.proto import tfplugin5_pb2 as tfplugin5
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6
from tofutypes.provider.service.diagnostics import PluginError

MESSAGES_THAT_DIFFER: Final = frozenset({"GetProviderSchema.Response", "GetMetadata.Response"})
"""Responses that each major has in bytes of its own."""

_NAMES_IN_5: Final = MappingProxyType(
    {
        "GetProviderSchema": "GetSchema",
        "ValidateProviderConfig": "PrepareProviderConfig",
        "ValidateResourceConfig": "ValidateResourceTypeConfig",
        "ValidateDataResourceConfig": "ValidateDataSourceConfig",
        "ConfigureProvider": "Configure",
        "StopProvider": "Stop",
    }
)

MessageClass: TypeAlias = type[Message]


@dataclass(frozen=True, slots=True)
class Call:
    """A remote procedure call of the `Provider` service.

    Attributes:
        name: its name in protocol 6.
        path: its path for gRPC: `/tfplugin5.Provider/GetSchema`.
        request: the class of what is sent.
        response: the class of what comes back.
    """

    name: str
    path: str
    request: MessageClass
    response: MessageClass


@dataclass(frozen=True, slots=True)
class Protocol:
    """One major version of the protocol.

    Attributes:
        major: 5 or 6.
        calls: its calls by their names in protocol 6.
    """

    major: int
    calls: Mapping[str, Call]

    @property
    def service(self) -> str:
        """The full name of the service: `tfplugin6.Provider`."""
        return f"tfplugin{self.major}.Provider"

    def __str__(self) -> str:
        return f"protocol {self.major}"


def _protocol(major: int) -> Protocol:
    own_service = _MODULES[major].DESCRIPTOR.services_by_name["Provider"]
    calls: dict[str, Call] = {}
    for method in tfplugin6.DESCRIPTOR.services_by_name["Provider"].methods:
        name = _NAMES_IN_5.get(method.name, method.name) if major == 5 else method.name
        own = own_service.methods_by_name.get(name)
        if own is None:
            continue
        differs = f"{method.name}.Response" in MESSAGES_THAT_DIFFER
        calls[method.name] = Call(
            method.name,
            f"/{own_service.full_name}/{name}",
            GetMessageClass(method.input_type),
            GetMessageClass((own if differs else method).output_type),
        )
    return Protocol(major, MappingProxyType(calls))


_MODULES: Final = {5: tfplugin5, 6: tfplugin6}

PROTOCOLS: Final = MappingProxyType({major: _protocol(major) for major in sorted(_MODULES)})
"""The majors that the library speaks."""


def protocol_of(major: int) -> Protocol:
    """The protocol of a major version.

    Raises:
        PluginError: the library does not speak it.
    """
    found = PROTOCOLS.get(major)
    if found is None:
        spoken = " or ".join(map(str, PROTOCOLS))
        raise PluginError(f"protocol {spoken} is required, got {major!r}")
    return found
