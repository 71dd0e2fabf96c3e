"""Conversion of the parts of schemas. Errors have the path of the part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from tofutypes.errors import AttributeStep, IndexStep, SchemaError
from tofutypes.schema.document_codecs import MisfitError
from tofutypes.schema.names import by_name

S = TypeVar("S")
T = TypeVar("T")


def step_into(name: str, convert: Callable[[S], T], part: S) -> T:
    """Convert a part; errors have its name in their path."""
    try:
        return convert(part)
    except MisfitError as error:
        raise error.at(AttributeStep(name)) from None


def convert_each(convert: Callable[[S], T], parts: Iterable[S]) -> tuple[T, ...]:
    """Convert parts in order; errors have the index in their path."""
    converted: list[T] = []
    for part in parts:
        try:
            converted.append(convert(part))
        except MisfitError as error:
            raise error.at(IndexStep(len(converted))) from None
    return tuple(converted)


def convert_named(convert: Callable[[S], T], parts: Iterable[tuple[str, S]]) -> Mapping[str, T]:
    """Convert parts by name, in the order of the names, as in documents.

    Raises:
        MisfitError: If a name occurs twice.
    """
    converted: dict[str, T] = {}
    for name, part in sorted(parts, key=lambda item: item[0]):
        if name in converted:
            raise MisfitError("the name occurs twice", [AttributeStep(name)])
        converted[name] = step_into(name, convert, part)
    try:
        return by_name(converted)
    except SchemaError as error:
        raise MisfitError(str(error)) from None
