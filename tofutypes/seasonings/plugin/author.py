"""Calls of the author's code, which may be `async` and may raise anything."""

from __future__ import annotations

import asyncio
import inspect
import logging
import os
import sysconfig
import traceback
from collections.abc import Callable
from pathlib import Path as FilePath
from typing import Any, Final

from tofutypes.errors import IndexStep, InvalidValueError, TofuTypesError
from tofutypes.seasonings.errors import CallError, ErrorCode
from tofutypes.seasonings.protocol.values import write_path
from tofutypes.seasonings.rpc.handlers import Call

_LIBRARY: Final = str(FilePath(__file__).parents[2])
_FOREIGN: Final = (sysconfig.get_path("stdlib"), _LIBRARY)

_HARMLESS: Final = (AttributeError, ImportError, NameError, SyntaxError, TypeError)
"""Errors whose messages name things of the program, and hold no value."""

log: Final = logging.getLogger("tofutypes.seasonings")


class ArgumentError(CallError):
    """Raised by a function about one of its arguments.

    Args:
        message: what is wrong with the argument.
        argument: its position, from 0; variadic arguments count one by one.
    """

    def __init__(self, message: str, argument: int) -> None:
        self.argument: Final = argument
        super().__init__(ErrorCode.INVALID_PARAMS, message, {"argument": argument})

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return type(self), (self.message, self.argument)


def run_author(call: Call, function: Callable[..., Any], *arguments: object) -> Any:
    """Call the author's code, and wait in this thread if it is `async`."""
    result = function(*arguments)
    if inspect.isawaitable(result):

        async def wait() -> Any:
            return await result

        return asyncio.run_coroutine_threadsafe(wait(), call.loop).result()
    return result


def error_of(raised: BaseException, what: str) -> CallError:
    """What the host is told of an exception of the author's code.

    Args:
        raised: the exception.
        what: what was called: `function presigned_url`.
    """
    if isinstance(raised, CallError):
        return raised
    if isinstance(raised, InvalidValueError):
        data = {"path": write_path(raised.path)}
        return CallError(ErrorCode.INTERNAL, f"{what}: {raised}", data)
    if isinstance(raised, TofuTypesError):
        return CallError(ErrorCode.INTERNAL, f"{what}: {raised}")
    log.error("%s raised an exception", what, exc_info=raised)
    message = f": {raised}" if isinstance(raised, _HARMLESS) else ""
    text = f"{what}: raised {type(raised).__name__}{place_of(raised)}{message}"
    return CallError(ErrorCode.INTERNAL, text)


def place_of(error: BaseException) -> str:
    """Where in the author's code an exception was raised: ` (policy.py, line 12)`."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if not frame.filename.startswith(_FOREIGN) and "site-packages" not in frame.filename:
            return f" ({os.path.basename(frame.filename)}, line {frame.lineno})"  # noqa: PTH119
    return ""


def argument_error(error: InvalidValueError) -> CallError:
    """The error for an argument that does not fit its type."""
    steps = error.path.steps
    if not steps or not isinstance(steps[0], IndexStep):
        return CallError(ErrorCode.INVALID_PARAMS, str(error))
    data = {"argument": steps[0].position, "path": write_path(error.path)[1:]}
    inner = type(error)(error.message, steps[1:])
    return CallError(ErrorCode.INVALID_PARAMS, str(inner), data)
