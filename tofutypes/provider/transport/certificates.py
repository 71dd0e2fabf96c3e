"""Certificates of one connection: client and server make one each and trust only the other's.

Source: go-plugin, `mtls.go` ("AutoMTLS").
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.provider.transport.folders import CLIENT_PREFIX, private_folder

if TYPE_CHECKING:
    from cryptography import x509

HOST: Final = "localhost"
"""The DNS name in every certificate, and the only name that either side checks."""

_HTTP_2: Final = "h2"
_ORGANIZATION: Final = "tofutypes"
_BEFORE: Final = timedelta(seconds=30)
_LIFETIME: Final = timedelta(hours=262_980)


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate and its private key.

    Attributes:
        certificate_pem: The certificate in PEM.
        key_pem: The private key in PEM, not encrypted. It is not part of the repr.
    """

    certificate_pem: bytes
    key_pem: bytes = field(repr=False)

    @property
    def der(self) -> bytes:
        """The certificate in DER."""
        return ssl.PEM_cert_to_DER_cert(self.certificate_pem.decode("ascii"))


def make_certificate() -> Certificate:
    """Make a self-signed certificate for `localhost` (ECDSA with P-256)."""
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
    from cryptography.x509.oid import ExtendedKeyUsageOID

    key_usage = x509.KeyUsage(
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
    extended_usage = x509.ExtendedKeyUsage(
        [ExtendedKeyUsageOID.CLIENT_AUTH, ExtendedKeyUsageOID.SERVER_AUTH]
    )
    return (
        builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(key_usage, critical=True)
        .add_extension(extended_usage, critical=False)
    )


def server_context(own: Certificate, peer_pem: bytes) -> ssl.SSLContext:
    """Return the TLS context of a server that accepts exactly one client.

    Args:
        own: The server's certificate.
        peer_pem: The client's certificate in PEM, as in `PLUGIN_CLIENT_CERT`.

    Raises:
        PluginError: If the client's certificate cannot be read.
    """
    context = _context(ssl.PROTOCOL_TLS_SERVER, own)
    context.verify_mode = ssl.CERT_REQUIRED
    _trust(context, peer_pem.decode("ascii", "backslashreplace"))
    return context


def client_context(own: Certificate, peer_der: bytes) -> ssl.SSLContext:
    """Return the TLS context of a client that accepts exactly one server, named `localhost`.

    Args:
        own: The client's certificate.
        peer_der: The server's certificate in DER, as in the handshake line.

    Raises:
        PluginError: If the server's certificate cannot be read.
    """
    context = _context(ssl.PROTOCOL_TLS_CLIENT, own)
    _trust(context, peer_der)
    return context


def _context(protocol: int, own: Certificate) -> ssl.SSLContext:
    context = ssl.SSLContext(protocol)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    # The trusted certificate is the peer's own, which need not be able to sign others.
    context.verify_flags |= ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
    context.set_alpn_protocols([_HTTP_2])
    # Python's `ssl` reads keys only from files.
    with private_folder(CLIENT_PREFIX) as folder:
        file = folder / "own.pem"
        try:
            file.write_bytes(own.key_pem + b"\n" + own.certificate_pem)
            context.load_cert_chain(file)
        except OSError as error:
            raise PluginError(f"cannot load the certificate: {error.strerror}") from None
    return context


def _trust(context: ssl.SSLContext, peer: str | bytes) -> None:
    try:
        context.load_verify_locations(cadata=peer)
    except (ssl.SSLError, ValueError):  # ValueError: empty
        raise PluginError("cannot read the certificate of the other side") from None
