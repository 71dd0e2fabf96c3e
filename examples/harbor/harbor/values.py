"""What handlers do with values that are always there."""

from __future__ import annotations

from typing import Any, TypeVar, overload

from tofutypes import Number, Unknown, UnknownValueError, is_known

T = TypeVar("T")


@overload
def given(value: int | Unknown | None) -> int: ...
@overload
def given(value: Number | Unknown | None) -> Number: ...
@overload
def given(value: T | Unknown | None) -> T: ...
def given(value: Any) -> Any:
    """The value of what is always there, such as the id of an object that exists.

    Raises:
        UnknownValueError: it is null or unknown.
    """
    if value is None or not is_known(value):
        raise UnknownValueError("a known value is required")
    return value
