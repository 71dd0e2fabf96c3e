"""Values by type constraint, without a model: objects are dicts."""

from __future__ import annotations

from typing import TypeAlias, Union

from tofutypes.dynamic import Dynamic
from tofutypes.errors import TypeConstraintError, describe
from tofutypes.numbers import Number
from tofutypes.sets import TofuSet
from tofutypes.types import Type
from tofutypes.unknown import Unknown
from tofutypes.wire import json, msgpack
from tofutypes.wire.layout import Layout, layout_of_type

Value: TypeAlias = Union[
    str,
    bool,
    Number,
    Unknown,
    Dynamic,
    "list[Value]",
    "dict[str, Value]",
    "tuple[Value, ...]",
    "TofuSet[Value]",
    None,
]
"""A value of the type system in Python, as the decoders give it."""


def decode_msgpack(data: bytes | bytearray | memoryview, type: Type) -> Value:
    """Read a value of a type from MessagePack, as `DynamicValue.msgpack` carries it.

    Numbers come exact (`int` or `Decimal`), strings in NFC, sets as `TofuSet`, places of type
    `dynamic` as `Dynamic`; refinements of unknown values that decide the value yield it.

    Raises:
        DecodeError: If the bytes are not MessagePack, or do not fit the type. The message has
            the path.
    """
    value: Value = msgpack.decode(data, _layout(type))
    return value


def encode_msgpack(value: object, type: Type) -> bytes:
    """Write a value of a type as MessagePack, in exactly the bytes that go-cty writes.

    Python's own containers and numbers do: a list for a set, a `float` (its shortest decimal).
    Equal values give equal bytes, however they were built.

    Raises:
        EncodeError: If the value does not fit the type. The message has the path.
    """
    return msgpack.encode(value, _layout(type))


def decode_json(text: str | bytes | bytearray, type: Type) -> Value:
    """Read a value of a type from JSON, exact to the last digit.

    Raises:
        DecodeError: If the text is not JSON or does not fit the type. The message has
            the path.
    """
    value: Value = json.decode(text, _layout(type))
    return value


def encode_json(value: object, type: Type) -> str:
    """Write a value of a type as JSON, in exactly the text that go-cty writes.

    Raises:
        EncodeError: If the value does not fit the type, is unknown or infinite.
    """
    return json.encode(value, _layout(type))


def _layout(type: object) -> Layout:
    if isinstance(type, Type):
        return layout_of_type(type)
    raise TypeConstraintError(f"expected a Type, got {describe(type)}; parse_type() makes one")
