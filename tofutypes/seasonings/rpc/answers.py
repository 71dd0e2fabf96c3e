"""Params and errors in every form that peers use.

The RFC has maps. msgpack-rpc itself has an array of params, and any object as an error: Neovim
sends the map alone in an array, and errors as `[code, text]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tofutypes.errors import describe, one_line
from tofutypes.narrowing import is_dict, is_list
from tofutypes.seasonings.errors import CallError, ErrorCode

_LONGEST: Final = 2000
"""Characters of an error's message; a longer one is cut off."""


def read_params(params: object) -> tuple[Mapping[str, object], bool]:
    """The params of a call, and whether they were in an array.

    Raises:
        CallError: If they are not a map with string keys.
    """
    in_array = is_list(params)
    if is_list(params):
        if len(params) > 1:
            raise CallError(
                ErrorCode.INVALID_PARAMS, f"params: expected one map, got {len(params)} values"
            )
        params = params[0] if params else None
    if params is None:
        return {}, in_array
    if not is_dict(params):
        raise CallError(ErrorCode.INVALID_PARAMS, f"params: expected a map, got {describe(params)}")
    read: dict[str, object] = {}
    for key, value in params.items():
        if not isinstance(key, str):
            raise CallError(
                ErrorCode.INVALID_PARAMS, f"params: expected string keys, got {describe(key)}"
            )
        read[key] = value
    return read, in_array


def write_error(error: CallError) -> dict[str, object]:
    """An error as it is sent."""
    return {
        "code": int(error.code),
        "message": error.message.encode("utf-8", "backslashreplace").decode(),
        "data": error.data,
    }


def read_error(error: object) -> CallError:
    """The error that a peer answered, in any of the three forms."""
    if isinstance(error, str):
        return CallError(ErrorCode.INTERNAL, _text(error))
    if is_list(error) and len(error) == 2 and isinstance(error[1], str):
        code, message = error
        return CallError(_code(code), _text(message))
    if is_dict(error):
        message = error.get("message")
        text = _text(message) if isinstance(message, str) else "an error without a message"
        return CallError(_code(error.get("code")), text, error.get("data"))
    return CallError(ErrorCode.INTERNAL, f"an error that is {describe(error)}")


def _code(code: object) -> int:
    return code if isinstance(code, int) and not isinstance(code, bool) else ErrorCode.INTERNAL


def _text(message: object) -> str:
    text = one_line(str(message))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
