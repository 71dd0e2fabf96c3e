"""Values as the protocol carries them: `DynamicValue`. The rules are those of `WireValue`."""

from __future__ import annotations

from typing import Final, TypeVar

from tofutypes.models import Model
from tofutypes.provider.proto.tfplugin6_pb2 import DynamicValue
from tofutypes.provider.service.wire_value import NULL as NULL_VALUE
from tofutypes.provider.service.wire_value import WireValue

M = TypeVar("M", bound=Model)

NULL: Final = NULL_VALUE.msgpack
"""Null in MessagePack."""


def value_of_message(message: DynamicValue) -> WireValue:
    """Convert a message to a value."""
    return WireValue(message.msgpack, message.json)


def value_to_message(value: WireValue) -> DynamicValue:
    """Convert a value to a message."""
    return DynamicValue(msgpack=value.msgpack, json=value.json)


def is_null(message: DynamicValue) -> bool:
    """Whether the value is null or absent."""
    return value_of_message(message).is_null


def read_value(model: type[M], message: DynamicValue) -> M | None:
    """Decode a message as an object of a class; None if it is null.

    Raises:
        DecodeError: If the value is not an object of this schema. The message has the path.
    """
    return value_of_message(message).read(model)


def write_value(value: Model | None) -> DynamicValue:
    """Encode an object as a message; None is null.

    Raises:
        EncodeError: If something inside was changed to a value that does not fit the schema.
    """
    return value_to_message(WireValue.of(value))
