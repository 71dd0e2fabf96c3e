"""Values of fields as `model_dump` returns them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

from pydantic import SerializationInfo

from tofutypes.dynamic import Dynamic
from tofutypes.errors import EncodeError
from tofutypes.narrowing import is_dict
from tofutypes.sets import TofuSet
from tofutypes.unknown import Unknown

_RAISE: Final = object()


def dump(value: Any, info: SerializationInfo) -> Any:
    """Turn sets into lists and, for JSON, numbers and dynamic values into JSON values.

    Models are left to pydantic. With `context={"unknown": MARKER}` the marker stands for every
    unknown value.

    Raises:
        EncodeError: If a value is unknown, the mode is `json` and there is no marker.
    """
    context: object = info.context
    marker = context.get("unknown", _RAISE) if is_dict(context) else _RAISE
    return _dump(value, info.mode == "json", marker)


def _dump(value: Any, as_json: bool, marker: object) -> Any:
    kind: type = value.__class__
    if kind in (list, tuple, TofuSet):
        elements = [_dump(element, as_json, marker) for element in value]
        return tuple(elements) if kind is tuple else elements
    if kind is dict:
        return {key: _dump(element, as_json, marker) for key, element in value.items()}
    if isinstance(value, Unknown):
        if marker is not _RAISE:
            return marker
        if as_json:
            raise EncodeError("JSON cannot represent unknown values")
    if not as_json:
        return value
    if isinstance(value, Decimal):
        return _json_number(value)
    if isinstance(value, Dynamic):
        return {"type": value.type.to_object(), "value": _dump(value.value, as_json, marker)}
    return value


def _json_number(value: Decimal) -> float | str:
    """A float if it is exactly the number, else its digits as a string."""
    as_float = float(value)
    return as_float if Decimal(repr(as_float)) == value else str(value)
