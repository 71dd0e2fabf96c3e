"""Places inside of a resource: parsed from text and from documents, and looked up in values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from tofutypes.errors import (
    AttributeStep,
    DocumentError,
    IndexStep,
    KeyStep,
    Path,
    Step,
    describe,
)
from tofutypes.models.secrets import mark_at
from tofutypes.narrowing import is_dict, is_list, is_sequence
from tofutypes.path_text import read_path_text
from tofutypes.types import MapType
from tofutypes.wire.layout import (
    CollectionLayout,
    DynamicBlocksLayout,
    Layout,
    ObjectLayout,
    TupleLayout,
)

PathLike: TypeAlias = str | Path | Sequence[str | int]
"""A `Path`, its text (`disk[0].size`, `tags["Name"]`), or its steps as documents write them."""


def to_path(path: PathLike) -> Path:
    """The path that is meant.

    Raises:
        DocumentError: If it is none.
    """
    if isinstance(path, Path):
        return path
    if not isinstance(path, str):
        return path_of(path, None, "path")
    parsed = read_path_text(path)
    if parsed is None:
        raise DocumentError(f"expected a path such as disk[0].size, got {path[:80]!r}")
    return parsed


def path_of(steps: object, layout: Layout | None, place: str) -> Path:
    """The path that a document writes as a list of names, keys and positions.

    Args:
        steps: the list.
        layout: of the resource, which tells keys of maps from attributes; None if not known.
        place: where it stands, for errors.

    Raises:
        DocumentError: If it is no such list.
    """
    if not is_sequence(steps):
        raise DocumentError(f"{place}: expected a list of steps, got {describe(steps)}")
    path: list[Step] = []
    for step in steps:
        if isinstance(step, str):
            in_map = isinstance(layout, CollectionLayout) and isinstance(layout.type, MapType)
            path.append(KeyStep(step) if in_map else AttributeStep(step))
        elif isinstance(step, int) and not isinstance(step, bool):
            path.append(IndexStep(step))
        else:
            # An element of a set, which is addressed by its value: what is inside has no path.
            break
        layout = layout_at(layout, path[-1])
    return Path(tuple(path))


def layout_at(layout: Layout | None, step: Step) -> Layout | None:
    """The layout of what a step leads to; None where it is not known."""
    match layout:
        case DynamicBlocksLayout(blocks=blocks):
            return layout_at(blocks, step)
        case ObjectLayout(fields=fields):
            return next((field.layout for field in fields if field.name == step[0]), None)
        case CollectionLayout(element=element):
            return element
        case TupleLayout(elements=elements) if isinstance(step, IndexStep):
            return elements[step.position] if step.position < len(elements) else None
        case _:
            return None


def step_into(value: object, step: Step) -> object:
    """What is at a step inside of JSON; None if nothing is."""
    if is_dict(value):
        return value.get(step[0])
    if is_list(value) and isinstance(step, IndexStep):
        return value[step.position] if 0 <= step.position < len(value) else None
    return None


def is_marked(marks: object, path: Path) -> bool:
    """Whether marks say `true` of the value at a path, or of a value that holds it."""
    for step in path.steps:
        if marks is True:
            return True
        marks = mark_at(marks, step[0])
    return marks is True


def marks_at(marks: object, path: Path) -> object:
    """The marks of the value at a path: `True`, or the marks of its parts."""
    for step in path.steps:
        if marks is True:
            return True
        marks = mark_at(marks, step[0])
    return marks


def is_schema_sensitive(layout: Layout | None, path: Path) -> bool:
    """Whether the schema says that the value at a path, or one that holds it, is sensitive."""
    for step in path.steps:
        inner = layout.blocks if isinstance(layout, DynamicBlocksLayout) else layout
        if isinstance(inner, ObjectLayout):
            field = next((field for field in inner.fields if field.name == step[0]), None)
            if field is not None and field.sensitive:
                return True
        layout = layout_at(layout, step)
    return False


def visible(path: Path, marks: object) -> Path:
    """The path without what is inside of a sensitive value, whose keys may be secrets too."""
    for length, step in enumerate(path.steps):
        if marks is True:
            return Path(path.steps[:length])
        marks = mark_at(marks, step[0])
    return path
