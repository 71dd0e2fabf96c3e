"""Values that may nest without end: their error, their `repr` and their deep copy."""

from __future__ import annotations

import copy
from typing import TypeVar

from tofutypes.errors import InvalidValueError
from tofutypes.limits import current_limits

T = TypeVar("T")


def too_deep() -> InvalidValueError:
    """The error for a value that nests deeper than the current limits allow."""
    return InvalidValueError(f"value is nested too deeply ({depth_limit()})")


def depth_limit() -> str:
    """The limit of depth, for a message."""
    return f"the limit is {current_limits().depth} levels"


def safe_repr(value: object) -> str:
    """The `repr` of a value, or a note that the value is nested too deeply."""
    try:
        return repr(value)
    except RecursionError:
        return "(nested too deeply to be shown)"


def deep_copy(value: T, memo: dict[int, object]) -> T:
    """The deep copy of a value.

    Raises:
        InvalidValueError: If the value is nested too deeply.
    """
    try:
        return copy.deepcopy(value, memo)
    except RecursionError:
        raise too_deep() from None
