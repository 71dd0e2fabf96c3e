"""Calls of functions. Source: the protocol, `CallFunction`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tofutypes.errors import DecodeError, IndexStep, TofuTypesError
from tofutypes.models import ProviderFunction
from tofutypes.provider.server.provider_bugs import PROVIDER_AT_FAULT
from tofutypes.provider.server.reporting import diagnostics_of
from tofutypes.provider.server.runner import Runner
from tofutypes.provider.service.diagnostics import ProviderError
from tofutypes.provider.service.requests import CallFunctionRequest
from tofutypes.provider.service.responses import CallFunctionResponse, FunctionError
from tofutypes.provider.service.wire_value import NULL, WireValue


class ArgumentError(ProviderError):
    """An error about one argument of a function, raised by the code of the function.

        raise ArgumentError("expected a host name", argument=0)

    Args:
        message: What is wrong with the argument.
        argument: Its position, from 0; variadic arguments count one by one.
    """

    def __init__(self, message: str, argument: int) -> None:
        self.argument = argument
        super().__init__(message)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return type(self), (self.diagnostics[0].summary, self.argument)


def call_function(
    functions: Mapping[str, ProviderFunction[..., Any]], run: Runner, request: CallFunctionRequest
) -> CallFunctionResponse:
    """Call a function."""
    function = functions.get(request.name)
    if function is None:
        return CallFunctionResponse(error=FunctionError(f"There is no function {request.name}"))
    # OpenTofu leaves a null argument out altogether, Terraform sends null.
    arguments = [NULL.msgpack if each.is_null else each.msgpack for each in request.arguments]
    what = f"function {request.name}"

    def implementation(*values: Any) -> Any:
        try:
            return run(function(*values))
        except BaseException as error:  # noqa: BLE001  # whatever the author's code raises
            raise _AuthorsError(error) from None

    try:
        return CallFunctionResponse(WireValue(function.call(implementation, arguments)))
    except _AuthorsError as raised:
        text, argument = _authors_message(raised.error, what)
    except DecodeError as error:
        step = error.path.steps[0] if error.path else None
        text, argument = error.message, step.position if isinstance(step, IndexStep) else -1
    except TofuTypesError as error:  # the result is not of its type
        text = f"{PROVIDER_AT_FAULT}: the result of {what} is not of its type: {error}"
        argument = -1
    text = text.removesuffix(".")  # Terraform adds one
    return CallFunctionResponse(
        error=FunctionError(text, argument if argument in range(len(arguments)) else None)
    )


class _AuthorsError(Exception):
    """An exception of the author's code, told apart from errors about the arguments."""

    def __init__(self, error: BaseException) -> None:
        self.error = error
        super().__init__()


def _authors_message(error: BaseException, what: str) -> tuple[str, int]:
    """Return the message, and the position of the argument that it is about or -1."""
    if isinstance(error, ArgumentError):
        return str(error.diagnostics[0].summary), error.argument
    messages = (f"{each.summary}: {each.detail}" for each in diagnostics_of(error, what))
    return "; ".join(each.removesuffix(": ") for each in messages), -1
