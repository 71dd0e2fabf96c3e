"""What a format must say about the leaves of a value; the walk over the rest is common to all.

There are two wire formats, MessagePack and JSON, and Python itself: what users pass to
constructors. Each says how it reads and writes a string, a number, a bool, a dynamically typed and
an unknown value. The compiled code asks only for leaves that are not fit as they are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from decimal import Decimal
from typing import Any, ClassVar

from tofutypes.errors import expected
from tofutypes.narrowing import is_list, is_number
from tofutypes.numbers import Number, normalize_number
from tofutypes.sets import TofuSet
from tofutypes.text import normalize_string
from tofutypes.types import BOOL, DYNAMIC, NUMBER, STRING, PrimitiveType, Type
from tofutypes.unknown import UNKNOWN, Unknown
from tofutypes.wire.layout import DynamicBlocksLayout
from tofutypes.wire.unknown_extension import settle_unknown


class Reading(ABC):
    """How values of one format are read. Each method takes any value but null."""

    name: ClassVar[str]
    owns_input: ClassVar[bool]
    """Whether readers may change the lists and dicts they are given, and hand them on."""
    missing_is_null: ClassVar[bool] = False
    """Whether an object may leave attributes out, which then are null."""

    def read_string(self, value: object) -> object:
        if isinstance(value, str):
            return normalize_string(str.__str__(value))
        return self.read_other(value, STRING)

    @abstractmethod
    def read_number(self, value: object) -> object: ...

    def read_bool(self, value: object) -> object:
        if isinstance(value, bool):
            return value
        return self.read_other(value, BOOL)

    @abstractmethod
    def read_dynamic(self, value: object) -> object: ...

    @abstractmethod
    def read_dynamic_blocks(self, value: object, layout: DynamicBlocksLayout) -> object: ...

    @abstractmethod
    def list_of(self, value: object) -> list[object] | None:
        """The elements, if the format takes the value for a list or a tuple."""

    def set_of(self, value: object) -> list[object] | None:
        """The elements, if the format takes the value for a set."""
        return self.list_of(value)

    @abstractmethod
    def dict_of(self, value: object) -> dict[Any, object] | None:
        """The elements or attributes, if the format takes the value for a map or an object."""

    def leaf(self, type_: PrimitiveType) -> Callable[[object], object]:
        """What reads values of a primitive type, or of type `dynamic`."""
        return {
            STRING: self.read_string,
            NUMBER: self.read_number,
            BOOL: self.read_bool,
            DYNAMIC: self.read_dynamic,
        }[type_]

    def read_other(self, value: object, type_: Type) -> object:
        """What stands for a value that is not of its type: an unknown value, or an error."""
        if value is UNKNOWN:
            return value
        if isinstance(value, Unknown):
            return settle_unknown(value, type_)
        raise expected(with_article(type_), value)


class Writing(ABC):
    """How values are written in one format: each becomes a form that the format's encoder takes.

    Each method takes any value but null.
    """

    name: ClassVar[str]

    def write_string(self, value: object) -> object:
        if isinstance(value, str):
            return normalize_string(str.__str__(value))
        return self.write_other(value, STRING)

    def write_number(self, value: object) -> object:
        if is_number(value):
            return self.number_form(normalize_number(value))
        return self.write_other(value, NUMBER)

    def write_bool(self, value: object) -> object:
        if isinstance(value, bool):
            return value
        return self.write_other(value, BOOL)

    @abstractmethod
    def write_dynamic(self, value: object) -> object: ...

    @abstractmethod
    def write_dynamic_blocks(self, value: object, layout: DynamicBlocksLayout) -> object: ...

    def leaf(self, type_: PrimitiveType) -> Callable[[object], object]:
        """What writes values of a primitive type, or of type `dynamic`."""
        return {
            STRING: self.write_string,
            NUMBER: self.write_number,
            BOOL: self.write_bool,
            DYNAMIC: self.write_dynamic,
        }[type_]

    def write_other(self, value: object, type_: Type) -> object:
        """What is written for a value that is not of its type: an unknown value, or an error."""
        if value is UNKNOWN:
            return self.unknown_form(UNKNOWN)
        if not isinstance(value, Unknown):
            raise expected(with_article(type_), value)
        settled = settle_unknown(value, type_)
        if isinstance(settled, Unknown):
            return self.unknown_form(settled)
        if isinstance(settled, int | Decimal):
            return self.number_form(settled)
        if is_list(settled):
            return [self.unknown_form(UNKNOWN)] * len(settled)
        return [] if isinstance(settled, TofuSet) else settled

    @abstractmethod
    def number_form(self, value: Number) -> object: ...

    @abstractmethod
    def unknown_form(self, value: Unknown) -> object: ...

    @abstractmethod
    def sort_keys(self, forms: list[object]) -> list[bytes]:
        """The encoded forms of the elements of a set, to order elements that have no order."""


def with_article(type_: Type) -> str:
    """The type for an error message: `a list of string`, `an object`."""
    name = type_.friendly_name
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
