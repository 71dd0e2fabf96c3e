"""Every way into a process: the ports and the sockets that it listens on."""

from __future__ import annotations

import os
import ssl
import stat
from contextlib import suppress
from pathlib import Path

import grpc

from tofutypes.provider.client.connection import open_channel
from tofutypes.provider.transport.addresses import Address
from tofutypes.provider.transport.certificates import make_certificate

_LISTENING = "0A"
"""The state of a listening socket in `/proc/net/tcp`."""


def listening_ports(process: int | None = None) -> list[Address]:
    """The TCP ports on which a process listens; by default this one. Linux only."""
    own = _socket_inodes(os.getpid() if process is None else process)
    ports: list[Address] = []
    for table in ("tcp", "tcp6"):
        for line in Path("/proc/net", table).read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == _LISTENING and fields[9] in own:
                port = int(fields[1].rpartition(":")[2], 16)
                ports.append(Address("tcp", f"127.0.0.1:{port}"))
    return ports


def _socket_inodes(process: int) -> set[str]:
    inodes: set[str] = set()
    for descriptor in Path(f"/proc/{process}/fd").iterdir():
        with suppress(FileNotFoundError):  # the descriptor of the folder itself
            target = str(descriptor.readlink())
            if target.startswith("socket:["):
                inodes.add(target[8:-1])
    return inodes


def sockets_below(folder: Path) -> list[Address]:
    """The Unix sockets in a folder and in all folders below."""
    paths = [path for path in folder.rglob("*") if stat.S_ISSOCK(path.lstat().st_mode)]
    return [Address("unix", str(path)) for path in paths]


def can_read_schemas(address: Address) -> bool:
    """Whether somebody without the right certificate can read the schemas of a provider there."""
    ways = [None, *_strangers(address)]
    return any(_can_read_schemas(address, credentials) for credentials in ways)


def _strangers(address: Address) -> list[grpc.ChannelCredentials]:
    """TLS of clients that trust the server, without a certificate and with one of their own."""
    if address.network != "tcp":
        return []
    try:
        server = ssl.get_server_certificate(address.host_and_port, timeout=5).encode()
    except OSError:  # it does not speak TLS
        return []
    own = make_certificate()
    return [
        grpc.ssl_channel_credentials(server),
        grpc.ssl_channel_credentials(server, own.key_pem, own.certificate_pem),
    ]


def _can_read_schemas(address: Address, credentials: grpc.ChannelCredentials | None) -> bool:
    with open_channel(address, credentials) as channel:
        call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(
            "/tfplugin6.Provider/GetProviderSchema"
        )
        try:
            return bool(call(b"", timeout=5))
        except grpc.RpcError:
            return False
