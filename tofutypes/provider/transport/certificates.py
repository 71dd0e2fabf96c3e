"""Certificates for one connection: client and server each make one and trust the other's alone.

Source: go-plugin, `mtls.go` ("AutoMTLS").
"""

from __future__ import annotations

import ssl
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tofutypes.provider.service.diagnostics import PluginError

if TYPE_CHECKING:
    from cryptography import x509

HOST: Final = "localhost"
"""The name in every certificate; it is all that either side checks of the name."""

_HTTP_2: Final = "h2"
_ORGANIZATION: Final = "tofutypes"
_BEFORE: Final = timedelta(seconds=30)
_LIFETIME: Final = timedelta(hours=262_980)


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate and its key.

    Attributes:
        certificate_pem: the certificate in PEM.
        key_pem: its private key in PEM, not encrypted.
    """

    certificate_pem: bytes
    key_pem: bytes = field(repr=False)

    @property
    def der(self) -> bytes:
        """The certificate in DER."""
        return ssl.PEM_cert_to_DER_cert(self.certificate_pem.decode("ascii"))


def make_certificate() -> Certificate:
    """A new certificate for this process, signed by itself: ECDSA with P-256, for `localhost`."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name(
        [
            x509.NameAttribute(NameOID.COMMON_NAME, HOST),
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, _ORGANIZATION),
        ]
    )
    now = datetime.now(UTC)
    builder = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - _BEFORE)
        .not_valid_after(now + _LIFETIME)
    )
    certificate = _with_extensions(builder).sign(key, hashes.SHA256())
    return Certificate(
        certificate.public_bytes(serialization.Encoding.PEM),
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ),
    )


def _with_extensions(builder: x509.CertificateBuilder) -> x509.CertificateBuilder:
    from cryptography import x509
    from cryptography.x509.oid import ExtendedKeyUsageOID as Usage

    may = x509.KeyUsage(
        digital_signature=True,
        key_encipherment=True,
        key_agreement=True,
        key_cert_sign=True,
        content_commitment=False,
        data_encipherment=False,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )
    usage = x509.ExtendedKeyUsage([Usage.CLIENT_AUTH, Usage.SERVER_AUTH])
    return (
        builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(may, critical=True)
        .add_extension(usage, critical=False)
    )


def server_context(own: Certificate, peer_pem: bytes) -> ssl.SSLContext:
    """TLS for a server that lets in one client.

    Args:
        own: the server's certificate.
        peer_pem: that of the client in PEM, as `PLUGIN_CLIENT_CERT` has it.

    Raises:
        PluginError: the client's certificate cannot be read.
    """
    context = _context(ssl.PROTOCOL_TLS_SERVER, own)
    context.verify_mode = ssl.CERT_REQUIRED
    _trust(context, peer_pem.decode("ascii", "backslashreplace"))
    return context


def client_context(own: Certificate, peer_der: bytes) -> ssl.SSLContext:
    """TLS for a client that talks to one server, which is to be reached as `localhost`.

    Args:
        own: the client's certificate.
        peer_der: that of the server in DER, as the handshake has it.

    Raises:
        PluginError: the server's certificate cannot be read.
    """
    context = _context(ssl.PROTOCOL_TLS_CLIENT, own)
    _trust(context, peer_der)
    return context


def _context(protocol: int, own: Certificate) -> ssl.SSLContext:
    context = ssl.SSLContext(protocol)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    # A trusted certificate need not be one that signs: it is the peer's own.
    context.verify_flags |= ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
    context.set_alpn_protocols([_HTTP_2])
    # A context takes a key from nowhere but a file; the folder is for this user only (0700).
    try:
        with tempfile.TemporaryDirectory(prefix="tofutypes-") as folder:
            both = Path(folder, "own.pem")
            both.write_bytes(own.key_pem + b"\n" + own.certificate_pem)
            context.load_cert_chain(both)
    except OSError as error:
        raise PluginError(f"no folder for the certificate: {error.strerror}") from None
    return context


def _trust(context: ssl.SSLContext, peer: str | bytes) -> None:
    try:
        context.load_verify_locations(cadata=peer)
    except (ssl.SSLError, ValueError):  # ValueError: empty
        raise PluginError("the certificate of the other side cannot be read") from None
