"""The other side of a connection: certificates as go-plugin makes them, and plain sockets."""

from __future__ import annotations

import socket
import ssl
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

from tofutypes.provider.transport.addresses import Address
from tofutypes.provider.transport.certificates import Certificate

PATIENCE = 20.0
"""Seconds until a test gives up on a socket."""


def bare_certificate(key: str = "P-521", name: str = "localhost") -> Certificate:
    """A certificate signed by itself, with nothing but a key and a name."""
    made: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey
    if key == "RSA":
        made = rsa.generate_private_key(65537, 2048)
    else:
        curve = {"P-521": ec.SECP521R1, "P-256": ec.SECP256R1}[key]
        made = ec.generate_private_key(curve())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "plugin")])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder(subject, subject, made.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(minutes=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(made, hashes.SHA512())
    )
    return Certificate(
        signed.public_bytes(serialization.Encoding.PEM),
        made.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ),
    )


def plain_tls(own: Certificate | None, trusted: Certificate | None, side: int) -> ssl.SSLContext:
    """TLS that offers and asks for what it is told to, and is no stricter."""
    context = ssl.SSLContext(side)
    context.set_alpn_protocols(["h2"])
    if trusted is None:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    else:
        context.load_verify_locations(cadata=trusted.certificate_pem.decode())
        context.verify_mode = ssl.CERT_REQUIRED
    if own is not None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "both.pem")
            file.write_bytes(own.key_pem + own.certificate_pem)
            context.load_cert_chain(file)
    return context


def connect(address: Address) -> socket.socket:
    """A connection in plain."""
    if address.network == "unix":
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(PATIENCE)
        try:
            connection.connect(address.text)
        except OSError:
            connection.close()
            raise
        return connection
    return socket.create_connection(address.host_and_port, PATIENCE)


@contextmanager
def listening(
    address: Address, handle: Callable[[socket.socket], None], tls: ssl.SSLContext | None = None
) -> Iterator[Address]:
    """A server that handles one connection after the other, in a thread."""
    if address.network == "unix":
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(address.text)
    else:
        listener = socket.create_server(address.host_and_port)
        address = Address("tcp", "{}:{}".format(*listener.getsockname()[:2]))
    listener.listen()
    listener.settimeout(PATIENCE)
    stopping = threading.Event()

    def serve() -> None:
        while not stopping.is_set():
            connection, _ = listener.accept()
            connection.settimeout(PATIENCE)
            try:
                if tls is not None:
                    connection = tls.wrap_socket(connection, server_side=True)
                handle(connection)
            except OSError:
                pass  # the other side went
            finally:
                connection.close()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield address
    finally:
        stopping.set()
        connect(address).close()
        thread.join()
        listener.close()


def echo(connection: socket.socket) -> None:
    """Send back what comes."""
    while data := connection.recv(65536):
        connection.sendall(data)


def read_all(connection: socket.socket) -> bytes:
    """What comes until the connection ends; a reset is an end too."""
    read = b""
    try:
        while data := connection.recv(65536):
            read += data
    except ConnectionError:
        pass
    return read
