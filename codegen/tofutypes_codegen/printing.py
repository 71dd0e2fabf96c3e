"""Schemas as the document that `providers schema -json` prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import orjson

from tofutypes.schema.definitions import Function, Parameter, ProviderSchema
from tofutypes.schema.document import write_schemas


def print_schemas(schemas: Mapping[str, ProviderSchema]) -> str:
    """The document, in one line.

    What no document has, the protocol alone, is left out: whether functions are called with
    unknown arguments, and of what kind their descriptions are.
    """
    printable = {address: _printable(schema) for address, schema in schemas.items()}
    return orjson.dumps(write_schemas(printable)).decode()


def _printable(schema: ProviderSchema) -> ProviderSchema:
    functions = {name: _printable_function(each) for name, each in schema.functions.items()}
    return replace(schema, functions=functions)


def _printable_function(function: Function) -> Function:
    variadic = function.variadic_parameter
    return replace(
        function,
        parameters=tuple(map(_printable_parameter, function.parameters)),
        variadic_parameter=None if variadic is None else _printable_parameter(variadic),
        description_kind=None,
    )


def _printable_parameter(parameter: Parameter) -> Parameter:
    return replace(parameter, allow_unknown_values=False, description_kind=None)
