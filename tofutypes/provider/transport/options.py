"""Options of gRPC channels and servers that bound what the other side can send.

gRPC checks the limits while a message arrives, and while a compressed message is unpacked.
"""

from __future__ import annotations

import json
from typing import Final

from tofutypes.limits import current_limits
from tofutypes.provider.messages.versions import SUPPORTED, name_in, service_name

MAX_SCHEMA_SIZE: Final = 64 << 20
"""The largest schema response of a provider, in bytes: the limit of Terraform Core and OpenTofu."""

_BESIDE_VALUES: Final = 1 << 20  # bytes of a message beside its values: names, diagnostics
_LARGEST_INT: Final = (1 << 31) - 1


def size_options() -> list[tuple[str, int]]:
    """Limit received messages to one value of the largest size (`Limits.size`)."""
    size = min(current_limits().size + _BESIDE_VALUES, _LARGEST_INT)
    return [("grpc.max_receive_message_length", size), ("grpc.max_send_message_length", -1)]


def schema_size_option() -> tuple[str, str]:
    """Limit schema responses to `MAX_SCHEMA_SIZE`."""
    schema_calls = [
        {"service": service_name(major), "method": name_in(major, "GetProviderSchema")}
        for major in SUPPORTED
    ]
    method = {"name": schema_calls, "maxResponseMessageBytes": MAX_SCHEMA_SIZE}
    return ("grpc.service_config", json.dumps({"methodConfig": [method]}))
