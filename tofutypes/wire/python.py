"""Python values as users give them: the same rules as the wire, with Python's own containers.

Lists may be any sequence, sets any list, tuple or set, maps and objects any mapping; a `float`
means its shortest decimal; a place of type `dynamic` also takes plain values, whose type is then
what a configuration would give them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from tofutypes.errors import InvalidValueError
from tofutypes.types import DYNAMIC, NUMBER
from tofutypes.unknown import UNKNOWN, Unknown
from tofutypes.values import Dynamic, HasAttributes, TofuSet
from tofutypes.wire.dynamic import concrete
from tofutypes.wire.format import Reading, exact_number, is_number
from tofutypes.wire.layout import DynamicBlocksLayout, layout_of_type
from tofutypes.wire.reading import reader


class _Python(Reading):
    name: ClassVar[str] = "python"
    owns_input: ClassVar[bool] = False

    def read_number(self, value: object) -> object:
        if is_number(value):
            return exact_number(value)
        return self.read_other(value, NUMBER)

    def read_dynamic(self, value: object) -> object:
        if isinstance(value, Unknown):
            return UNKNOWN
        given = value if isinstance(value, Dynamic) else Dynamic(value)
        return read_concrete(given)

    def read_dynamic_blocks(self, value: object, layout: DynamicBlocksLayout) -> object:
        return reader(layout.blocks, self)(value)

    def list_of(self, value: object) -> list[object] | None:
        if isinstance(value, str | bytes | bytearray):
            return None
        if isinstance(value, Sequence | TofuSet | set | frozenset):
            return list(value)
        return None

    def dict_of(self, value: object) -> dict[str, object] | None:
        if isinstance(value, HasAttributes):
            return dict(value.__tofu_attributes__())
        return dict(value) if isinstance(value, Mapping) else None


def read_concrete(given: Dynamic) -> object:
    """The value of a `Dynamic` in the shape of its concrete type, wrapped in it again."""
    layout = layout_of_type(given.type)
    value, type_ = concrete(reader(layout, PYTHON)(given.value), layout)
    return value if type_ is DYNAMIC else Dynamic(value, type_)


PYTHON: Final = _Python()


def ensure_dynamic(value: object) -> Dynamic | Unknown | None:
    """What stands in a place of type `dynamic`, from whatever a user put there."""
    read = None if value is None else PYTHON.read_dynamic(value)
    if read is None or isinstance(read, Unknown | Dynamic):
        return read
    raise InvalidValueError("a dynamically typed value is required")
