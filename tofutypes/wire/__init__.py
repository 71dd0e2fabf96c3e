"""Values on the wire, by type constraint: MessagePack and JSON."""

from __future__ import annotations

from tofutypes.wire.typed_values import (
    Value,
    decode_json,
    decode_msgpack,
    encode_json,
    encode_msgpack,
)

__all__ = ["Value", "decode_json", "decode_msgpack", "encode_json", "encode_msgpack"]
