"""Checks of functions: their schemas, results, errors, and that they are pure."""

from __future__ import annotations

from collections.abc import Mapping

import msgpack

from tofutypes.errors import TofuTypesError
from tofutypes.narrowing import is_dict
from tofutypes.schema import Function, Parameter
from tofutypes.seasonings.check.samples import known, refined
from tofutypes.seasonings.check.session import Session
from tofutypes.seasonings.errors import CallError, ErrorCode
from tofutypes.seasonings.protocol.values import of_inline, to_inline
from tofutypes.types import Type
from tofutypes.wire import decode_msgpack, encode_msgpack


async def check_functions(session: Session) -> None:
    """Check all functions that the plugin offers."""
    functions: Mapping[str, Function] = {}
    async with session.checking("functions/getSchema"):
        functions = await (await session.client()).functions()
        session.report.ok("functions/getSchema", f"{len(functions)} functions")
    for name, function in functions.items():
        await _check_function(session, name, function)
    async with session.checking("unknown function"):
        params: dict[str, object] = {"name": "no_such_function", "arguments": []}
        await session.expect_error("unknown function", "functions/call", params)


def _parameters(function: Function) -> list[Parameter]:
    variadic = [] if function.variadic_parameter is None else [function.variadic_parameter] * 2
    return [*function.parameters, *variadic]


async def _check_function(session: Session, name: str, function: Function) -> None:
    check = f"function {name}"
    parameters = _parameters(function)
    arguments = [_inline(parameter.type) for parameter in parameters]
    async with session.checking(check):
        first = await _call(session, check, name, arguments, function.return_type)
        second = await session.call("functions/call", {"name": name, "arguments": arguments})
        if first is not None and not isinstance(second, CallError):
            if msgpack.packb(second.get("result")) != msgpack.packb(first):
                advice = "Functions must be pure: the same arguments, the same result."
                session.report.fail(check, "two calls with the same arguments differ", advice)
            else:
                session.report.ok(f"{check}: pure")
    for position, parameter in enumerate(parameters):
        where = f"{check}: argument {position}"
        if parameter.allow_null_value:
            async with session.checking(f"{where}: null"):
                changed = _with(arguments, position, None)
                await _call(session, f"{where}: null", name, changed, function.return_type)
        if parameter.allow_unknown_values:
            async with session.checking(f"{where}: unknown"):
                unknown = encode_msgpack(refined(parameter.type), parameter.type)
                changed = _with(arguments, position, to_inline(unknown))
                await _call(session, f"{where}: unknown", name, changed, function.return_type)
        await _check_wrong_type(session, where, name, arguments, position)
    if function.parameters:
        async with session.checking(f"{check}: too few arguments"):
            params: dict[str, object] = {"name": name, "arguments": []}
            await session.expect_error(f"{check}: too few arguments", "functions/call", params)


async def _call(
    session: Session, check: str, name: str, arguments: list[object], type: Type
) -> object:
    """Call a function, and check that its result is of its type; None if it refuses."""
    answer = await session.call("functions/call", {"name": name, "arguments": arguments})
    if isinstance(answer, CallError):
        if answer.code == ErrorCode.INTERNAL:
            session.report.warn(check, f"internal error: {answer}")
        else:
            session.report.ok(check, f"refused: {answer}")
        return None
    if "result" not in answer:
        session.report.fail(check, 'no "result" in the answer', 'Answer {"result": value}.')
        return None
    try:
        decode_msgpack(of_inline(answer["result"]), type)
    except TofuTypesError as error:
        session.report.fail(check, f"the result is not of its type: {error}")
        return None
    session.report.ok(check)
    return answer["result"]


async def _check_wrong_type(
    session: Session, where: str, name: str, arguments: list[object], position: int
) -> None:
    check = f"{where}: wrong type"
    async with session.checking(check):
        # No type but dynamic is written so.
        params = {"name": name, "arguments": _with(arguments, position, {"no": ["such", "type"]})}
        answer = await session.call("functions/call", params)
        if not isinstance(answer, CallError):
            session.report.warn(check, "accepted", "Check the types of arguments.")
        elif not is_dict(answer.data) or answer.data.get("argument") != position:
            advice = 'Put its position into the error: data: {"argument": 0}.'
            session.report.warn(check, "the error does not say which argument", advice)
        else:
            session.report.ok(check)


def _with(arguments: list[object], position: int, value: object) -> list[object]:
    return [*arguments[:position], value, *arguments[position + 1 :]]


def _inline(type: Type) -> object:
    return to_inline(encode_msgpack(known(type), type))
