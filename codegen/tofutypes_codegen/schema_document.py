"""Schemas as the document that `tofu providers schema -json` prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import orjson

from tofutypes.schema.definitions import Function, Parameter, ProviderSchema
from tofutypes.schema.document import write_schemas


def document_text(schemas: Mapping[str, ProviderSchema]) -> str:
    """The document as JSON in one line.

    The document has no place for two things of the protocol, which are left out: whether a
    parameter of a function accepts unknown values, and the kind of the descriptions of functions.
    """
    printable = {address: _without_protocol_only(schema) for address, schema in schemas.items()}
    return orjson.dumps(write_schemas(printable)).decode()


def _without_protocol_only(schema: ProviderSchema) -> ProviderSchema:
    functions = {name: _plain_function(function) for name, function in schema.functions.items()}
    return replace(schema, functions=functions)


def _plain_function(function: Function) -> Function:
    variadic = function.variadic_parameter
    return replace(
        function,
        parameters=tuple(map(_plain_parameter, function.parameters)),
        variadic_parameter=None if variadic is None else _plain_parameter(variadic),
        description_kind=None,
    )


def _plain_parameter(parameter: Parameter) -> Parameter:
    return replace(parameter, allow_unknown_values=False, description_kind=None)
