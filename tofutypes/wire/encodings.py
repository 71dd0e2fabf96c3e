"""What MessagePack and JSON have in common: both are parsed into, and made of, lists and dicts."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

from tofutypes.dynamic import Dynamic
from tofutypes.narrowing import is_dict, is_list
from tofutypes.types import Type
from tofutypes.unknown import UNKNOWN, Unknown
from tofutypes.wire.concrete_types import concrete, dynamic_of, in_place_of
from tofutypes.wire.format import Reading, Writing
from tofutypes.wire.layout import DynamicBlocksLayout, layout_of_type
from tofutypes.wire.python_values import PYTHON, ensure_dynamic
from tofutypes.wire.reading import reader
from tofutypes.wire.writing import writer


class EncodedReading(Reading):
    """How values are read from what a parser made."""

    owns_input: ClassVar[bool] = True

    def read_dynamic_blocks(self, value: object, layout: DynamicBlocksLayout) -> object:
        read = None if value is None else self.read_dynamic(value)
        return blocks_of(read, layout)

    def list_of(self, value: object) -> list[object] | None:
        return value if is_list(value) else None

    def dict_of(self, value: object) -> dict[Any, object] | None:
        return value if is_dict(value) else None


class EncodedWriting(Writing):
    """How values become what an encoder takes."""

    def write_dynamic(self, value: object) -> object:
        dynamic = ensure_dynamic(value)
        if dynamic is None:
            return None
        if isinstance(dynamic, Unknown):
            return self.unknown_form(dynamic)
        form = writer(layout_of_type(dynamic.type), self)(dynamic.value)
        return self.pair_form(dynamic.type, form)

    def write_dynamic_blocks(self, value: object, layout: DynamicBlocksLayout) -> object:
        return self.write_dynamic(dynamic_of_blocks(value, layout))

    @abstractmethod
    def pair_form(self, type_: Type, form: object) -> object:
        """What stands for a dynamically typed value: its type and its form."""


def read_pair(type_: Type, content: object, source: Reading) -> object:
    """The dynamically typed value of a pair of the wire; bare where its type is not known."""
    layout = layout_of_type(type_)
    return dynamic_of(reader(layout, source)(content), layout)


def blocks_of(value: object, layout: DynamicBlocksLayout) -> object:
    """Nested blocks out of the dynamically typed value that they are on the wire."""
    if isinstance(value, Dynamic):
        value = in_place_of(value.value, value.type, layout)
    return reader(layout.blocks, PYTHON)(value)


def dynamic_of_blocks(value: object, layout: DynamicBlocksLayout) -> object:
    """The dynamically typed value that nested blocks are on the wire."""
    if isinstance(value, Unknown):
        return UNKNOWN
    return Dynamic(*concrete(reader(layout.blocks, PYTHON)(value), layout))
