"""Values and type constraints inside messages, and as the bytes that the rest of the house takes.

A value is inline: what its MessagePack would be is a part of the message's MessagePack.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgpack

from tofutypes.errors import Path, TypeConstraintError
from tofutypes.narrowing import is_list
from tofutypes.seasonings.errors import CallError, ErrorCode
from tofutypes.seasonings.rpc.messages import Params, pack

if TYPE_CHECKING:
    from tofutypes.types import Type


def to_inline(data: bytes) -> Any:
    """A value as a message holds it, of its MessagePack."""
    value: Any = msgpack.unpackb(data)
    return value


def of_inline(value: object) -> bytes:
    """The MessagePack of a value that a message held.

    Raises:
        CallError: If the value nests too deeply.
    """
    return bytes(pack(value))


def write_type(type: Type) -> object:
    """A type constraint as a message holds it: `["list", "string"]`."""
    return type.to_object()


def read_type(value: object, where: str = "type") -> Type:
    """The type constraint that a message held.

    Raises:
        CallError: If it is not a type constraint.
    """
    import orjson

    from tofutypes.type_parsing import parse_type

    try:
        return parse_type(orjson.dumps(value))
    except (TypeConstraintError, orjson.JSONEncodeError, RecursionError) as error:
        raise CallError(ErrorCode.INVALID_PARAMS, f"{where}: {error}") from None


def write_path(path: Path) -> list[str | int]:
    """A path as a message holds it: its steps, `["disk", 0, "size"]`."""
    return [step[0] for step in path.steps]


def text_param(params: Params, name: str) -> str:
    """A param that must be a string.

    Raises:
        CallError: If it is not.
    """
    value = params.get(name)
    if not isinstance(value, str):
        raise CallError(ErrorCode.INVALID_PARAMS, f"{name}: expected a string")
    return value


def optional_text_param(params: Params, name: str) -> str | None:
    """A param that may be missing or nil.

    Raises:
        CallError: If it is anything else than a string.
    """
    return None if params.get(name) is None else text_param(params, name)


def list_param(params: Params, name: str) -> list[object]:
    """A param that must be an array.

    Raises:
        CallError: If it is not.
    """
    value = params.get(name)
    if not is_list(value):
        raise CallError(ErrorCode.INVALID_PARAMS, f"{name}: expected a list")
    return value


def bytes_param(params: Params, name: str) -> bytes:
    """A param that must be binary; a string of UTF-8 is accepted, as some libraries send it.

    Raises:
        CallError: If it is neither.
    """
    value = params.get(name)
    if isinstance(value, str):
        return value.encode()
    if not isinstance(value, bytes):
        raise CallError(ErrorCode.INVALID_PARAMS, f"{name}: expected bytes")
    return value
