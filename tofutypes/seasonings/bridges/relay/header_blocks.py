"""Header blocks of gRPC: the few that a relay writes, and the method in those that it reads.

Source: RFC 7541 (HPACK), and gRPC over HTTP2.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from hpack import Decoder
from hpack.exceptions import HPACKError

_MOST: Final = 1000
"""How many header blocks are remembered."""

_STATUS_200: Final = b"\x88"
_METHOD_POST: Final = b"\x83"
_SCHEME_HTTP: Final = b"\x86"

INTERNAL: Final = 13
UNAVAILABLE: Final = 14


class MethodReader:
    """Reads the methods in the header blocks of one connection, in their order."""

    def __init__(self) -> None:
        self._decoder = Decoder()
        self._methods: dict[bytes, str] = {}
        """Of blocks that say the same whenever they come."""

    def method(self, block: bytes) -> str:
        """The method of a call: `/tfplugin5.Provider/ReadResource`; empty if there is none."""
        method = self._methods.get(block)
        if method is None or self._decoder.header_table.dynamic_entries:
            before = len(self._decoder.header_table.dynamic_entries)
            try:
                fields = dict(self._decoder.decode(block, raw=True))
            except HPACKError:
                return ""
            method = fields.get(b":path", b"").decode("latin-1")
            if not before and not self._decoder.header_table.dynamic_entries:
                if len(self._methods) >= _MOST:
                    self._methods.clear()
                self._methods[block] = method
        return method


def _literal(name: str, value: str) -> bytes:
    """A field that leaves the dynamic table as it is."""
    return b"\x00" + _string(name) + _string(value)


def _string(text: str) -> bytes:
    data = text.encode("ascii")
    size = len(data)
    if size < 127:
        return bytes([size]) + data
    size -= 127
    length = b"\x7f"
    while size >= 128:
        length += bytes([size & 0x7F | 0x80])
        size >>= 7
    return length + bytes([size]) + data


REQUEST_TYPE: Final = _literal("content-type", "application/grpc")
RESPONSE: Final = _STATUS_200 + REQUEST_TYPE
"""The block before the message of a response."""

SUCCESS: Final = _literal("grpc-status", "0")
"""The block behind the message of a response."""


def failure(status: int, message: str, *, alone: bool) -> bytes:
    """The block that ends a failed call.

    Args:
        status: the status of gRPC.
        message: for people.
        alone: whether no other block was sent before it.
    """
    fields = _literal("grpc-status", str(status))
    fields += _literal("grpc-message", quote(message, safe=" !\"#$&'()*+,-./:;<=>?@[\\]^_`{|}~"))
    return (RESPONSE if alone else b"") + fields


def request(method: str) -> bytes:
    """The block before the message of a request."""
    return (
        _METHOD_POST
        + _SCHEME_HTTP
        + _literal(":path", method)
        + _literal(":authority", "localhost")
        + REQUEST_TYPE
        + _literal("te", "trailers")
    )
