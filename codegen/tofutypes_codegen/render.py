"""Planned classes as source: one after the other, each declared like one written by hand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from tofutypes.errors import one_line
from tofutypes.models.class_plan import ClassPlan, PlannedClass, PlannedField
from tofutypes.models.declarations import (
    class_keywords,
    field_keywords,
    is_nullable,
    nested_type,
    specifier,
)
from tofutypes.schema import Attribute, Block, IdentityAttribute, NestedBlock, Schema
from tofutypes_codegen.annotations import Annotations
from tofutypes_codegen.layout import INDENT, WIDTH, annotated, bracketed, exploded
from tofutypes_codegen.literals import docstring, is_docstring, literal
from tofutypes_codegen.output import MARKER


def module_text(
    source: str,
    title: str,
    body: str,
    imports: Mapping[str, Iterable[str]] | None = None,
) -> str:
    """The text of a module.

    Args:
        source: where it is generated from.
        title: its docstring.
        body: its statements.
        imports: what it imports, by module, in the order of the imports.
    """
    head = one_line(f"{MARKER} from {source}. Do not edit: generate it again.")
    # `coding:8443` would name an encoding to Python.
    text = re.sub("coding([:=])", r"coding \1", head) + "\n" + docstring(title, "")
    for module, names in (imports or {}).items():
        sorted_names = sorted(names, key=lambda name: (name.islower(), name))
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
    text = "\n\n".join(_class_text(each, annotations) for each in classes)
    aliases = [f"{alias} = {each.name}\n" for each in classes for alias in each.aliases]
    if aliases:
        text += "\n\n# Blocks and objects of the same shape as others, by their own names.\n"
        text += "".join(sorted(aliases))
    return text


def _class_text(planned: PlannedClass, annotations: Annotations) -> str:
    keywords = class_keywords(planned)
    description = _description(planned)
    if description is not None and is_docstring(description):
        keywords.pop("description", None)
    arguments = [annotations.use(planned.base.value), *_written(keywords, annotations)]
    text = bracketed(f"class {planned.name}(", arguments, "):") + "\n"
    said = docstring(description or "", INDENT)
    fields = [_field_text(each, annotations) for each in planned.fields]
    if said and fields:
        said += "\n"
    # A field with a docstring is a paragraph.
    apart = "\n" if any(field.endswith('"""\n') for field in fields) else ""
    return text + said + (apart.join(fields) or ("" if said else f"{INDENT}pass\n"))


def _description(planned: PlannedClass) -> str | None:
    match planned.shape:
        case Schema(block=block) | (Block() as block):
            return block.description
        case _:
            return None


def _written(keywords: Mapping[str, object], annotations: Annotations) -> list[str]:
    written = [f"{name}={literal(value)}" for name, value in keywords.items()]
    if any("=StringKind." in each for each in written):
        annotations.use("StringKind")
    return written


def _field_text(field: PlannedField, annotations: Annotations) -> str:
    keywords = field_keywords(field)
    description = _field_description(field)
    if description is not None and is_docstring(description):
        keywords.pop("description", None)
    declare = annotations.use(specifier(field))
    head = f"{INDENT}{field.python_name}: {declare}["
    types = _field_types(field, annotations)
    arguments = _written(keywords, annotations)
    text = annotated(head, types, declare, arguments)
    return f"{text}\n{docstring(description or '', INDENT)}"


def _field_description(field: PlannedField) -> str | None:
    if isinstance(field.part, Attribute | IdentityAttribute):
        return field.part.description
    return None


def _field_types(field: PlannedField, annotations: Annotations) -> list[str]:
    """What stands in the brackets: what reading gives and, if it is another, what writing takes."""
    if isinstance(field.part, NestedBlock):
        types = [annotations.class_of(field.part.block)]
    elif (nested := nested_type(field)) is not None:
        types = [annotations.read_nested(nested), annotations.write_nested(nested)]
    else:
        assert field.part.type is not None
        types = [annotations.read(field.part.type), annotations.write(field.part.type)]
    if types[0] == types[-1]:
        types = types[:1]
    return [f"{each} | None" for each in types] if is_nullable(field) else types
