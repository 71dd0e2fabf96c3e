"""Planned classes as source: one after the other, declared like classes written by hand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from tofutypes.errors import one_line
from tofutypes.models.class_plan import Base, ClassPlan, PlannedClass, PlannedField
from tofutypes.models.declarations import class_keywords, field_keywords, specifier
from tofutypes.models.labels import MARKER, class_label, field_label
from tofutypes.schema import Attribute, Block, IdentityAttribute, Schema
from tofutypes_codegen.annotations import Annotations
from tofutypes_codegen.layout import INDENT, WIDTH, annotated, bracketed, exploded
from tofutypes_codegen.literals import docstring, is_docstring, literal, quoted


def module_text(
    source: str,
    title: str,
    body: str,
    imports: Mapping[str, Iterable[str]] | None = None,
) -> str:
    """The text of a module.

    Args:
        source: The address of the provider.
        title: The docstring of the module.
        body: The statements of the module.
        imports: The imported names by module, in the order of the imports.
    """
    head = one_line(f"{MARKER} from {source}. Do not edit: generate it again.")
    # Python would take `coding:8443` for the encoding of the file.
    text = re.sub("coding([:=])", r"coding \1", head) + "\n" + docstring(title, "")
    for module, names in (imports or {}).items():
        sorted_names = sorted(names, key=lambda name: (name.islower(), not name.isupper(), name))
        line = f"from {module} import {', '.join(sorted_names)}"
        if len(line) > WIDTH:
            line = exploded(f"from {module} import (", sorted_names, ")")
        text += f"\n{line}\n"
    space = "\n\n" if body.startswith(("class ", "@")) else "\n"
    return f"{text}{space}{body}" if body else text


def models_text(source: str, title: str, plan: ClassPlan) -> str:
    """The text of the module with the classes of a plan."""
    annotations = Annotations(plan)
    classes = classes_text(plan, annotations)
    return module_text(source, title, classes, {"tofutypes.models": annotations.used})


def classes_text(plan: ClassPlan, annotations: Annotations) -> str:
    """The classes of a plan, then their aliases."""
    classes = list(plan.classes.values())
    text = "\n\n".join(_class_text(planned, annotations) for planned in classes)
    aliases = [f"{alias} = {planned.name}\n" for planned in classes for alias in planned.aliases]
    if aliases:
        text += "\n\n# Further names of classes that several blocks or objects share.\n"
        text += "".join(sorted(aliases))
    return text


def _class_text(planned: PlannedClass, annotations: Annotations) -> str:
    keywords = class_keywords(planned)
    description, label = _description(planned), class_label(planned.base.value, planned.type_name)
    if description is not None and is_docstring(description) and description != label:
        keywords.pop("description", None)
    arguments = [annotations.use(planned.base.value), *_written(keywords, annotations)]
    text = _deprecation(planned, annotations)
    text += bracketed(f"class {planned.name}(", arguments, "):") + "\n"
    text += docstring(description or "", INDENT) or docstring(label, INDENT)
    fields = [_field_text(field, planned, annotations) for field in planned.fields]
    if fields:
        text += "\n"
    # A field with a description is a paragraph.
    described = any(_field_description(field) for field in planned.fields)
    separator = "\n" if described else ""
    return text + separator.join(fields)


_DECORATED = (Base.RESOURCE, Base.DATA_SOURCE, Base.EPHEMERAL_RESOURCE)


def _deprecation(planned: PlannedClass, annotations: Annotations) -> str:
    """The decorator of a deprecated class.

    Blocks have none: type checkers would warn in the module itself, where annotations use them.
    """
    match planned.shape:
        case Schema(block=Block(deprecated=True) as block) if planned.base in _DECORATED:
            message = block.deprecation_message or f"{planned.type_name} is deprecated"
            return f"@{annotations.use('deprecated')}({quoted(message)})\n"
        case _:
            return ""


def _description(planned: PlannedClass) -> str | None:
    match planned.shape:
        case Schema(block=block) | (Block() as block):
            return block.description
        case _:
            return None


def _written(keywords: Mapping[str, object], annotations: Annotations) -> list[str]:
    written = [f"{name}={literal(value)}" for name, value in keywords.items()]
    if any("=StringKind." in text for text in written):
        annotations.use("StringKind")
    return written


_CONSTANTS: Final[Mapping[str, str]] = {
    "optional=True, default=None": "OPTIONAL",
    "computed=True, default=None": "COMPUTED",
    "optional=True, computed=True, default=None": "OPTIONAL_COMPUTED",
}
"""The short forms of the most frequent declarations, by their arguments."""


def _field_text(field: PlannedField, planned: PlannedClass, annotations: Annotations) -> str:
    keywords = field_keywords(field, planned)
    description, label = _field_description(field), field_label(field.part)
    text = f"{label} {description or ''}" if label else description or ""
    if description and is_docstring(text):
        keywords.pop("description", None)
    annotation = annotations.of_field(field)
    head = f"{INDENT}{field.python_name}: {annotation.name}{'[' if annotation.types else ''}"
    value, arguments = specifier(field), _written(keywords, annotations)
    constant = _CONSTANTS.get(", ".join(arguments)) if value == "Attr" else None
    if arguments:
        annotations.use(constant or value)
    declaration = annotated(
        head, annotation.types, constant or value, arguments if constant is None else None
    )
    return f"{declaration}\n{docstring(text, INDENT)}"


def _field_description(field: PlannedField) -> str | None:
    if isinstance(field.part, Attribute | IdentityAttribute):
        return field.part.description
    return None
