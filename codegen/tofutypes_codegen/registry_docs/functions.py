"""The sections "Signature" and "Arguments" of the page of a function."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tofutypes.schema import Function, Parameter
from tofutypes.types import (
    CollectionType,
    ListType,
    MapType,
    ObjectType,
    SetType,
    TupleType,
    Type,
)
from tofutypes_codegen.registry_docs.schema_section import one_paragraph, type_text

_COLLECTIONS: Final[Mapping[type[CollectionType], str]] = {
    ListType: "list",
    SetType: "set",
    MapType: "map",
}


def signature(name: str, function: Function) -> str:
    """The signature as a code block: `join(separator string, parts string...) string`."""
    parameters = [
        f"{parameter.name} {_type_name(parameter.type)}" for parameter in function.parameters
    ]
    if function.variadic_parameter is not None:
        variadic = function.variadic_parameter
        parameters.append(f"{variadic.name} {_type_name(variadic.type)}...")
    line = f"{name}({', '.join(parameters)}) {_type_name(function.return_type)}"
    return f"```text\n{line}\n```"


def arguments(function: Function) -> str:
    """The arguments as a numbered list."""
    lines = [_argument(parameter, "") for parameter in function.parameters]
    if function.variadic_parameter is not None:
        lines.append(_argument(function.variadic_parameter, "Variadic, "))
    return "\n".join(lines)


def _argument(parameter: Parameter, mark: str) -> str:
    nullable = ", Nullable" if parameter.allow_null_value else ""
    kind = f"{mark}{type_text(parameter.type)}{nullable}"
    return f"1. `{parameter.name}` ({kind}) {one_paragraph(parameter.description)}".rstrip()


def _type_name(type_: Type) -> str:
    """The type in go-cty's friendly words: `list of string`."""
    if isinstance(type_, CollectionType):
        return f"{_COLLECTIONS[type(type_)]} of {_type_name(type_.element)}"
    if isinstance(type_, TupleType):
        return "tuple"
    if isinstance(type_, ObjectType):
        return "object"
    return str(type_.to_json()).strip('"')
