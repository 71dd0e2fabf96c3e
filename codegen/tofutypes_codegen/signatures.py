"""Provider functions as source: declarations with typed signatures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields

from tofutypes.models.class_plan import plan_models
from tofutypes.models.functions import Parameter
from tofutypes.models.names import function_names, parameter_names
from tofutypes.schema import Function
from tofutypes.schema import Parameter as ParameterSchema
from tofutypes.schema.frozen_dict import EMPTY
from tofutypes.types import Type
from tofutypes_codegen.annotations import Annotations
from tofutypes_codegen.layout import INDENT, WIDTH, bracketed, broken, exploded
from tofutypes_codegen.literals import docstring, is_docstring, literal
from tofutypes_codegen.render import classes_text, module_text

_TEXTS = ("summary", "description", "description_kind", "deprecation_message", "extra")


def functions_text(source: str, title: str, functions: Mapping[str, Function]) -> str:
    """The text of the module with the functions of a provider."""
    names = function_names(functions)
    plan = plan_models(types=_types(functions), avoid=names.values())
    annotations = Annotations(plan)
    parts = [classes_text(plan, annotations)] if plan.classes else []
    parts += [
        _function_text(name, names[name], function, annotations)
        for name, function in sorted(functions.items())
    ]
    typing = {"Annotated"} & annotations.used
    imports: dict[str, Iterable[str]] = {"typing": typing} if typing else {}
    imports["tofutypes.models"] = annotations.used - typing
    return module_text(source, title, "\n\n".join(parts), imports)


def _types(functions: Mapping[str, Function]) -> Iterator[tuple[str, Type]]:
    """The types of parameters and results, each with a name for its object types."""
    for name, function in sorted(functions.items()):
        yield f"{name}_result", function.return_type
        for parameter in _parameters(function):
            yield f"{name}_{parameter.name}", parameter.type


def _parameters(function: Function) -> list[ParameterSchema]:
    variadic = function.variadic_parameter
    return [*function.parameters, *([variadic] if variadic is not None else [])]


def _function_text(
    name: str, python_name: str, function: Function, annotations: Annotations
) -> str:
    annotations.use("function")
    description = function.description
    texts = {
        field.name: getattr(function, field.name)
        for field in fields(Function)
        if field.name in _TEXTS and getattr(function, field.name) not in (None, EMPTY)
    }
    if description is not None and is_docstring(description):
        texts.pop("description", None)
    if name != python_name:
        texts = {"name": name, **texts}
    if function.description_kind is not None:
        annotations.use("StringKind")
    keywords = [f"{key}={literal(value)}" for key, value in texts.items()]
    text = bracketed("@function(", keywords, ")") + "\n"
    result = f"{annotations.read(function.return_type)} | None"
    text += _head(python_name, _parameter_texts(function, annotations), result) + "\n"
    return f"{text}{docstring(description or '', INDENT)}{INDENT}raise NotImplementedError\n"


def _head(python_name: str, parameters: list[str], result: str) -> str:
    head, tail = f"def {python_name}(", f") -> {result}:"
    line = f"{head}{', '.join(parameters)}{tail}"
    if len(line) <= WIDTH and "\n" not in line:
        return line
    if len(tail if parameters else line) > WIDTH:
        tail = f") -> (\n{INDENT}{broken(result, INDENT)}\n):"
    return exploded(head, parameters, tail) if parameters else head + tail


def _parameter_texts(function: Function, annotations: Annotations) -> list[str]:
    parameters = _parameters(function)
    names = parameter_names([parameter.name for parameter in parameters])
    texts: list[str] = []
    for name, parameter in zip(names, parameters, strict=True):
        star = "*" if parameter is function.variadic_parameter else ""
        texts.append(f"{star}{name}: {_parameter_type(star + name, parameter, annotations)}")
    return texts


def _parameter_type(name: str, parameter: ParameterSchema, annotations: Annotations) -> str:
    type_ = annotations.read(parameter.type)
    if parameter.allow_unknown_values:
        type_ += f" | {annotations.use('Unknown')}"
    if parameter.allow_null_value:
        type_ += " | None"
    plain = Parameter()
    details = {
        field.name: getattr(parameter, field.name)
        for field in fields(Parameter)
        if getattr(parameter, field.name) != getattr(plain, field.name)
    }
    if parameter.name == name.removeprefix("*"):
        details.pop("name")
    if not details:
        return broken(type_, INDENT, ",", f"{name}: ")
    if parameter.description_kind is not None:
        annotations.use("StringKind")
    annotations.use("Annotated")
    keywords = [f"{key}={literal(value)}" for key, value in details.items()]
    metadata = f"{annotations.use('Parameter')}({', '.join(keywords)})"
    line = f"Annotated[{type_}, {metadata}]"
    indent = INDENT
    if len(f"{indent}{name}: {line},") <= WIDTH:
        return line
    metadata = bracketed(f"{indent}{INDENT}Parameter(", keywords, ")", f"{indent}{INDENT}").lstrip()
    return exploded("Annotated[", [broken(type_, INDENT * 2, ","), metadata], "]", indent)
