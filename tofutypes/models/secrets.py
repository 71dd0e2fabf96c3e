"""Values that are shown nowhere: what a schema says is sensitive, and what a document marks so.

A plan or a state marks values of its own: a password that a configuration puts into an attribute
which is not sensitive. Marks have the shape of the value they belong to: `True` for a sensitive
value, else marks by name, or marks by position in a list or a dict.
"""

from __future__ import annotations

from typing import Final

from tofutypes.narrowing import has_attributes, is_dict, is_list
from tofutypes.sets import is_tofu_set, parsed_elements
from tofutypes.unknown import Unknown

MARKS: Final = "__tofu_marks__"
"""Where an instance of a model holds its marks: a key of its `__dict__`, which is no field."""


class Secret:
    """What is shown instead of a sensitive value."""

    def __repr__(self) -> str:
        return "(sensitive)"


SECRET: Final = Secret()


def has_marks(marks: object) -> bool:
    """Whether marks say that anything is sensitive."""
    if marks is True:
        return True
    if is_dict(marks):
        return any(map(has_marks, marks.values()))
    return is_list(marks) and any(map(has_marks, marks))


def mark_at(marks: object, key: object) -> object:
    """The mark of a member or an element."""
    if is_dict(marks):
        return marks.get(key)
    if is_list(marks) and isinstance(key, int):
        return marks[key] if key < len(marks) else None
    return marks is True


def masked(value: object, marks: object) -> object:
    """The value to be shown: what is marked is replaced. Models mask their own repr."""
    if marks is True:
        return SECRET
    if not marks or has_attributes(value):
        return value
    if is_dict(value):
        return {key: masked(inner, mark_at(marks, key)) for key, inner in value.items()}
    if is_list(value):
        return [masked(inner, mark_at(marks, n)) for n, inner in enumerate(value)]
    if is_tofu_set(value) and all(map(_masks_itself, value)):
        return value
    return SECRET if has_marks(marks) else value


def _masks_itself(element: object) -> bool:
    return element is None or has_attributes(element) or isinstance(element, Unknown)


def attach_marks(value: object, marks: object) -> None:
    """Let a model, and the models inside it, hide in their repr what is marked.

    To be called before sets are looked at, while their elements stand as in the document.
    """
    if not marks or marks is True:
        return
    if has_attributes(value) and is_dict(marks):
        # Documents have many marks that say nothing: `{"disk": [{}, {}], "tags": {}}`.
        if told := {name: mark for name, mark in marks.items() if has_marks(mark)}:
            vars(value)[MARKS] = told
            attributes = value.__tofu_attributes__()
            for name, mark in told.items():
                attach_marks(attributes.get(str(name)), mark)
    elif is_dict(value):
        for key, inner in value.items():
            attach_marks(inner, mark_at(marks, key))
    else:
        elements = parsed_elements(value) if is_tofu_set(value) else value
        if is_list(elements):
            for position, inner in enumerate(elements):
                attach_marks(inner, mark_at(marks, position))
