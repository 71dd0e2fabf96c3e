"""JSON, as the provider protocol and the state carry values: exact to the last digit.

Source: the wire format document, "Schema-driven JSON". There is no way to write an unknown value.
State that an older version of a provider wrote need not match the schema of today: an attribute
that is missing is null, and primitive values convert (observed, go-cty 1.18.1).

Read with the standard library's parser, for it hands over the digits of numbers; orjson rounds
them to float64. Written with orjson.
"""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any, ClassVar, Final, NoReturn

import orjson

from tofutypes.errors import (
    AttributeStep,
    DecodeError,
    EncodeError,
    InvalidValueError,
    NumberError,
    Path,
    TypeConstraintError,
    expected,
)
from tofutypes.limits import current_limits
from tofutypes.narrowing import is_dict, is_list, is_number
from tofutypes.nesting import depth_limit, too_deep
from tofutypes.numbers import Number, number_to_text, parse_number
from tofutypes.text import escape_as_go
from tofutypes.type_parsing import parse_type
from tofutypes.types import NUMBER, Type, without_optional
from tofutypes.unknown import Unknown
from tofutypes.wire.checks import NO_MEMORY_TO_DECODE, NO_MEMORY_TO_ENCODE, size_error
from tofutypes.wire.encodings import EncodedReading, EncodedWriting, read_pair
from tofutypes.wire.layout import Layout
from tofutypes.wire.reading import reader
from tofutypes.wire.removed_attributes import drop_removed
from tofutypes.wire.writing import writer


class JsonReading(EncodedReading):
    """How values are read from parsed JSON."""

    name: ClassVar[str] = "json"
    missing_is_null: ClassVar[bool] = True

    def read_string(self, value: object) -> object:
        if isinstance(value, bool):
            return "true" if value else "false"
        if is_number(value):
            return number_to_text(value) if isinstance(value, int) else format(value, "f")
        return super().read_string(value)

    def read_number(self, value: object) -> object:
        if isinstance(value, str):
            return parse_number(value)
        if is_number(value):
            return value
        return self.read_other(value, NUMBER)

    def read_bool(self, value: object) -> object:
        if isinstance(value, str) and value in ("true", "false"):
            return value == "true"
        return super().read_bool(value)

    def read_dynamic(self, value: object) -> object:
        if not is_dict(value) or value.keys() != {"type", "value"}:
            raise InvalidValueError('expected an object with the keys "type" and "value"')
        return read_pair(_type_of(value["type"]), value["value"], self)


class _Writing(EncodedWriting):
    name: ClassVar[str] = "json"

    def pair_form(self, type_: Type, form: object) -> object:
        return {"value": form, "type": type_.to_object()}

    def number_form(self, value: Number) -> object:
        if isinstance(value, Decimal) and not value.is_finite():
            raise InvalidValueError("JSON cannot represent infinity")
        return orjson.Fragment(number_to_text(value))

    def unknown_form(self, value: Unknown) -> NoReturn:
        raise InvalidValueError("JSON cannot represent unknown values")

    def sort_keys(self, forms: list[object]) -> list[bytes]:
        return list(map(_dump, forms))


READING: Final = JsonReading()
WRITING: Final = _Writing()


def _type_of(source: object) -> Type:
    # Of a name the text, not the name: parse_type takes a string for the text of a type.
    text = json.dumps(source) if isinstance(source, str) else source
    if not isinstance(text, str) and not is_list(text):
        raise InvalidValueError("invalid type constraint").at(AttributeStep("type"))
    try:
        return without_optional(parse_type(text))
    except TypeConstraintError:
        raise InvalidValueError("invalid type constraint").at(AttributeStep("type")) from None


def decode(text: str | bytes | bytearray, layout: Layout, dropped: list[Path] | None = None) -> Any:
    """Read one value.

    Args:
        text: the JSON.
        layout: what it must be.
        dropped: takes the places of attributes that the layout does not have; without it, they
            are an error.

    Raises:
        DecodeError: If the text is not JSON or does not fit the layout. The message has the path.
    """
    try:
        value = parse(text)
        if dropped is not None:
            dropped += drop_removed(value, layout)
        return reader(layout, READING)(value)
    except InvalidValueError as error:
        raise DecodeError(error.message, error.path.steps) from None
    except RecursionError:
        raise DecodeError(too_deep().message) from None
    except MemoryError:
        raise DecodeError(NO_MEMORY_TO_DECODE) from None


def encode(value: object, layout: Layout) -> str:
    """Write one value.

    Raises:
        EncodeError: If the value does not fit the layout, is unknown or infinite.
    """
    try:
        return escape_as_go(_dump(writer(layout, WRITING)(value)).decode())
    except InvalidValueError as error:
        raise EncodeError(error.message, error.path.steps) from None
    except RecursionError:
        raise EncodeError(too_deep().message) from None
    except MemoryError:
        raise EncodeError(NO_MEMORY_TO_ENCODE) from None


def _dump(form: object) -> bytes:
    try:
        return orjson.dumps(form)
    except orjson.JSONEncodeError:
        # All else that orjson refuses was refused by the writers.
        raise too_deep() from None


def parse(text: str | bytes | bytearray) -> object:
    """The lists, dicts and leaves that JSON text stands for, with exact numbers.

    Raises:
        InvalidValueError: If the text is not JSON or is too long.
    """
    try:
        if len(text) > (most := current_limits().size):
            raise size_error(most, len(text))
        # Bytes are UTF-8 here; the parser would take UTF-16 and UTF-32 too.
        return json.loads(
            text if isinstance(text, str) else bytes(text).decode(),
            parse_float=parse_number,
            parse_int=_parse_integer,
            parse_constant=_refuse,
        )
    except InvalidValueError:
        raise
    except UnicodeDecodeError:
        raise InvalidValueError("invalid UTF-8 in JSON") from None
    except ValueError as error:
        place = (
            f" (line {error.lineno}, column {error.colno})"
            if isinstance(error, json.JSONDecodeError)
            else ""
        )
        raise InvalidValueError(f"invalid JSON{place}") from None
    except RecursionError:
        raise InvalidValueError(f"JSON is nested too deeply ({depth_limit()})") from None
    except TypeError:
        raise expected("JSON text", text) from None


def _parse_integer(text: str) -> Number:
    return int(text) if len(text) < 20 and text != "-0" else parse_number(text)


def _refuse(constant: str) -> NoReturn:
    raise NumberError(f"expected a number, got {constant}")
