"""Calls of functions. Source: the protocol, `CallFunction`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tofutypes.errors import IndexStep, InvalidValueError, TofuTypesError
from tofutypes.models import ProviderFunction
from tofutypes.provider.messages.diagnostics import ProviderError, sendable
from tofutypes.provider.messages.values import NULL, is_null
from tofutypes.provider.proto.tfplugin6_pb2 import CallFunction, DynamicValue, FunctionError
from tofutypes.provider.server.running import Runner
from tofutypes.provider.server.telling import diagnostics_of


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
    try:
        result = function.call(lambda *given: run(function(*given)), arguments)
        answer.result.CopyFrom(DynamicValue(msgpack=result))
    except BaseException as error:  # noqa: BLE001  # whatever the author's code raises
        answer.error.CopyFrom(_function_error(error, f"function {request.name}", len(arguments)))
    return answer


def _packed(argument: DynamicValue) -> bytes:
    # OpenTofu leaves a null argument out altogether, Terraform sends null.
    return NULL if is_null(argument) else argument.msgpack


def _function_error(error: BaseException, what: str, count: int) -> FunctionError:
    text, argument = _told_of(error, what)
    told = FunctionError(text=sendable(text).removesuffix("."))  # Terraform puts one behind it
    if argument in range(count):
        told.function_argument = argument
    return told


def _told_of(error: BaseException, what: str) -> tuple[object, int]:
    """What is wrong, and with which argument; -1 if with none."""
    match error:
        case ArgumentError(argument=argument):
            return error.diagnostics[0].summary, argument
        case InvalidValueError() if error.path and isinstance(error.path.steps[0], IndexStep):
            return error.message, error.path.steps[0].position
        case TofuTypesError() if not isinstance(error, ProviderError):
            return str(error), -1
        case _:
            told = (f"{each.summary}: {each.detail}" for each in diagnostics_of(error, what))
            return "; ".join(each.removesuffix(": ") for each in told), -1
