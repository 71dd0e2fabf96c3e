"""The order in which go-cty writes the elements of a set that are not primitives.

go-cty sorts such elements by the text that it hashes to find duplicates. Source: observed, go-cty
1.18.1, over all sets of the conformance vectors. Its author calls the order consistent, but
undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from decimal import Context, Decimal
from typing import Any, Final, TypeAlias, TypeVar, cast

import msgpack
import orjson

from tofutypes.comparison import is_wholly_known
from tofutypes.dynamic import Dynamic
from tofutypes.narrowing import has_attributes, is_list
from tofutypes.numbers import Float64, exact_value
from tofutypes.type_parsing import parse_type
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
from tofutypes.wire.format import Writing

T = TypeVar("T")

Key: TypeAlias = Callable[[Any], str]
Runs: TypeAlias = list[Sequence[int]]

_UNKNOWN: Final = "?"
_NULL: Final = "~"
_LAST: Final = frozenset({_UNKNOWN, _NULL})
_UNKNOWN_CLASSES: Final = frozenset({Unknown, msgpack.ExtType})


def in_set_order(elements: Iterable[T], type: Type) -> list[T]:
    """The elements of a set in the order of go-cty, unknown ones and then null last.

    Args:
        elements: the elements, in any order: values, or what a format writes for them.
        type: their type, which is not primitive.
    """
    items = list(elements)
    runs = _runs(list(map(_attributes, items)), type)
    return [items[position] for run in runs for position in run]


def sorted_forms(
    target: Writing, type: Type, elements: Collection[object], forms: list[object]
) -> list[object]:
    """What a format writes for the elements of a set, in order; equal known elements are one.

    Unknown ones that differ in their refinements alone stay in the order given, as go-cty
    leaves them.

    Args:
        target: the format.
        type: the type of the elements, which is not primitive.
        elements: the elements.
        forms: what stands for each.
    """
    if len(forms) < 2:
        return forms
    if isinstance(type, ObjectType) and (ordered := _by_name(type, forms)):
        return ordered
    runs = _runs(forms, type)
    if len(runs) == len(forms):
        return [forms[position] for (position,) in runs]
    result: list[object] = []
    items = list(elements)
    for run in runs:
        if len(run) == 1 or not is_wholly_known(items[run[0]]):
            result += [forms[position] for position in run]
            continue
        # Known ones of equal text are equal, or differ in what it leaves out: digits, types.
        keys = target.sort_keys([forms[position] for position in run])
        by_bytes = dict(zip(keys, run, strict=True))
        result += [forms[by_bytes[key]] for key in sorted(by_bytes)]
    return result


def _by_name(type: ObjectType, forms: list[Any]) -> list[object] | None:
    """The forms of objects in order, if a string tells them apart that is their first attribute."""
    name = next(iter(type.attributes), None)
    if name is None or type.attributes[name] != STRING:
        return None
    try:
        forms_by_text = {_quoted(form[name]): form for form in forms}
    except (TypeError, AttributeError):  # null or unknown
        return None
    if len(forms_by_text) != len(forms):
        return None
    return [forms_by_text[text] for text in sorted(forms_by_text)]


def _runs(values: Sequence[Any], type: Type) -> Runs:
    """The positions of the values in order, those of equal text together."""
    if not isinstance(type, ObjectType) or not type.attributes:
        text = _key(type)
        texts = {at: _placed(text(value)) for at, value in enumerate(values)}
        return _grouped(texts)
    known = [at for at, value in enumerate(values) if _is_known(value)]
    runs = _runs_by_attributes(values, known, _attribute_keys(type))
    if len(known) < len(values):
        last = {at: value is None for at, value in enumerate(values) if not _is_known(value)}
        runs += _grouped(last)
    return runs


def _runs_by_attributes(
    values: Sequence[Any], positions: Sequence[int], attributes: Sequence[tuple[str, Key]]
) -> Runs:
    """Sort objects by one attribute, and those of equal text by the next ones.

    The text of an object is that of its attributes one after the other, but most objects differ
    in one of the first. Texts end in `;` because one number may be the beginning of another.
    """
    if len(positions) < 2 or not attributes:
        return [positions] if positions else []
    (name, text), *others = attributes
    runs = _grouped({at: f"{text(values[at][name])};" for at in positions})
    if len(runs) == len(positions):
        return runs
    finer = [_runs_by_attributes(values, run, others) for run in runs]
    return [run for several in finer for run in several]


def _grouped(places: Mapping[int, Any]) -> Runs:
    """The keys of a mapping in the order of its values, those of equal values together."""
    at: dict[Any, list[int]] = {}
    for position, place in places.items():
        at.setdefault(place, []).append(position)
    return [at[place] for place in sorted(at)]


def _placed(text: str) -> tuple[bool, str]:
    return text in _LAST, text


def _is_known(value: object) -> bool:
    return value is not None and value.__class__ not in _UNKNOWN_CLASSES


def _attribute_keys(type: ObjectType) -> Sequence[tuple[str, Key]]:
    kept: Sequence[tuple[str, Key]] | None = vars(type).get("set_keys")
    if kept is None:
        kept = [(name, _key(item)) for name, item in type.attributes.items()]
        vars(type)["set_keys"] = kept
    return kept


def _attributes(value: Any) -> Any:
    return value.__tofu_attributes__() if has_attributes(value) else value


def _key(type: Type) -> Key:
    """What makes the text of a value of a type; it is kept with the type."""
    kept: Key | None = vars(type).get("set_key")
    if kept is not None:
        return kept
    if type == STRING:
        return _string
    known = _known_key(type)

    def key(value: Any) -> str:
        if value is None:
            return _NULL
        return _UNKNOWN if value.__class__ in _UNKNOWN_CLASSES else known(value)

    vars(type)["set_key"] = key
    return key


def _known_key(type: Type) -> Key:
    match type:
        case ObjectType(attributes=attributes):
            return _object_key({name: _key(item) for name, item in sorted(attributes.items())})
        case TupleType(elements=elements):
            keys = [_key(item) for item in elements]
            return lambda value: (
                "<" + "".join(f"{key(item)};" for key, item in zip(keys, value, strict=False)) + ">"
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
            return lambda value: f"[{';'.join(map(inner, value))};]" if value else "[]"
        case _:
            return _PRIMITIVE.get(type, _dynamic)


def _object_key(attributes: dict[str, Key]) -> Key:
    def key(value: Any) -> str:
        held = _attributes(value)
        return "<" + "".join(f"{item(held[name])};" for name, item in attributes.items()) + ">"

    return key


def _set_key(element: Type) -> Key:
    inner = _key(element)
    primitive = element in _PRIMITIVE  # which are in order already

    def key(value: Any) -> str:
        elements = value if primitive else in_set_order(value, element)
        return "[" + "".join(f"{inner(item)};" for item in elements) + "]"

    return key


def _dynamic(value: Any) -> str:
    if isinstance(value, Dynamic):
        return _key(value.type)(value.value)
    if is_list(value):  # as MessagePack has it
        type_json, held = value
        return _key(parse_type(cast("bytes", type_json)))(held)
    return _key(parse_type(value["type"]))(value["value"])


def _string(value: Any) -> str:
    if isinstance(value, str):
        return _quoted(value)
    return _NULL if value is None else _UNKNOWN


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
    """The number, or what stands for it, as Go's `big.Float` prints it: with ten digits."""
    if isinstance(value, Float64):
        value = exact_value(value)
    number = Decimal(orjson.dumps(value).decode() if isinstance(value, orjson.Fragment) else value)
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
