"""The order in which the reference writes the elements of a set that are no primitives.

It sorts them by a text that it makes of each to find duplicates. Source: observed, go-cty 1.18.1,
over all sets of the conformance vectors; its author calls the order consistent but undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Context, Decimal
from typing import Any, Final, TypeAlias, TypeVar

from tofutypes.numbers import normalize_number
from tofutypes.types import (
    BOOL,
    NUMBER,
    STRING,
    CollectionType,
    MapType,
    ObjectType,
    SetType,
    TupleType,
    Type,
)
from tofutypes.unknown import Unknown
from tofutypes.values import Dynamic, has_attributes

T = TypeVar("T")

Key: TypeAlias = Callable[[Any], str]

_UNKNOWN: Final = "?"
_NULL: Final = "~"


def in_set_order(elements: Iterable[T], type: Type) -> list[T]:
    """The elements of a set as the reference writes them.

    Args:
        elements: the elements, in any order.
        type: their type, which is not primitive.
    """
    text = _key(type)

    def key(element: T) -> tuple[bool, bool, str]:
        return element is None, isinstance(element, Unknown), text(element)

    return sorted(elements, key=key)


def _key(type: Type) -> Key:
    """What makes the text of a value of a type; it is kept with the type."""
    kept: Key | None = vars(type).get("set_key")
    if kept is not None:
        return kept
    known = _known_key(type)

    def key(value: Any) -> str:
        if value is None:
            return _NULL
        return _UNKNOWN if isinstance(value, Unknown) else known(value)

    vars(type)["set_key"] = key
    return key


def _known_key(type: Type) -> Key:
    match type:
        case ObjectType(attributes=attributes):
            return _object_key({name: _key(each) for name, each in sorted(attributes.items())})
        case TupleType(elements=elements):
            keys = [_key(each) for each in elements]
            return lambda value: (
                "<" + "".join(f"{key(each)};" for key, each in zip(keys, value, strict=False)) + ">"
            )
        case MapType(element=element):
            inner = _key(element)
            return lambda value: (
                "{" + "".join(f"{_quoted(key)}:{inner(value[key])};" for key in sorted(value)) + "}"
            )
        case SetType(element=element):
            return _set_key(element)
        case CollectionType(element=element):
            inner = _key(element)
            return lambda value: "[" + "".join(f"{inner(each)};" for each in value) + "]"
        case _:
            return _PRIMITIVE.get(type, _dynamic)


def _object_key(attributes: dict[str, Key]) -> Key:
    def key(value: Any) -> str:
        held = value.__tofu_attributes__() if has_attributes(value) else value
        return "<" + "".join(f"{each(held[name])};" for name, each in attributes.items()) + ">"

    return key


def _set_key(element: Type) -> Key:
    inner = _key(element)
    primitive = element in _PRIMITIVE  # which are in order already

    def key(value: Any) -> str:
        elements = value if primitive else in_set_order(value, element)
        return "[" + "".join(f"{inner(each)};" for each in elements) + "]"

    return key


def _dynamic(value: Any) -> str:
    return _key(value.type)(value.value) if isinstance(value, Dynamic) else _UNKNOWN


_ESCAPES: Final = {
    ord(character): f"\\{letter}"
    for character, letter in zip('"\\\a\b\f\n\r\t\v', '"\\abfnrtv', strict=True)
}


def _quoted(text: str) -> str:
    """The text as Go's `%q` writes it."""
    if text.isprintable():
        plain = text.translate(_ESCAPES) if '"' in text or "\\" in text else text
    else:
        plain = "".join(map(_escaped, text))
    return f'"{plain}"'


def _escaped(character: str) -> str:
    code = ord(character)
    if code in _ESCAPES:
        return _ESCAPES[code]
    if character.isprintable():
        return character
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


_DIGITS: Final = Context(prec=10)


def _number(value: Any) -> str:
    """The number as Go's `big.Float` prints it: with ten digits."""
    number = Decimal(normalize_number(value))
    if not number.is_finite():
        return "+Inf" if number > 0 else "-Inf"
    sign, digits, exponent = number.normalize(_DIGITS).as_tuple()
    assert isinstance(exponent, int)
    written = "".join(map(str, digits))
    point = len(written) + exponent
    if -4 < point <= _DIGITS.prec:
        return format(number.normalize(_DIGITS), "f")
    fraction = f".{written[1:]}" if len(written) > 1 else ""
    minus = "-" if sign else ""
    return f"{minus}{written[0]}{fraction}e{'-' if point < 1 else '+'}{abs(point - 1):02d}"


_PRIMITIVE: Final[dict[Type, Key]] = {
    STRING: _quoted,
    NUMBER: _number,
    BOOL: lambda value: "T" if value else "F",
}
