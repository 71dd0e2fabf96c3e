"""Messages of msgpack-rpc: requests, responses and notifications, and their bytes.

Source: the MessagePack-RPC specification. What is a map here is the RFC's: params and errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import msgpack

from tofutypes.errors import one_line
from tofutypes.narrowing import is_dict, is_list
from tofutypes.seasonings.errors import CallError, ErrorCode
from tofutypes.seasonings.rpc.limits import MessageLimits

Params: TypeAlias = Mapping[str, object]

_REQUEST: Final = 0
_RESPONSE: Final = 1
_NOTIFICATION: Final = 2
_MAX_ID: Final = 0xFFFFFFFF
_START: Final = 64
"""The bytes in which kind and id of a message are."""


@dataclass(frozen=True, slots=True)
class Request:
    """A call: `[0, id, method, params]`.

    Attributes:
        params: the params as they came: a map, a map in an array, or what is neither.
    """

    id: int
    method: str
    params: object


@dataclass(frozen=True, slots=True)
class Response:
    """An answer: `[1, id, error, result]`.

    Attributes:
        id: None in an answer to a message of which the id could not be read.
    """

    id: int | None
    error: object
    result: object


@dataclass(frozen=True, slots=True)
class Notification:
    """A call without an answer: `[2, method, params]`."""

    method: str
    params: object


Message: TypeAlias = Request | Response | Notification


class InvalidMessageError(Exception):
    """A message that is well-formed or not, but none of msgpack-rpc.

    Attributes:
        error: what the sender is told.
        id: of the request, if it can be read.
        answered: the id of the response, if it is one and its id can be read.
    """

    def __init__(self, error: CallError, data: bytes | memoryview = b"") -> None:
        self.error: Final = error
        self.id, self.answered = salvage_ids(data)
        super().__init__(str(error))


def pack_request(id: int, method: str, params: object) -> bytes | memoryview:
    """The bytes of a request."""
    return pack([_REQUEST, id, method, params])


def pack_response(id: int | None, error: object, result: object) -> bytes | memoryview:
    """The bytes of a response."""
    return pack([_RESPONSE, id, error, result])


def pack_notification(method: str, params: object) -> bytes | memoryview:
    """The bytes of a notification."""
    return pack([_NOTIFICATION, method, params])


def pack(message: object) -> bytes | memoryview:
    """The bytes of anything that MessagePack can carry, without a second copy of them.

    Raises:
        CallError: If MessagePack cannot carry it.
    """
    packer = msgpack.Packer(autoreset=False)
    try:
        packer.pack(message)
    except (ValueError, TypeError, OverflowError) as error:
        if "recursion" in str(error):
            raise CallError(ErrorCode.LIMIT, "message is nested too deeply") from None
        raise CallError(
            ErrorCode.INTERNAL, f"message cannot be written as MessagePack: {one_line(str(error))}"
        ) from None
    except MemoryError:
        raise CallError(ErrorCode.LIMIT, "not enough memory to write the message") from None
    return packer.getbuffer()


def parse(data: bytes | memoryview, limits: MessageLimits) -> Message:
    """Read one message.

    Raises:
        InvalidMessageError: If it is not a message of msgpack-rpc.
    """
    try:
        return _message(_unpack(data, limits))
    except CallError as error:
        raise InvalidMessageError(error, data) from None


def _unpack(data: bytes | memoryview, limits: MessageLimits) -> object:
    try:
        message: object = msgpack.unpackb(data)
    except UnicodeDecodeError:
        raise CallError(ErrorCode.PARSE, "a string is not valid UTF-8") from None
    except MemoryError:
        raise CallError(ErrorCode.LIMIT, "not enough memory to read the message") from None
    except (ValueError, TypeError, OverflowError) as error:
        if "map key" in str(error):
            raise CallError(ErrorCode.PARSE, "expected maps with string keys") from None
        raise CallError(ErrorCode.PARSE, "invalid MessagePack") from None
    if len(data) > limits.depth and _deeper(message, limits.depth):
        raise CallError(
            ErrorCode.LIMIT, f"message is nested too deeply: the limit is {limits.depth} levels"
        )
    return message


def _deeper(value: object, limit: int) -> bool:
    """Whether arrays and maps nest deeper than so many levels."""
    level = [value]
    while level and limit >= 0:
        limit -= 1
        level = [part for container in level for part in _containers_in(container)]
    return bool(level)


def _containers_in(container: object) -> Iterator[object]:
    parts: Iterable[object] = ()
    if is_dict(container):
        parts = container.values()
    elif is_list(container):
        parts = container
    return (part for part in parts if part.__class__ is dict or part.__class__ is list)


def _message(message: object) -> Message:
    if not is_list(message):
        raise CallError(ErrorCode.INVALID_REQUEST, "expected a message, which is an array")
    kind = message[0] if message else None
    if kind.__class__ is int:
        match message:
            case [0, int(id), str(method), params] if _is_id(id):
                return Request(id, method, params)
            case [1, None | int() as id, error, result] if id is None or _is_id(id):
                return Response(id, error, result)
            case [2, str(method), params]:
                return Notification(method, params)
            case _:
                pass
    raise CallError(
        ErrorCode.INVALID_REQUEST,
        "expected [0, id, method, params], [1, id, error, result] or [2, method, params], "
        f"with an id from 0 to {_MAX_ID}",
    )


def _is_id(id: object) -> bool:
    return isinstance(id, int) and not isinstance(id, bool) and 0 <= id <= _MAX_ID


def salvage_ids(data: bytes | memoryview) -> tuple[int | None, int | None]:
    """The id of a request, and that of a response, in the first bytes of a broken message."""
    unpacker = msgpack.Unpacker()
    unpacker.feed(data[:_START])
    try:
        unpacker.read_array_header()
        kind: object = unpacker.unpack()
        id: object = unpacker.unpack()
    except (ValueError, TypeError, msgpack.UnpackException):
        return None, None
    if isinstance(kind, bool) or not isinstance(id, int) or not _is_id(id):
        return None, None
    return (id if kind == _REQUEST else None), (id if kind == _RESPONSE else None)
