"""The flat form of state that Terraform stored before 0.12: one map of strings.

`tags.%` is the number of keys of the map `tags`, `disk.#` the number of elements of the list or
set `disk`, `disk.0.size` an attribute of an element; the elements of a set stand under hashes.
Source: observed, Terraform's `hcl2shim` (`HCL2ValueFromFlatmap`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tofutypes.errors import DecodeError
from tofutypes.types import (
    DYNAMIC,
    CollectionType,
    ListType,
    MapType,
    ObjectType,
    PrimitiveType,
    SetType,
    TupleType,
    Type,
)

_UNKNOWN: Final = "74D93920-ED26-11E3-AC10-0800200C9A66"
"""What stood for an unknown value."""


def expand(flat: Mapping[str, str], type: Type) -> object:
    """The values of a flat map as JSON would have them: strings for all primitives.

    Args:
        flat: the map.
        type: the type of the whole.

    Raises:
        DecodeError: the map does not fit the type.
    """
    assert isinstance(type, ObjectType)
    return _object(flat, "", type)


def _object(flat: Mapping[str, str], prefix: str, type: ObjectType) -> dict[str, object]:
    return {name: _value(flat, prefix + name, each) for name, each in type.attributes.items()}


def _value(flat: Mapping[str, str], key: str, type: Type) -> object:
    match type:
        case ObjectType():
            return _object(flat, key + ".", type)
        case MapType():
            return _map(flat, key + ".", type)
        case ListType() | SetType():
            return _elements(flat, key + ".", type)
        case TupleType(elements=elements):
            count = _count(flat, key + ".#")
            if count is None:
                return None
            return [_value(flat, f"{key}.{at}", each) for at, each in enumerate(elements)]
        case PrimitiveType() if type != DYNAMIC:
            found = flat.get(key)
            return None if found == _UNKNOWN else found
        case _:
            raise DecodeError(f"{key}: the flat form of state has no dynamically typed values")


def _map(flat: Mapping[str, str], prefix: str, type: MapType) -> object:
    if _count(flat, prefix + "%") is None:
        return None
    keys = [key for key in flat if key.startswith(prefix) and key != prefix + "%"]
    # The rest of the key is one key of the map, with all the dots in it.
    return {key[len(prefix) :]: _value(flat, key, type.element) for key in keys}


def _elements(flat: Mapping[str, str], prefix: str, type: CollectionType) -> object:
    count = _count(flat, prefix + "#")
    if count is None:
        return None
    if isinstance(type, ListType):
        return [_value(flat, f"{prefix}{at}", type.element) for at in range(count)]
    found = (key[len(prefix) :].partition(".")[0] for key in flat if key.startswith(prefix))
    hashes = dict.fromkeys(each for each in found if each != "#")
    return [_value(flat, prefix + each, type.element) for each in hashes]


def _count(flat: Mapping[str, str], key: str) -> int | None:
    found = flat.get(key)
    if found is None or found == _UNKNOWN:
        return None
    if not found.isascii() or not found.isdigit() or int(found[:20]) > len(flat):
        raise DecodeError(f"{key}: expected the number of elements")
    return int(found)
