"""The connection between the TLS relay and gRPC, both of which are in this process.

Whoever could connect here would walk around the relay's TLS. Where there are Unix sockets, the hop
is a socket of mode 0600 in a folder of its own, of mode 0700, which is never shared with a group.
Where there are none, every user of the machine can connect to a port, so the hop has mutual TLS of
its own, with a key that never leaves this process.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tofutypes.provider.transport.addresses import Address, has_unix_sockets, new_address

if TYPE_CHECKING:
    import ssl

    import grpc

    from tofutypes.provider.transport.certificates import Certificate

_FOLDER: Final = "inner"
_SOCKET: Final = "s"


@dataclass(frozen=True, slots=True)
class InnerHop:
    """Where the hop is, and its TLS.

    Attributes:
        address: Where to listen; the port of a TCP address is 0.
        certificate: The certificate of both ends; None if the hop is a Unix socket.
    """

    address: Address
    certificate: Certificate | None = None

    def server_credentials(self) -> grpc.ServerCredentials | None:
        """The credentials of a gRPC server at the far end of the hop."""
        if self.certificate is None:
            return None
        import grpc

        pem = self.certificate.certificate_pem
        return grpc.ssl_server_credentials(
            [(self.certificate.key_pem, pem)], pem, require_client_auth=True
        )

    def channel_credentials(self) -> grpc.ChannelCredentials | None:
        """The credentials of a gRPC channel at the near end of the hop."""
        if self.certificate is None:
            return None
        import grpc

        pem = self.certificate.certificate_pem
        return grpc.ssl_channel_credentials(pem, self.certificate.key_pem, pem)

    def listening_tls(self) -> ssl.SSLContext | None:
        """The TLS of a relay that the gRPC channel connects to."""
        from tofutypes.provider.transport.certificates import server_context

        own = self.certificate
        return None if own is None else server_context(own, own.certificate_pem)

    def connecting_tls(self) -> ssl.SSLContext | None:
        """The TLS of a relay that connects to the gRPC server."""
        from tofutypes.provider.transport.certificates import client_context

        own = self.certificate
        return None if own is None else client_context(own, own.der)


def inner_hop(folder: Path) -> InnerHop:
    """Return a new hop.

    Args:
        folder: A folder of this process; a group may be able to enter it.

    Raises:
        PluginError: If the path is too long for a Unix socket.
        OSError: If the hop's own folder cannot be created.
    """
    if not has_unix_sockets():
        from tofutypes.provider.transport.certificates import make_certificate

        return InnerHop(new_address(folder, _SOCKET), make_certificate())
    own_folder = folder / _FOLDER
    address = new_address(own_folder, _SOCKET)
    own_folder.mkdir(mode=0o700)
    own_folder.chmod(0o700)  # a umask may have taken the owner's own bits
    return InnerHop(address)
