"""Outputs of the root module."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from tofutypes.documents.records import (
    Member,
    Record,
    read_flag,
    read_object,
    read_plain,
    read_text,
    wrong,
)
from tofutypes.errors import DocumentError, InvalidValueError, TypeConstraintError
from tofutypes.type_parsing import parse_type
from tofutypes.types import Type
from tofutypes.wire.json import READING
from tofutypes.wire.layout import layout_of_type
from tofutypes.wire.reading import reader


class OutputValue(Record):
    """An output of the root module.

    Attributes:
        is_sensitive: whether its value may not be shown.
        deprecated: why it should not be used any more.
    """

    member_names = frozenset({"value", "type"})
    is_sensitive = Member(read_flag, "sensitive")
    deprecated = Member(read_text)

    @property
    def type(self) -> Type | None:
        """The type of the value; None in documents that do not tell."""
        source = self.members.get("type")
        if source is None:
            return None
        try:
            return parse_type(source)
        except (TypeConstraintError, TypeError):
            raise wrong(self.place_of("type"), "a type constraint", source) from None

    @cached_property
    def value(self) -> object:
        """The value, as its type says; plain if no type is known."""
        plain = read_plain(self.members.get("value"), "")
        if self.type is None:
            return plain
        try:
            return reader(layout_of_type(self.type), READING)(plain)
        except InvalidValueError as error:
            raise DocumentError(f"{self.place_of('value')}: {error}") from None

    def __repr__(self) -> str:
        return f"<OutputValue {'(sensitive)' if self.is_sensitive else repr(self.value)}>"


def read_outputs(outputs: object, place: str) -> Mapping[str, OutputValue]:
    """The outputs of a document by name."""
    members = read_object(outputs, place).items()
    return {name: OutputValue(output, f"{place}.{name}") for name, output in members}
