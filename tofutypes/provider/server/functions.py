"""Calls of functions. Source: the protocol, `CallFunction`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tofutypes.errors import DecodeError, IndexStep, TofuTypesError
from tofutypes.models import ProviderFunction
from tofutypes.provider.messages.diagnostics import ProviderError, sendable
from tofutypes.provider.messages.dynamic_value import NULL, is_null
from tofutypes.provider.proto.tfplugin6_pb2 import CallFunction, DynamicValue, FunctionError
from tofutypes.provider.server.reporting import diagnostics_of
from tofutypes.provider.server.runner import Runner


class ArgumentError(ProviderError):
    """What a function refuses: raised by its code, about one of its arguments.

    Args:
        message: what is wrong with it.
        argument: its position, from 0; variadic arguments count one by one.
    """

    def __init__(self, message: str, argument: int) -> None:
        self.argument = argument
        super().__init__(message)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return type(self), (self.diagnostics[0].summary, self.argument)


def call_function(
    functions: Mapping[str, ProviderFunction[..., Any]], run: Runner, request: CallFunction.Request
) -> CallFunction.Response:
    """Call a function."""
    answer = CallFunction.Response()
    function = functions.get(request.name)
    if function is None:
        answer.error.text = f"There is no function {request.name}"
        return answer
    arguments = [_packed(each) for each in request.arguments]
    what = f"function {request.name}"

    def implementation(*given: Any) -> Any:
        try:
            return run(function(*given))
        except BaseException as error:  # noqa: BLE001  # whatever the author's code raises
            raise _AuthorsError(error) from None

    try:
        result = function.call(implementation, arguments)
        answer.result.CopyFrom(DynamicValue(msgpack=result))
    except _AuthorsError as raised:
        answer.error.CopyFrom(_error(*_told(raised.error, what), len(arguments)))
    except DecodeError as error:
        position = error.path.steps[0] if error.path else None
        argument = position.position if isinstance(position, IndexStep) else -1
        answer.error.CopyFrom(_error(error.message, argument, len(arguments)))
    except TofuTypesError as error:  # what the author's code gave is not of its type
        told = f"The provider is at fault: {what} gives another result than it declares: {error}"
        answer.error.CopyFrom(_error(told, -1, len(arguments)))
    return answer


class _AuthorsError(Exception):
    """What the author's code raised, apart from what is wrong with the arguments."""

    def __init__(self, error: BaseException) -> None:
        self.error = error
        super().__init__()


def _packed(argument: DynamicValue) -> bytes:
    # OpenTofu leaves a null argument out altogether, Terraform sends null.
    return NULL if is_null(argument) else argument.msgpack


def _error(text: object, argument: int, count: int) -> FunctionError:
    told = FunctionError(text=sendable(text).removesuffix("."))  # Terraform puts one behind it
    if argument in range(count):
        told.function_argument = argument
    return told


def _told(error: BaseException, what: str) -> tuple[object, int]:
    """What is wrong, and with which argument; -1 if with none."""
    if isinstance(error, ArgumentError):
        return error.diagnostics[0].summary, error.argument
    told = (f"{each.summary}: {each.detail}" for each in diagnostics_of(error, what))
    return "; ".join(each.removesuffix(": ") for each in told), -1
