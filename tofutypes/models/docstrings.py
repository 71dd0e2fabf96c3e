"""Descriptions: the docstrings of classes and of their fields.

A description stands once in the code of a model: as the docstring of the class, or as the docstring
below a field, where readers and editors look for it. It is read from there when somebody asks,
which costs importing nothing. Where a docstring cannot hold a description to the letter, the class
statement or the field has it as `description=`.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaValue

from tofutypes.models.field_spec import FieldSpec
from tofutypes.models.model_info import ModelInfo


def text_of(docstring: str) -> str:
    """The text that a docstring stands for: without indentation and trailing spaces."""
    return "\n".join(line.rstrip() for line in inspect.cleandoc(docstring).split("\n")).strip()


def description_of(cls: type[BaseModel], info: ModelInfo) -> str | None:
    """The description of a class; None if it has none."""
    if info.description is not None:
        return info.description
    for each in _own_classes(cls):
        docstring = each.__doc__ or _docstrings(each).get("")
        if docstring:
            return text_of(docstring)
    return None


def field_descriptions(cls: type[BaseModel]) -> dict[str, str]:
    """The descriptions of the fields of a class, by Python name, as far as they have one."""
    specs = {name: FieldSpec.of(field) for name, field in cls.model_fields.items()}
    found: dict[str, str] = {}
    for each in reversed(list(_own_classes(cls))):
        found |= _docstrings(each)
    described: dict[str, str] = {}
    for name, spec in specs.items():
        description = found.get(name) if spec.description is None else spec.description
        if description is not None:
            described[name] = description
    return described


def _own_classes(cls: type[BaseModel]) -> Iterator[type]:
    """The class and its bases, up to those of this library."""
    for each in cls.__mro__:
        if each.__module__.startswith("tofutypes.models."):
            return
        if issubclass(each, BaseModel):
            yield each


def _docstrings(cls: type) -> Mapping[str, str]:
    """The docstrings in the source of one class, by field; its own under ""."""
    module = sys.modules.get(cls.__module__)
    if module is None:
        return {}
    try:
        source = inspect.getsource(module)
    except (OSError, TypeError):
        # A class of a notebook or of a prompt is not in its module's file.
        return _docstrings_without_file(cls)
    return _docstrings_of_source(source).get(cls.__qualname__, {})


def _docstrings_without_file(cls: type) -> Mapping[str, str]:
    try:
        source = inspect.cleandoc("\n" + inspect.getsource(cls))
    except (OSError, TypeError):
        return {}
    return _docstrings_of_source(source).get(cls.__name__, {})


@lru_cache(maxsize=32)
def _docstrings_of_source(source: str) -> dict[str, dict[str, str]]:
    """The docstrings in a module, by qualified name of the class and by field."""
    try:
        return dict(_walk(ast.parse(source), ""))
    except SyntaxError:
        return {}


def _walk(parent: ast.AST, prefix: str) -> Iterator[tuple[str, dict[str, str]]]:
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, ast.ClassDef):
            yield f"{prefix}{node.name}", _in_class(node)
            yield from _walk(node, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _walk(node, f"{prefix}{node.name}.<locals>.")
        else:
            yield from _walk(node, prefix)


def _in_class(node: ast.ClassDef) -> dict[str, str]:
    found = {"": docstring} if (docstring := ast.get_docstring(node)) else {}
    field: str | None = None
    for statement in node.body:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name)):
                field = name
                continue
            case ast.Expr(value=ast.Constant(value=str(text))) if field is not None:
                found[field] = text_of(text)
            case _:
                pass
        field = None
    return found


def describe_properties(schema: JsonSchemaValue, cls: type[BaseModel], info: ModelInfo) -> None:
    """Put what the provider's schema says of a class and its fields into its JSON schema."""
    if description := description_of(cls, info):
        schema["description"] = description
    else:
        schema.pop("description", None)
    if info.deprecated:
        schema["deprecated"] = True
    descriptions = field_descriptions(cls)
    specs = {name: FieldSpec.of(field) for name, field in cls.model_fields.items()}
    properties = schema["properties"]
    by_alias = all(spec.wire_name(name) in properties for name, spec in specs.items())
    for name, spec in specs.items():
        said = {
            "description": descriptions.get(name),
            "deprecated": spec.deprecated,
            "readOnly": spec.computed and not spec.optional,
            "writeOnly": spec.write_only,
        }
        properties[spec.wire_name(name) if by_alias else name].update(
            {key: value for key, value in said.items() if value}
        )
