"""How a plugin is started: the environment that it gets, and the line that it answers with.

Source: go-plugin, `client.go` and `server.go`; the values are those of the core.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from tofutypes.errors import one_line
from tofutypes.provider.messages.protocol import PROTOCOLS
from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.provider.transport.addresses import TCP, UNIX, Address

COOKIE_NAME: Final = "TF_PLUGIN_MAGIC_COOKIE"
COOKIE: Final = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2"
"""What tells a plugin that it was started as one, and not by a person."""

PROTOCOL_VERSIONS: Final = "PLUGIN_PROTOCOL_VERSIONS"
"""The majors of the protocol that the client speaks, separated by commas, in any order."""

CLIENT_CERTIFICATE: Final = "PLUGIN_CLIENT_CERT"
"""The certificate of the client in PEM; the connection is to be TLS if it is there."""

SOCKET_FOLDER: Final = "PLUGIN_UNIX_SOCKET_DIR"
"""Where to put the socket; where temporary files are if it is empty or not there."""

SOCKET_GROUP: Final = "PLUGIN_UNIX_SOCKET_GROUP"
"""The group, by number or name, that the socket is to belong to."""

MIN_PORT: Final = "PLUGIN_MIN_PORT"
MAX_PORT: Final = "PLUGIN_MAX_PORT"
"""The ports of which a server without Unix sockets is to take one."""

MULTIPLEX: Final = "PLUGIN_MULTIPLEX_GRPC"
"""Not empty if the line is to say whether brokered connections can share one."""

DISABLE_TLS: Final = "TF_DISABLE_PLUGIN_TLS"
"""Not empty if the core is to ask no plugin for TLS. It is the core that reads it."""

SUPPORTED: Final = tuple(PROTOCOLS)
"""The majors of the protocol that the core accepts, and this library speaks."""

_CORE_PROTOCOL: Final = "1"
_TRANSPORT: Final = "grpc"
_SHORTEST_CERTIFICATE: Final = 50  # characters; go-plugin ignores what is not longer
_SHOWN: Final = 60  # characters of a line that is none


@dataclass(frozen=True, slots=True)
class Handshake:
    """What a plugin says when it listens, in the first line of its standard output.

    Attributes:
        protocol: the major of the protocol that it is going to speak.
        network: `unix` or `tcp`.
        address: the path of its socket, or `HOST:PORT`.
        certificate: its certificate in DER; None if the connection is not TLS.
    """

    protocol: int
    network: str
    address: str
    certificate: bytes | None = None

    @property
    def listens_on(self) -> Address:
        """Its network and its address in one."""
        return Address(self.network, self.address)

    def line(self, *, multiplexing_asked: bool = False) -> str:
        """The line, with its end.

        Args:
            multiplexing_asked: whether the environment has `PLUGIN_MULTIPLEX_GRPC`. The answer is
                no: it is for what brokers connections, and providers do not.
        """
        certificate = base64.b64encode(self.certificate or b"").decode().rstrip("=")
        fields = [
            _CORE_PROTOCOL,
            str(self.protocol),
            self.network,
            self.address,
            _TRANSPORT,
            certificate,
        ]
        return "|".join([*fields, "false"] if multiplexing_asked else fields) + "\n"


def parse_handshake(line: str) -> Handshake:
    """What the first line of a plugin says.

    Raises:
        PluginError: it is no such line, or of a plugin that this library cannot talk to.
    """
    fields = line.strip().split("|")
    if len(fields) < 4:
        raise PluginError(
            f"a line `1|6|unix|ADDRESS|grpc|CERTIFICATE` is required, got {_shown(line)}"
        )
    core, major, network, address, *rest = fields
    if core != _CORE_PROTOCOL:
        raise PluginError(f"version 1 of the plugins' handshake is required, got {_shown(core)}")
    # Before the rest: what speaks protocol 4 (of Terraform 0.11 and before) says less.
    protocol = _parse_protocol(major)
    transport = rest[0] if rest else "netrpc"
    if transport != _TRANSPORT:
        raise PluginError(f"a plugin that speaks gRPC is required, got {_shown(transport)}")
    _check_address(Address(network, address))
    return Handshake(protocol, network, address, _parse_certificate("".join(rest[1:2])))


def _parse_protocol(major: str) -> int:
    for each in SUPPORTED:
        if major == str(each):
            return each
    speaks = " and ".join(map(str, SUPPORTED))
    raise PluginError(
        f"the provider speaks protocol {_shown(major)}, and only {speaks} are supported"
        + ("; it is for Terraform 0.11 and older" if major == "4" else "")
    )


def _check_address(address: Address) -> None:
    try:
        known = address.network == UNIX or (address.network == TCP and address.host_and_port)
    except ValueError:
        known = False
    if not known or not address.text:
        shown = _shown(f"{address.network}|{address.text}")
        raise PluginError(f"an address `unix|PATH` or `tcp|HOST:PORT` is required, got {shown}")


def _parse_certificate(text: str) -> bytes | None:
    if len(text) <= _SHORTEST_CERTIFICATE:
        return None
    if "=" in text:  # as strict as go-plugin, which reads it without padding
        raise PluginError("a certificate in base64 without padding is required")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):  # ValueError: not ASCII
        raise PluginError("a certificate in base64 is required") from None


def _shown(text: str) -> str:
    printable = one_line(text.strip())
    return f'"{printable[:_SHOWN]}{"…" if len(printable) > _SHOWN else ""}"'


def offered_protocols(environment: Mapping[str, str]) -> frozenset[int]:
    """The majors that the client speaks, as it tells in the environment; none if it does not."""
    words = environment.get(PROTOCOL_VERSIONS, "").split(",")
    numbers = (each for each in map(str.strip, words) if each.isdecimal() and len(each) < 9)
    return frozenset(map(int, numbers))


def choose_protocol(own: Collection[int], offered: Collection[int]) -> int:
    """The major that a server is going to speak: the highest that both do.

    If they have none in common it is the lowest of its own, and the client complains.

    Args:
        own: the majors that the server speaks, one at least.
        offered: those that the client speaks.
    """
    return max(set(own) & set(offered), default=min(own))
