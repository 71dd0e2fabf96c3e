"""Strings that mean the same in several spellings, ready-made.

    class Server(Resource, type_name="nimbus_server"):
        policy: Attr[JsonText] = Attr(required=True)
        network: Attr[IpNetwork | None] = Attr(optional=True, default=None)

On the wire such an attribute is a string. Text that is not valid is an error of validation.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from ipaddress import ip_address, ip_network
from typing import Annotated, Final, TypeAlias

from tofutypes.narrowing import is_mapping, is_sequence
from tofutypes.provider.objchange.attribute_rules import SemanticEquality
from tofutypes.wire import json


def canonical_json(text: str) -> Hashable:
    """Return what JSON means: white space, the order of keys and spellings of numbers aside."""
    return _frozen(json.parse(text))


def _frozen(value: object) -> Hashable:
    if is_mapping(value):
        return "object", frozenset((str(key), _frozen(each)) for key, each in value.items())
    if is_sequence(value):
        return "array", tuple(map(_frozen, value))
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        return "number", value
    return type(value).__name__, str(value)


_TIME: Final = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII
)


def canonical_time(text: str) -> Hashable:
    """Return the moment of an RFC 3339 time, whatever its zone and its digits."""
    match = _TIME.fullmatch(text)
    if match is None:
        raise ValueError("not an RFC 3339 time")
    day, clock, fraction, zone = match.groups()
    zone = "+00:00" if zone in "Zz" else zone
    try:
        moment = datetime.fromisoformat(f"{day}T{clock}{zone}").astimezone(UTC)
    except OverflowError:
        raise ValueError("the time is outside the years 1 to 9999") from None
    return moment, Decimal(f"0{fraction}").normalize() if fraction else Decimal(0)


_UNITS: Final = {
    "ns": Decimal("1e-9"),
    "us": Decimal("1e-6"),
    "µs": Decimal("1e-6"),
    "μs": Decimal("1e-6"),
    "ms": Decimal("1e-3"),
    "s": Decimal(1),
    "m": Decimal(60),
    "h": Decimal(3600),
}
_DURATION: Final = re.compile(
    r"[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)", re.ASCII
)
_SEGMENT: Final = re.compile(r"(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)", re.ASCII)


def parse_duration(text: str) -> timedelta:
    """Return the length of a duration as Go writes it: `1h30m`, `250ms`, `-1.5s`.

    Raises:
        ValueError: If the text is not a duration.
    """
    return timedelta(seconds=float(_seconds(text)))


def _seconds(text: str) -> Decimal:
    if not _DURATION.fullmatch(text):
        raise ValueError("not a duration such as 1h30m")
    seconds = sum(
        (Decimal(number) * _UNITS[unit] for number, unit in _SEGMENT.findall(text)), Decimal(0)
    )
    return -seconds if text.startswith("-") else seconds


def _canonical_network(text: str) -> Hashable:
    return ip_network(text, strict=False)


JsonText: TypeAlias = Annotated[str, SemanticEquality(canonical_json, "JSON")]
"""JSON: white space, the order of keys and spellings of numbers do not matter."""

Timestamp: TypeAlias = Annotated[
    str, SemanticEquality(canonical_time, "a time such as 2030-01-31T12:00:00Z (RFC 3339)")
]
"""An RFC 3339 time: the time zone does not matter."""

IpAddress: TypeAlias = Annotated[str, SemanticEquality(ip_address, "an IP address")]
"""An address of IP version 4 or 6: `::1` and `0:0:0:0:0:0:0:1` are the same."""

IpNetwork: TypeAlias = Annotated[
    str, SemanticEquality(_canonical_network, "an IP network such as 10.0.0.0/8")
]
"""A network of IP version 4 or 6: the bits behind the prefix do not matter."""

CaseInsensitive: TypeAlias = Annotated[str, SemanticEquality(str.casefold)]
"""Text in which upper and lower case are the same, such as a host name."""

Duration: TypeAlias = Annotated[str, SemanticEquality(_seconds, "a duration such as 1h30m")]
"""A duration as Go writes it: `90m` and `1h30m` are the same."""
