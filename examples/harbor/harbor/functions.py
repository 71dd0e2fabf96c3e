"""The functions of the provider, such as `provider::harbor::join_name("-", "a", "b")`."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Annotated

from tofutypes import Attr, Number, Object, Parameter, function
from tofutypes.provider import ArgumentError

from .exact import add


@function(summary="Joins the parts of a name")
def join_name(
    separator: Annotated[str, Parameter(description="What stands between the parts.")],
    *parts: Annotated[str, Parameter(description="A part. Empty ones are left out.")],
) -> str:
    """Joins the parts of a name that are not empty."""
    for position, part in enumerate(parts, start=1):
        if separator and separator in part:
            raise ArgumentError("A part must not hold the separator", position)
    return separator.join(filter(None, parts))


class Position(Object):
    """A place at sea."""

    latitude: Attr[Number | None]
    longitude: Attr[Number | None]


@function(summary="Takes a position apart")
def parse_position(
    text: Annotated[str, Parameter(description="Latitude and longitude: `53.55,9.99`.")],
) -> Position:
    """Reads a latitude and a longitude in degrees, to the last digit."""
    try:
        latitude, longitude = map(Decimal, text.split(","))
    except (InvalidOperation, ValueError):
        raise ArgumentError("Two numbers with a comma between are required", 0) from None
    return Position(latitude=latitude, longitude=longitude)


@function(summary="Adds numbers without rounding")
def sum_exactly(*numbers: Annotated[Number, Parameter(description="A number.")]) -> Number:
    """Adds numbers without rounding: 0.1 and 0.2 are 0.3."""
    return add(numbers)
