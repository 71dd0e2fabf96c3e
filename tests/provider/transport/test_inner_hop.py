"""Who can connect to a provider that asks for TLS: the client with the certificate, nobody else."""

import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.provider.client.scripts import WHOLE, write_script
from tests.provider.server.boxes import Box, Toy
from tests.provider.transport.doors import can_read_schemas, listening_ports, sockets_below
from tofutypes.provider.client import host, launch, launching
from tofutypes.provider.client.connection import Connection, open_channel
from tofutypes.provider.messages.protocol import protocol_of
from tofutypes.provider.server.listening import listening
from tofutypes.provider.server.service import HandlerService
from tofutypes.provider.transport import addresses
from tofutypes.provider.transport import inner_hop as inner_hop_module
from tofutypes.provider.transport.certificates import client_context, make_certificate
from tofutypes.provider.transport.inner_hop import inner_hop
from tofutypes.provider.transport.relay import Relay

CLIENT = make_certificate()
TLS = {"PLUGIN_CLIENT_CERT": CLIENT.certificate_pem.decode()}

GROUP = 60_001
"""A group that nobody else uses."""

CONNECT = """
import socket, sys
for path in sys.argv[1:]:
    try:
        socket.socket(socket.AF_UNIX).connect(path)
        print(path)
    except OSError:
        pass
"""

NO_UNIX_SOCKETS = """
from tofutypes.provider.transport import addresses
addresses.has_unix_sockets = lambda: False
"""

PYTHON = shutil.which("python3", path="/usr/bin:/usr/local/bin")
"""A Python that every user can run."""

needs_proc = pytest.mark.skipif(
    not Path("/proc/net/tcp").exists(), reason="only Linux has /proc/net"
)


@pytest.fixture
def folder() -> Iterator[Path]:
    before = os.umask(0)
    with tempfile.TemporaryDirectory() as name:  # short: the paths of sockets are limited
        yield Path(name)
    os.umask(before)


@pytest.fixture
def no_unix_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Python on Windows."""
    for module in (addresses, inner_hop_module, launching):
        monkeypatch.setattr(module, "has_unix_sockets", lambda: False)


def share_with_group(folder: Path) -> dict[str, str]:
    """The environment in which a group may connect, and new files belong to the group."""
    group = GROUP if os.geteuid() == 0 else os.getegid()
    os.chown(folder, -1, group)
    folder.chmod(0o2770)
    return {"PLUGIN_UNIX_SOCKET_DIR": str(folder), "PLUGIN_UNIX_SOCKET_GROUP": str(group)}


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode) & 0o777


@pytest.mark.parametrize("umask", [0, 0o002, 0o022, 0o077])
@pytest.mark.parametrize("shared", [True, False])
def test_the_socket_behind_tls_is_for_this_user_alone(
    folder: Path, umask: int, shared: bool
) -> None:
    environment = {"PLUGIN_UNIX_SOCKET_DIR": str(folder)}
    environment |= share_with_group(folder) if shared else {}
    os.umask(umask)
    with listening(HandlerService(Toy()), 6, environment | TLS) as (server, handshake):
        (inner,) = [
            Path(address.text)
            for address in sockets_below(folder)
            if address.text != handshake.address
        ]
        assert mode(inner) == 0o600
        assert mode(inner.parent) == 0o700
        assert inner.parent != Path(handshake.address).parent
        assert mode(Path(handshake.address)) == (0o660 if shared else 0o600)
        assert mode(Path(handshake.address).parent) == (0o710 if shared else 0o700)
        server.stop()


@pytest.mark.skipif(
    PYTHON is None or not hasattr(os, "geteuid") or os.geteuid() != 0,
    reason="only root can start programs of other users",
)
@pytest.mark.parametrize("umask", [0, 0o002])
@pytest.mark.parametrize("tls", [True, False])
@pytest.mark.parametrize(
    ("groups", "reached"), [([GROUP], ["plugin"]), ([], [])], ids=["member", "stranger"]
)
def test_what_another_user_reaches(
    folder: Path, umask: int, tls: bool, groups: list[int], reached: list[str]
) -> None:
    environment = share_with_group(folder) | (TLS if tls else {})
    folder.chmod(0o2777)
    os.umask(umask)
    with listening(HandlerService(Toy()), 6, environment) as (server, handshake):
        paths = [address.text for address in sockets_below(folder)]
        assert handshake.address in paths
        assert PYTHON is not None
        ran = subprocess.run(
            [PYTHON, "-S", "-c", CONNECT, *paths],
            user=65_534,
            group=65_534,
            extra_groups=groups,
            capture_output=True,
            text=True,
            check=True,
        )
        assert [Path(path).name for path in ran.stdout.split()] == reached
        assert can_read_schemas(handshake.listens_on) == (not tls)
        server.stop()


@needs_proc
@pytest.mark.usefixtures("no_unix_sockets")
def test_no_port_of_a_provider_is_open_without_a_certificate(tmp_path: Path) -> None:
    before = set(listening_ports())
    with listening(HandlerService(Toy()), 6, TLS) as (server, handshake):
        ports = set(listening_ports()) - before
        assert handshake.listens_on in ports
        assert server.address in ports
        assert not any(map(can_read_schemas, ports))
        # The client that has the certificate reaches the provider.
        assert handshake.certificate is not None
        hop = inner_hop(tmp_path)
        outward = client_context(CLIENT, handshake.certificate)
        with Relay(
            hop.address, handshake.listens_on, inward=hop.listening_tls(), outward=outward
        ) as relay:
            channel = open_channel(relay.address, hop.channel_credentials())
            request = protocol_of(6).calls["GetProviderSchema"].request()
            response = Connection(channel, protocol_of(6)).call("GetProviderSchema", request)
            assert "toy_box" in response.resource_schemas
            assert not can_read_schemas(relay.address)
            channel.close()
        server.stop()


@needs_proc
@pytest.mark.usefixtures("no_unix_sockets")
def test_no_port_of_a_client_is_open_without_a_certificate(tmp_path: Path) -> None:
    body = f"{NO_UNIX_SOCKETS}\n{WHOLE}"
    before = set(listening_ports())
    with launch(write_script(tmp_path / "terraform-provider-fake", body)) as client:
        assert "fake_thing" in client.schema.resources
        ports = set(listening_ports()) - before
        assert len(ports) == 1
        assert not any(map(can_read_schemas, ports))


@needs_proc
@pytest.mark.usefixtures("no_unix_sockets")
def test_no_port_of_a_hosted_provider_is_open() -> None:
    before = set(listening_ports())
    with host(Toy()) as client:
        assert client.plan(Box(name="a")).planned is not None
        ports = set(listening_ports()) - before
        assert len(ports) == 1
        assert not any(map(can_read_schemas, ports))
