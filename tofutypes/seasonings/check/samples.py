"""Values of any type: what a plugin gets to see in the checks."""

from __future__ import annotations

from collections.abc import Iterator

from tofutypes.dynamic import Dynamic
from tofutypes.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    STRING,
    CollectionType,
    MapType,
    ObjectType,
    TupleType,
    Type,
)
from tofutypes.unknown import UNKNOWN, Unknown
from tofutypes.wire import Value, encode_msgpack

EVERYTHING = ObjectType(
    {
        "text": STRING,
        "size": NUMBER,
        "on": BOOL,
        "any": DYNAMIC,
        "tags": MapType(STRING),
        "disks": TupleType((ObjectType({"size": NUMBER}), STRING)),
    }
)
"""A type of a resource with everything that the wire format has."""


def known(type: Type) -> Value:
    """A known value of a type."""
    match type:
        case CollectionType() as collection:
            inner = known(collection.element)
            return {"key": inner} if isinstance(collection, MapType) else [inner]
        case TupleType(elements):
            return tuple(map(known, elements))
        case ObjectType():
            return {name: known(inner) for name, inner in type.attributes.items()}
        case _:
            pass
    if type == DYNAMIC:
        return Dynamic("text", STRING)
    if type == BOOL:
        return True
    return 3 if type == NUMBER else "text"


def refined(type: Type) -> Unknown:
    """An unknown value of a type, with refinements where the type has any."""
    match type:
        case CollectionType():
            return Unknown(not_null=True, min_length=1, max_length=5)
        case _ if type == STRING:
            return Unknown(not_null=True, prefix="arn:")
        case _ if type == NUMBER:
            return Unknown(not_null=True, lower=1, upper=10, upper_inclusive=False)
        case _ if type == DYNAMIC:
            return UNKNOWN
        case _:
            return Unknown(not_null=True)


def objects() -> Iterator[tuple[str, bytes]]:
    """Values of `EVERYTHING` as MessagePack, each with what it is."""
    attributes = EVERYTHING.attributes
    values: dict[str, Value] = {
        "known values": known(EVERYTHING),
        "null values": dict.fromkeys(attributes),
        "unknown values": dict.fromkeys(attributes, UNKNOWN),
        "unknown values with refinements": {
            name: refined(inner) for name, inner in attributes.items()
        },
        "a number of 40 digits": {**dict.fromkeys(attributes), "size": 10**39 + 1},
        "a string of 1 MiB": {**dict.fromkeys(attributes), "text": "x" * (1 << 20)},
    }
    for what, value in values.items():
        yield what, encode_msgpack(value, EVERYTHING)
