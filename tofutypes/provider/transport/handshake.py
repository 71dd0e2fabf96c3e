"""The handshake of a plugin: the environment it is started with, and the line it answers with.

"Core" is Terraform Core or OpenTofu. Source: go-plugin, `client.go` and `server.go`.
"""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from tofutypes.errors import one_line
from tofutypes.provider.messages.versions import SUPPORTED
from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.provider.transport.addresses import MAX_SOCKET_PATH, TCP, UNIX, Address

COOKIE_NAME: Final = "TF_PLUGIN_MAGIC_COOKIE"
COOKIE: Final = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2"
"""The value that Core sets, so that a plugin can tell that it was not started by a person."""

PROTOCOL_VERSIONS: Final = "PLUGIN_PROTOCOL_VERSIONS"
"""The protocol versions that the client supports: `5,6` or `6,5`."""

CLIENT_CERTIFICATE: Final = "PLUGIN_CLIENT_CERT"
"""The client's certificate in PEM. If it is set, the connection must use mutual TLS."""

SOCKET_FOLDER: Final = "PLUGIN_UNIX_SOCKET_DIR"
"""The folder for the socket; by default the folder for temporary files."""

SOCKET_GROUP: Final = "PLUGIN_UNIX_SOCKET_GROUP"
"""The group that may connect to the socket: a number or a name."""

MIN_PORT: Final = "PLUGIN_MIN_PORT"
MAX_PORT: Final = "PLUGIN_MAX_PORT"
"""The range of ports for servers without Unix sockets."""

MULTIPLEX: Final = "PLUGIN_MULTIPLEX_GRPC"
"""Set if the line must say whether brokered connections can be multiplexed."""

DISABLE_TLS: Final = "TF_DISABLE_PLUGIN_TLS"
"""Set if Core must not ask plugins for TLS. Core reads it, plugins do not."""

_CORE_PROTOCOL: Final = "1"
_TRANSPORT: Final = "grpc"
_SHORTEST_CERTIFICATE: Final = 50  # characters; go-plugin ignores shorter certificates
_SHOWN: Final = 60  # characters of an invalid line


@dataclass(frozen=True, slots=True)
class Handshake:
    """The first line that a plugin prints, once it listens.

    Attributes:
        protocol: The protocol version that the plugin chose, 5 or 6.
        network: `unix` or `tcp`.
        address: The path of the socket, or `HOST:PORT`.
        certificate: The plugin's certificate in DER; None if the connection is not TLS.
    """

    protocol: int
    network: str
    address: str
    certificate: bytes | None = None

    @property
    def listens_on(self) -> Address:
        """Network and address together."""
        return Address(self.network, self.address)

    def line(self, *, multiplexing_asked: bool = False) -> str:
        """The line, with its line end: `1|6|unix|/tmp/plugin123|grpc|CERTIFICATE`.

        Args:
            multiplexing_asked: Whether the environment has `PLUGIN_MULTIPLEX_GRPC`. The answer is
                no: it is about brokered connections, which providers do not use.
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
    """Parse the first line that a plugin printed.

    Raises:
        PluginError: If the text is not a handshake line, or if this library cannot talk to the
            plugin.
    """
    fields = line.strip().split("|")
    if len(fields) < 4:
        raise PluginError(
            f"expected a handshake line `1|6|unix|ADDRESS|grpc|CERTIFICATE`, got {_shown(line)}"
        )
    core, major, network, address, *rest = fields
    if core != _CORE_PROTOCOL:
        raise PluginError(f"expected version 1 of the plugin handshake, got {_shown(core)}")
    # Checked before the rest: a plugin of protocol 4 (Terraform 0.11 and older) prints less.
    protocol = _parse_protocol(major)
    transport = rest[0] if rest else "netrpc"
    if transport != _TRANSPORT:
        raise PluginError(f"expected a plugin that speaks gRPC, got {_shown(transport)}")
    _check_address(Address(network, address))
    return Handshake(protocol, network, address, _parse_certificate("".join(rest[1:2])))


def _parse_protocol(text: str) -> int:
    for major in SUPPORTED:
        if text == str(major):
            return major
    supported = " and ".join(map(str, SUPPORTED))
    raise PluginError(
        f"unsupported protocol version {_shown(text)}: {supported} are supported"
        + ("; the provider is for Terraform 0.11 and older" if text == "4" else "")
    )


def _check_address(address: Address) -> None:
    try:
        valid = address.network == UNIX or (address.network == TCP and address.host_and_port)
    except ValueError:
        valid = False
    if not valid or not address.text or "\0" in address.text:
        shown = _shown(f"{address.network}|{address.text}")
        raise PluginError(f"expected an address `unix|PATH` or `tcp|HOST:PORT`, got {shown}")
    size = len(os.fsencode(address.text))
    if address.network == UNIX and size > MAX_SOCKET_PATH:
        raise PluginError(
            f"the path of the socket is too long: {size} bytes, the limit is {MAX_SOCKET_PATH}"
        )


def _parse_certificate(text: str) -> bytes | None:
    if len(text) <= _SHORTEST_CERTIFICATE:
        return None
    if "=" in text:  # as strict as go-plugin
        raise PluginError("expected the certificate in base64 without padding")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):  # ValueError: not ASCII
        raise PluginError("expected the certificate in base64") from None


def _shown(text: str) -> str:
    printable = one_line(text.strip())
    return f'"{printable[:_SHOWN]}{"…" if len(printable) > _SHOWN else ""}"'


def offered_protocols(environment: Mapping[str, str]) -> frozenset[int]:
    """The protocol versions in `PLUGIN_PROTOCOL_VERSIONS`; empty if the variable is not set."""
    words = environment.get(PROTOCOL_VERSIONS, "").split(",")
    numbers = (word for word in map(str.strip, words) if word.isdecimal() and len(word) < 9)
    return frozenset(map(int, numbers))


def choose_protocol(own: Collection[int], offered: Collection[int]) -> int:
    """Choose the highest protocol version that both sides support.

    Args:
        own: The versions that the server supports, at least one.
        offered: The versions that the client supports.

    Returns:
        The version; the lowest of the server's if there is none in common. The client then refuses
        it with an error of its own, as it does with go-plugin.
    """
    return max(set(own) & set(offered), default=min(own))
