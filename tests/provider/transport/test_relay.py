import gc
import socket
import ssl
import struct
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

import grpc
import pytest

from tests.provider.transport.peers import (
    PATIENCE,
    bare_certificate,
    connect,
    echo,
    listening,
    plain_tls,
    read_all,
)
from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.provider.transport.addresses import Address
from tofutypes.provider.transport.certificates import (
    Certificate,
    client_context,
    make_certificate,
    server_context,
)
from tofutypes.provider.transport.relay import MAX_HANDSHAKES, Relay

GO = bare_certificate()
OURS = make_certificate()
STRANGER = bare_certificate()

SERVER, CLIENT = ssl.PROTOCOL_TLS_SERVER, ssl.PROTOCOL_TLS_CLIENT


@pytest.fixture
def unix(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Address]:
    folder = tmp_path_factory.mktemp("s")
    return lambda name: Address("unix", str(folder / name))


def free_port(_: str) -> Address:
    return Address("tcp", "127.0.0.1:0")


@pytest.fixture(params=["unix", "tcp"])
def address(
    request: pytest.FixtureRequest, unix: Callable[[str], Address]
) -> Callable[[str], Address]:
    return unix if request.param == "unix" else free_port


def exchange(connection: socket.socket, sent: bytes) -> bytes:
    connection.sendall(sent)
    received = b""
    while len(received) < len(sent):
        piece = connection.recv(65536)
        if not piece:
            break
        received += piece
    return received


def ask(address: Address, tls: ssl.SSLContext) -> bytes:
    """What a server answers; nothing if it refuses the connection, at once or later."""
    try:
        with tls.wrap_socket(connect(address), server_hostname="localhost") as connection:
            return exchange(connection, b"ping")
    except OSError:
        return b""


@pytest.mark.parametrize("theirs", ["P-521", "P-256", "RSA"])
def test_tls_with_a_client(address: Callable[[str], Address], theirs: str) -> None:
    client = bare_certificate(theirs)
    tls = server_context(OURS, client.certificate_pem)
    with listening(address("plain"), echo) as plain:
        relay = Relay(address("tls"), plain, inward=tls)
        at = relay.start()
        with plain_tls(client, OURS, CLIENT).wrap_socket(
            connect(at), server_hostname="localhost"
        ) as connection:
            assert connection.selected_alpn_protocol() == "h2"
            assert exchange(connection, b"ping") == b"ping"
        relay.stop()


@pytest.mark.parametrize("theirs", ["P-521", "P-256", "RSA"])
def test_tls_with_a_server(address: Callable[[str], Address], theirs: str) -> None:
    server = bare_certificate(theirs)
    tls = plain_tls(server, OURS, SERVER)  # asks for our certificate
    with (
        listening(address("tls"), echo, tls) as secured,
        Relay(address("plain"), secured, outward=client_context(OURS, server.der)) as relay,
        connect(relay.address) as connection,
    ):
        assert exchange(connection, b"ping") == b"ping"


@pytest.mark.parametrize("offered", [STRANGER, None], ids=["a stranger", "nobody"])
def test_other_clients_are_refused(
    unix: Callable[[str], Address], offered: Certificate | None
) -> None:
    with (
        listening(unix("plain"), echo) as plain,
        Relay(unix("tls"), plain, inward=server_context(OURS, GO.certificate_pem)) as relay,
    ):
        assert ask(relay.address, plain_tls(GO, OURS, CLIENT)) == b"ping"
        assert ask(relay.address, plain_tls(offered, OURS, CLIENT)) == b""


@pytest.mark.parametrize(
    "server",
    [STRANGER, bare_certificate(name="example.com")],
    ids=["a stranger", "of another name"],
)
def test_other_servers_are_refused(unix: Callable[[str], Address], server: Certificate) -> None:
    trusted = GO if server is STRANGER else server
    received: list[bytes] = []
    with (
        listening(
            unix("tls"),
            lambda connection: received.append(read_all(connection)),
            plain_tls(server, None, SERVER),
        ) as secured,
        Relay(unix("plain"), secured, outward=client_context(OURS, trusted.der)) as relay,
        connect(relay.address) as connection,
    ):
        with suppress(BrokenPipeError):  # the relay may have given up before the first byte
            connection.sendall(b"secret")
        assert read_all(connection) == b""
    assert b"".join(received) == b""
    assert relay.trouble.startswith(f"cannot be reached at {secured}: ")
    assert "certificate verify failed" in relay.trouble


def test_a_flood_of_silent_connections_keeps_nobody_out(unix: Callable[[str], Address]) -> None:
    """Without a limit, each holds a descriptor and 300 kB until its handshake times out."""
    with (
        ExitStack() as stack,
        listening(unix("plain"), echo) as plain,
        Relay(unix("tls"), plain, inward=server_context(OURS, GO.certificate_pem)) as relay,
    ):
        before = open_sockets()
        flood: list[socket.socket] = []
        while len(flood) < 350:
            with suppress(BlockingIOError):  # the backlog is full
                flood.append(stack.enter_context(connect(relay.address)))
        for _ in range(3):
            assert ask(relay.address, plain_tls(GO, OURS, CLIENT)) == b"ping"
        if before:
            assert open_sockets() <= before + len(flood) + MAX_HANDSHAKES + 10
        flood[0].settimeout(PATIENCE)
        assert read_all(flood[0]) == b""  # the oldest was ended


def test_a_flood_without_descriptors_ends_with_the_flood(unix: Callable[[str], Address]) -> None:
    """A relay that cannot accept tries again, and serves when there are descriptors."""
    with (
        listening(unix("plain"), echo) as plain,
        Relay(unix("tls"), plain, inward=server_context(OURS, GO.certificate_pem)) as relay,
    ):
        failures = [OSError(24, "Too many open files")]
        loop = relay._loop
        assert loop is not None
        real = loop.sock_accept

        async def fail_once(listener: socket.socket) -> object:
            if failures:
                raise failures.pop()
            return await real(listener)

        loop.sock_accept = fail_once  # type: ignore[assignment,method-assign]
        first, *others = [ask(relay.address, plain_tls(GO, OURS, CLIENT)) for _ in range(4)]
        # A relay that cannot accept ends the oldest handshake, which may be that of the first call.
        assert first in (b"", b"ping")
        assert others == [b"ping"] * 3
        assert failures == []


def test_plain_clients_are_refused(unix: Callable[[str], Address]) -> None:
    with (
        listening(unix("plain"), echo) as plain,
        Relay(unix("tls"), plain, inward=server_context(OURS, GO.certificate_pem)) as relay,
        connect(relay.address) as connection,
    ):
        connection.sendall(b"PRI * HTTP/2.0\r\n\r\n")
        assert b"PRI" not in read_all(connection)


def test_what_came_before_the_end_is_handed_on(unix: Callable[[str], Address]) -> None:
    sent = bytes(range(256)) * 20_000

    def send(connection: socket.socket) -> None:
        connection.sendall(sent)

    tls = plain_tls(GO, OURS, SERVER)
    with (
        listening(unix("tls"), send, tls) as secured,
        Relay(unix("plain"), secured, outward=client_context(OURS, GO.der)) as relay,
        connect(relay.address) as connection,
    ):
        assert read_all(connection) == sent


def test_what_came_before_the_relay_stops_is_handed_on(unix: Callable[[str], Address]) -> None:
    """The last answer of a provider that ends."""
    sent = bytes(range(256)) * 20_000
    started = threading.Event()

    def send(connection: socket.socket) -> None:
        started.set()
        connection.sendall(sent)

    with (
        listening(unix("far"), send) as far,
        Relay(unix("near"), far) as relay,
        connect(relay.address) as connection,
        ThreadPoolExecutor(1) as threads,
    ):
        assert started.wait(PATIENCE)
        stopped = threads.submit(relay.stop)
        assert read_all(connection) == sent
        stopped.result(PATIENCE)


def half_close(connection: socket.socket) -> None:
    connection.shutdown(socket.SHUT_WR)
    assert read_all(connection) == b""


def reset(connection: socket.socket) -> None:
    at_once = struct.pack("ii", 1, 0)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)


@pytest.mark.parametrize("end", [half_close, reset, socket.socket.close])
def test_an_end_on_one_side_ends_the_other(end: Callable[[socket.socket], None]) -> None:
    ended = threading.Event()

    def wait(connection: socket.socket) -> None:
        read_all(connection)
        ended.set()

    with listening(free_port("far"), wait) as far, Relay(free_port("near"), far) as relay:
        with connect(relay.address) as connection:
            connection.sendall(b"a")
            end(connection)
        assert ended.wait(PATIENCE)


def test_nobody_there(unix: Callable[[str], Address]) -> None:
    with Relay(unix("a"), unix("nowhere")) as relay, connect(relay.address) as connection:
        assert read_all(connection) == b""


@pytest.mark.parametrize(
    "listen",
    [
        Address("unix", "/no/such/folder/s"),
        Address("tcp", "0.0.0.1:1"),
        Address("tcp", "127.0.0.1:99999"),
        Address("tcp", "127.0.0.1"),
    ],
)
def test_nowhere_to_listen(listen: Address) -> None:
    relay = Relay(listen, listen)
    with pytest.raises(PluginError, match=f"cannot listen on {listen}: "):
        relay.start()
    relay.stop()


def test_a_certificate_that_is_none() -> None:
    for unreadable in (b"", b"\xff\xfe", b"-----BEGIN CERTIFICATE-----\nAAAA\n"):
        with pytest.raises(PluginError, match="cannot read the certificate of the other side"):
            server_context(OURS, unreadable)
        with pytest.raises(PluginError, match="cannot read the certificate of the other side"):
            client_context(OURS, unreadable)


# What is just being accepted when a relay stops, asyncio leaves to the garbage collection.
@pytest.mark.filterwarnings("ignore:unclosed", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_nothing_stays(unix: Callable[[str], Address]) -> None:
    """Neither threads nor sockets nor files: of open connections, and of half made ones."""
    gc.collect()
    before, sockets = set(threading.enumerate()), open_sockets()
    silent = socket.socket(socket.AF_UNIX)
    silent.bind(unix("silent").text)
    silent.listen()
    inward = server_context(OURS, GO.certificate_pem)
    with (
        silent,
        listening(unix("plain"), echo) as plain,
        Relay(unix("a"), unix("silent"), outward=client_context(OURS, GO.der)) as one,
        Relay(unix("b"), plain, inward=inward) as two,
        Relay(unix("c"), plain) as three,
        connect(one.address),
        connect(two.address),
        connect(three.address) as connection,
    ):
        assert exchange(connection, b"ping") == b"ping"
        for relay in (one, two, three):
            relay.stop()
            relay.stop()
        assert read_all(connection) == b""
    assert set(threading.enumerate()) == before
    assert {each.name for each in Path(unix("a").text).parent.iterdir()} == {"silent", "plain"}
    gc.collect()
    assert open_sockets() == sockets


def open_sockets() -> int:
    """How many sockets this process has, where a system tells."""
    descriptors = Path("/proc/self/fd")
    if not descriptors.exists():
        return 0
    found = 0
    for each in descriptors.iterdir():
        with suppress(FileNotFoundError):  # that of the folder itself
            found += str(each.readlink()).startswith("socket:")
    return found


def test_large_messages_and_many_calls_of_grpc(unix: Callable[[str], Address]) -> None:
    def answer(request: bytes, _: object) -> bytes:
        return request

    handler = grpc.method_handlers_generic_handler(
        "echo.Echo", {"Echo": grpc.unary_unary_rpc_method_handler(answer)}
    )
    unlimited = [("grpc.max_receive_message_length", -1)]
    server = grpc.server(ThreadPoolExecutor(8), options=unlimited)
    server.add_generic_rpc_handlers([handler])
    server.add_insecure_port(unix("server").target)
    server.start()
    inward = server_context(OURS, GO.certificate_pem)
    with (
        Relay(unix("tls"), unix("server"), inward=inward) as near,
        Relay(unix("client"), near.address, outward=client_context(GO, OURS.der)) as far,
        grpc.insecure_channel(far.address.target, unlimited) as channel,
        ThreadPoolExecutor(100) as callers,
    ):
        call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary("/echo.Echo/Echo")
        requests = [bytes([each]) * 100_000 for each in range(100)]
        assert list(callers.map(lambda each: call(each, timeout=60), requests)) == requests
        large = bytes(50 << 20)
        assert call(large, timeout=60) == large
    server.stop(None).wait()
