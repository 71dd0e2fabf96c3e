"""Descriptions: the docstrings of classes and of their fields.

The description of a schema is the docstring of the class, or the docstring below the field, where
readers and editors look for it. It is read from the source on demand, so that imports are not
slower. Where a docstring cannot hold a description exactly, the class statement or the field has
the keyword `description=`.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaValue

from tofutypes.models.field_spec import FieldSpec
from tofutypes.models.labels import (
    CLASS_LABELS,
    MARKER,
    class_label,
    field_label,
    without_label,
)
from tofutypes.models.model_info import ModelInfo


def text_of(docstring: str) -> str:
    """The text of a docstring, without indentation and trailing spaces."""
    return "\n".join(line.rstrip() for line in inspect.cleandoc(docstring).split("\n")).strip()


def description_of(cls: type[BaseModel], info: ModelInfo) -> str | None:
    """The description of a class; None if it has none."""
    if info.description is not None:
        return info.description
    for own_class in _own_classes(cls):
        docstring = own_class.__doc__ or _docstrings(own_class).get("")
        if docstring:
            text = text_of(docstring)
            return None if _is_generated(own_class) and _is_class_label(own_class, text) else text
    return None


def _is_class_label(cls: Any, docstring: str) -> bool:
    type_name: str | None = cls.__tofu_info__.type_name
    labels = (
        class_label(base.__name__, type_name)
        for base in cls.__mro__
        if base.__name__ in CLASS_LABELS
    )
    return docstring in labels


def field_descriptions(cls: type[BaseModel]) -> dict[str, str]:
    """The descriptions of the fields of a class, by Python name, as far as they have one."""
    specs = {name: FieldSpec.of(field) for name, field in cls.model_fields.items()}
    descriptions: dict[str, str] = {}
    for own_class in reversed(list(_own_classes(cls))):
        docstrings = _docstrings(own_class)
        generated = bool(docstrings) and _is_generated(own_class)
        for name in specs.keys() & docstrings.keys():
            docstring = docstrings[name]
            label = field_label(specs[name]) if generated else ""
            description = without_label(docstring, label) if label else docstring
            if description is not None:
                descriptions[name] = description
    descriptions |= {n: s.description for n, s in specs.items() if s.description is not None}
    return {name: descriptions[name] for name in specs if name in descriptions}


def _own_classes(cls: type[BaseModel]) -> Iterator[type]:
    """The class and its bases, up to the base classes of this library."""
    for base in cls.__mro__:
        if base.__module__.startswith("tofutypes.models."):
            return
        if issubclass(base, BaseModel):
            yield base


def _module_source(cls: type) -> str | None:
    module = sys.modules.get(cls.__module__)
    try:
        return None if module is None else inspect.getsource(module)
    except (OSError, TypeError):
        return None


def _is_generated(cls: type) -> bool:
    return (_module_source(cls) or "").startswith(MARKER)


def _docstrings(cls: type) -> Mapping[str, str]:
    """The docstrings in the source of one class, by field; its own under ""."""
    if cls.__module__ not in sys.modules:
        return {}
    source = _module_source(cls)
    if source is None:
        # A class of a notebook or of a prompt is not in the file of its module.
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
    """The docstrings in a module, by the qualified name of the class and by field."""
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
    docstrings = {"": docstring} if (docstring := ast.get_docstring(node)) else {}
    field: str | None = None
    for statement in node.body:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name)):
                field = name
                continue
            case ast.Expr(value=ast.Constant(value=str(text))) if field is not None:
                docstrings[field] = text_of(text)
            case _:
                pass
        field = None
    return docstrings


def describe_properties(schema: JsonSchemaValue, cls: type[BaseModel], info: ModelInfo) -> None:
    """Add descriptions, deprecation, `readOnly` and `writeOnly` to the JSON schema of a class."""
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
        annotations = {
            "description": descriptions.get(name),
            "deprecated": spec.deprecated,
            "readOnly": spec.computed and not spec.optional,
            "writeOnly": spec.write_only,
        }
        properties[spec.wire_name(name) if by_alias else name].update(
            {key: value for key, value in annotations.items() if value}
        )
