"""What pydantic's `model_dump` makes of the values of a field."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from pydantic import SerializationInfo

from tofutypes.dynamic import Dynamic
from tofutypes.errors import EncodeError
from tofutypes.sets import TofuSet
from tofutypes.unknown import Unknown


def dump(value: Any, info: SerializationInfo) -> Any:
    """The value with lists for sets; for JSON in what JSON has. Models are left to pydantic.

    Raises:
        EncodeError: JSON is asked for and the value is unknown.
    """
    return _dump(value, info.mode == "json")


def _dump(value: Any, as_json: bool) -> Any:
    kind: type = value.__class__
    if kind in (list, tuple, TofuSet):
        dumped = [_dump(each, as_json) for each in value]
        return tuple(dumped) if kind is tuple else dumped
    if kind is dict:
        return {key: _dump(each, as_json) for key, each in value.items()}
    if not as_json:
        return value
    if isinstance(value, Unknown):
        raise EncodeError("JSON cannot represent unknown values")
    if isinstance(value, Decimal):
        return _json_number(value)
    if isinstance(value, Dynamic):
        return {"type": value.type.to_object(), "value": _dump(value.value, as_json)}
    return value


def _json_number(value: Decimal) -> float | str:
    """A float if that is the number to the last digit, else its digits."""
    as_float = float(value)
    return as_float if Decimal(repr(as_float)) == value else str(value)
