"""Marks of what is sensitive: from paths of state files, and joined with what a schema says."""

from __future__ import annotations

import re
from typing import Any, Final

from tofutypes.documents.records import wrong
from tofutypes.models.secrets import mark_at
from tofutypes.narrowing import is_dict, is_list
from tofutypes.wire.layout import (
    CollectionLayout,
    DynamicBlocksLayout,
    Layout,
    ObjectLayout,
    TupleLayout,
)

Marks = dict[object, Any]


def marks_of_paths(paths: list[object], place: str) -> object:
    """Marks in the shape of the value, from the paths that a state file has.

    Elements of lists are keyed by position here. Of an element of a set, which has no such path,
    the whole set is marked.

    Args:
        paths: lists of steps: `[{"type": "get_attr", "value": "password"}]`.
        place: where they stand, for errors.

    Raises:
        DocumentError: If they are no such lists.
    """
    marks: Marks = {}
    for number, path in enumerate(paths):
        # Terraform 0.14 wrote a path of one step without the list around it.
        steps = path if is_list(path) else [path]
        keys = [_key(step, f"{place}[{number}]") for step in steps]
        usable = keys[: keys.index(None)] if None in keys else keys
        if not usable:
            return True
        inner = marks
        for key in usable[:-1]:
            following = inner.setdefault(key, {})
            if following is True:
                break
            inner = following
        else:
            inner[usable[-1]] = True
    return marks


def _key(step: object, place: str) -> str | int | None:
    """The key of a step; None for what has no key, such as an element of a set."""
    if not is_dict(step):
        raise wrong(place, "a step with type and value", step)
    value = step.get("value")
    if is_dict(value):  # with its type, as a dynamically typed value
        value = value.get("value")
    return value if isinstance(value, str | int) and not isinstance(value, bool) else None


_SECRET_NAME: Final = re.compile(
    r"(^|_)(password|passwd|passphrase|secret|secrets|token|credentials?"
    r"|(private|access|api|account|client|shared|auth|encryption|signing)_?key)s?(_|$)",
    re.IGNORECASE,
)


def looks_secret(name: object) -> bool:
    """Whether an attribute of this name probably is sensitive: `db_password`, `private_key_pem`.

    Asked for documents that do not say what is sensitive: of Terraform before 0.15, or cut down.
    """
    return isinstance(name, str) and _SECRET_NAME.search(name) is not None


def guessed_marks(value: object) -> object:
    """Marks of what probably is sensitive, by the names of attributes."""
    if is_dict(value):
        named = {n: looks_secret(n) or guessed_marks(inner) for n, inner in value.items()}
        return {name: mark for name, mark in named.items() if mark}
    if is_list(value):
        marks = {position: guessed_marks(inner) for position, inner in enumerate(value)}
        return {position: mark for position, mark in marks.items() if mark}
    return None


def with_schema_marks(value: object, marks: object, layout: Layout | None) -> object:
    """The marks of a plain value, with those of what the schema says is sensitive."""
    if marks is True or layout is None:
        return marks
    if isinstance(layout, DynamicBlocksLayout):
        layout = layout.blocks
    if is_dict(value):
        joined: Marks = dict(marks) if is_dict(marks) else {}
        for name, inner in value.items():
            mark, inner_layout = joined.get(name), None
            if isinstance(layout, ObjectLayout):
                field = next((field for field in layout.fields if field.name == name), None)
                if field is not None:
                    mark = field.sensitive or mark
                    inner_layout = field.layout
            elif isinstance(layout, CollectionLayout):
                inner_layout = layout.element
            if mark := with_schema_marks(inner, mark, inner_layout):
                joined[name] = mark
        return joined
    if is_list(value) and isinstance(layout, CollectionLayout | TupleLayout):
        joined_by_position: Marks = {}
        for position, inner in enumerate(value):
            element = (
                layout.element
                if isinstance(layout, CollectionLayout)
                else layout.elements[position]
                if position < len(layout.elements)
                else None
            )
            if mark := with_schema_marks(inner, mark_at(marks, position), element):
                joined_by_position[position] = mark
        return joined_by_position
    return marks
