"""Values on the wire, by type constraint: MessagePack and JSON."""

from typing import TYPE_CHECKING

from tofutypes.lazy_names import import_on_use

if TYPE_CHECKING:
    from tofutypes.wire import json as json
    from tofutypes.wire import msgpack as msgpack
    from tofutypes.wire import python_values as python_values
    from tofutypes.wire import reading as reading
    from tofutypes.wire.typed_values import (
        Value,
        decode_json,
        decode_msgpack,
        encode_json,
        encode_msgpack,
    )

__all__ = [
    "Value",
    "decode_json",
    "decode_msgpack",
    "encode_json",
    "encode_msgpack",
]

if not TYPE_CHECKING:  # for them, every name would be there
    __getattr__, __dir__ = import_on_use(
        __name__,
        {
            "tofutypes.wire.typed_values": (
                "Value",
                "decode_json",
                "decode_msgpack",
                "encode_json",
                "encode_msgpack",
            ),
        },
        submodules=("json", "msgpack", "python_values", "reading"),
    )
