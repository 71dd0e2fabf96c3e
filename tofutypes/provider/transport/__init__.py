"""Addresses, handshake, certificates and TLS: the parts of go-plugin below gRPC."""
