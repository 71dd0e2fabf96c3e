"""Values as the protocol carries them: `DynamicValue`.

Source: the protocol, `DynamicValue`: the core sends MessagePack, and takes JSON too; a value that
is not there is null.
"""

from __future__ import annotations

from typing import Final, TypeVar

from tofutypes.models import Model
from tofutypes.provider.proto.tfplugin6_pb2 import DynamicValue

M = TypeVar("M", bound=Model)

NULL: Final = b"\xc0"
"""Null in MessagePack."""


def is_null(message: DynamicValue) -> bool:
    """Whether the value is null, or not there."""
    if message.msgpack:
        return message.msgpack == NULL
    return message.json.strip() in (b"", b"null")


def read_value(model: type[M], message: DynamicValue) -> M | None:
    """The value as an instance of a class; None if it is null.

    Raises:
        DecodeError: it is not an object of this schema.
    """
    if is_null(message):
        return None
    if message.msgpack:
        return model.from_msgpack(message.msgpack)
    return model.from_json(message.json)


def write_value(value: Model | None) -> DynamicValue:
    """The value as the protocol carries it; None is null.

    Raises:
        EncodeError: something inside was changed to what does not fit the schema.
    """
    return DynamicValue(msgpack=NULL if value is None else value.to_msgpack())
