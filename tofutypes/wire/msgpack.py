"""MessagePack, as the provider protocol carries values: exactly the bytes that go-cty writes.

Source: the wire format document, "Schema-driven MessagePack"; each deviation of go-cty from
it that we follow is noted where it stands.
"""

from __future__ import annotations

import threading
from decimal import Decimal
from functools import lru_cache
from typing import Any, ClassVar, Final

import msgpack

from tofutypes.errors import (
    DecodeError,
    EncodeError,
    IndexStep,
    InvalidValueError,
    TypeConstraintError,
    expected,
)
from tofutypes.limits import current_limits
from tofutypes.narrowing import is_list, is_number
from tofutypes.nesting import depth_limit, too_deep
from tofutypes.numbers import (
    FEW_DIGITS,
    Float64,
    Number,
    number_from_float64,
    number_to_wire,
    parse_number,
)
from tofutypes.text import normalize_string
from tofutypes.type_parsing import parse_type
from tofutypes.types import NUMBER, Type, without_optional
from tofutypes.unknown import UNKNOWN, Unknown
from tofutypes.wire.checks import NO_MEMORY_TO_DECODE, NO_MEMORY_TO_ENCODE, size_error
from tofutypes.wire.encodings import EncodedReading, EncodedWriting, read_pair
from tofutypes.wire.layout import Layout
from tofutypes.wire.reading import reader
from tofutypes.wire.unknown_extension import extension_to_unknown, unknown_to_extension
from tofutypes.wire.writing import writer


class _Reading(EncodedReading):
    name: ClassVar[str] = "msgpack"

    def read_string(self, value: object) -> object:
        # go-cty accepts binary for a string too.
        if isinstance(value, bytes):
            try:
                return normalize_string(value.decode())
            except UnicodeDecodeError:
                raise InvalidValueError("invalid UTF-8 in a string") from None
        return super().read_string(value)

    def read_number(self, value: object) -> object:
        if isinstance(value, str):
            return parse_number(value)
        if isinstance(value, float):
            return number_from_float64(value)
        if is_number(value):
            return value
        return self.read_other(value, NUMBER)

    def read_dynamic(self, value: object) -> object:
        if isinstance(value, Unknown | msgpack.Timestamp):
            return UNKNOWN
        if not is_list(value):
            raise expected("a pair of type and value", value)
        if len(value) != 2:
            raise InvalidValueError(f"expected a pair of type and value, got {len(value)} elements")
        type_json, content = value
        if not isinstance(type_json, bytes | str):
            raise expected("a type constraint", type_json).at(IndexStep(0))
        return read_pair(_type_of(type_json), content, self)

    def read_other(self, value: object, type_: Type) -> object:
        # The parser itself turns the extension -1 into this; to the protocol it is an unknown
        # value as every extension.
        return super().read_other(UNKNOWN if isinstance(value, msgpack.Timestamp) else value, type_)


class _Writing(EncodedWriting):
    name: ClassVar[str] = "msgpack"

    def write_number(self, value: object) -> object:
        if value.__class__ is Decimal:
            # A fraction in the usual notation, as most are, is its own text.
            text = str(value)
            if "." in text and text[-1] != "0" and "E" not in text and len(text) < FEW_DIGITS:
                if text[-1] != "5":  # the digits of every fraction that a float equals end in 5
                    return text
                nearest = float(text)
                return nearest if nearest == value else text
        elif isinstance(value, Float64):
            return float(value)
        return super().write_number(value)

    def pair_form(self, type_: Type, form: object) -> object:
        return [type_.to_json().encode(), form]

    def number_form(self, value: Number) -> object:
        return number_to_wire(value)

    def unknown_form(self, value: Unknown) -> object:
        return unknown_to_extension(value)

    def sort_keys(self, forms: list[object]) -> list[bytes]:
        try:
            return list(map(_packers.pack, forms))
        except ValueError:  # as in `_pack`, which takes a call for each
            raise too_deep() from None


READING: Final = _Reading()
WRITING: Final = _Writing()


def _type_of(type_json: bytes | str) -> Type:
    text = type_json.encode() if isinstance(type_json, str) else type_json
    try:
        if len(text) <= _SHORT:
            return _short_type(text, current_limits().depth)
        return without_optional(parse_type(text))
    except TypeConstraintError:
        raise InvalidValueError("invalid type constraint").at(IndexStep(0)) from None


_SHORT: Final = 1024
"""The bytes of what no limit forbids, and of types that are remembered."""


@lru_cache(maxsize=1024)
def _short_type(text: bytes, depth: int) -> Type:
    """The type of a text, remembered; for each limit of depth anew."""
    return without_optional(parse_type(text))


def decode(data: bytes | bytearray | memoryview, layout: Layout) -> Any:
    """Read one value.

    Raises:
        DecodeError: If the bytes are not MessagePack, or do not fit the layout. The message has
            the path.
    """
    try:
        return (layout.compiled.get(READING) or reader(layout, READING))(_unpack(data))
    except InvalidValueError as error:
        raise DecodeError(error.message, error.path.steps) from None
    except RecursionError:
        raise DecodeError(too_deep().message) from None
    except MemoryError:
        raise DecodeError(NO_MEMORY_TO_DECODE) from None


def encode(value: object, layout: Layout) -> bytes:
    """Write one value.

    Raises:
        EncodeError: If the value does not fit the layout. The message has the path.
    """
    try:
        return _pack((layout.compiled.get(WRITING) or writer(layout, WRITING))(value))
    except InvalidValueError as error:
        raise EncodeError(error.message, error.path.steps) from None
    except RecursionError:
        raise EncodeError(too_deep().message) from None
    except MemoryError:
        raise EncodeError(NO_MEMORY_TO_ENCODE) from None


def _unpack(data: bytes | bytearray | memoryview) -> object:
    try:
        if len(data) > _SHORT:
            if len(data) > (most := current_limits().size):
                raise size_error(most, len(data))
            if _ARRAY_16 in data or _ARRAY_32 in data:
                _check_claims(data)
        return msgpack.unpackb(data, ext_hook=extension_to_unknown)
    except msgpack.ExtraData:
        raise InvalidValueError("trailing data after the value") from None
    except msgpack.StackError:
        raise InvalidValueError(f"MessagePack is nested too deeply ({depth_limit()})") from None
    except InvalidValueError:
        raise
    except UnicodeDecodeError:
        raise InvalidValueError("invalid UTF-8 in a string") from None
    except (ValueError, msgpack.UnpackException) as error:
        if "map key" in str(error):
            raise InvalidValueError("expected a string as key, got another kind of key") from None
        raise InvalidValueError("truncated or malformed MessagePack") from None
    except (TypeError, BufferError):  # BufferError: a view of other items than bytes
        raise expected("bytes", data) from None


def _check_claims(data: bytes | bytearray | memoryview) -> None:
    """Raise unless all the elements are there that arrays claim to have.

    The parser makes room for an array before it has seen the elements, and arrays that are nested
    claim the same bytes again and again: 65 kB cost 80 MB. To skip over the value makes no room,
    and takes a twentieth of the time.

    Raises:
        ValueError, msgpack.UnpackException: If elements are missing.
    """
    unpacker = msgpack.Unpacker(max_buffer_size=max(len(data), 1), read_size=1)
    unpacker.feed(data)
    unpacker.skip()


_ARRAY_16: Final = 0xDC
_ARRAY_32: Final = 0xDD


class _Packers(threading.local):
    """A packer for each thread: making one takes longer than packing a small value."""

    def __init__(self) -> None:
        self.renew()

    def renew(self) -> None:
        self.pack = msgpack.Packer().pack


_packers: Final = _Packers()
_LARGE: Final = 1 << 20


def _pack(form: object) -> bytes:
    try:
        packed: bytes = _packers.pack(form)
    except ValueError:
        # All else that the encoder refuses was refused by the writers.
        raise too_deep() from None
    if len(packed) > _LARGE:  # or the packer would keep so much memory for good
        _packers.renew()
    return packed
