"""Python values as users give them: the same rules as the wire, with Python's own containers.

Lists may be any sequence, sets any sequence or set, maps and objects any mapping; a `float`
means its shortest decimal; a place of type `dynamic` also takes plain values, whose type is then
what a configuration would give them.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any, ClassVar, Final

from typing_extensions import TypeIs

from tofutypes.dynamic import Dynamic
from tofutypes.errors import expected
from tofutypes.narrowing import has_attributes, is_mapping, is_number, is_sequence
from tofutypes.nesting import too_deep
from tofutypes.numbers import normalize_number
from tofutypes.sets import is_tofu_set
from tofutypes.types import NUMBER
from tofutypes.unknown import UNKNOWN, Unknown
from tofutypes.wire.concrete_types import dynamic_of
from tofutypes.wire.format import Reading
from tofutypes.wire.layout import DynamicBlocksLayout, layout_of_type
from tofutypes.wire.reading import reader


class _Python(Reading):
    name: ClassVar[str] = "python"
    owns_input: ClassVar[bool] = False

    def read_number(self, value: object) -> object:
        if is_number(value):
            return normalize_number(value)
        return self.read_other(value, NUMBER)

    def read_dynamic(self, value: object) -> object:
        if isinstance(value, Unknown):
            return UNKNOWN
        try:
            return read_concrete(value if isinstance(value, Dynamic) else Dynamic(value))
        except RecursionError:
            raise too_deep() from None

    def read_dynamic_blocks(self, value: object, layout: DynamicBlocksLayout) -> object:
        return reader(layout.blocks, self)(value)

    def list_of(self, value: object) -> list[object] | None:
        # No sets: their order would be another one in every run.
        if is_sequence(value):
            return list(value)
        if isinstance(value, str | bytes | bytearray):
            return None
        return list(value) if _is_sequence(value) else None

    def set_of(self, value: object) -> list[object] | None:
        if is_tofu_set(value) or _is_abstract_set(value):
            return list(value)
        return self.list_of(value)

    def dict_of(self, value: object) -> dict[Any, object] | None:
        if has_attributes(value):
            return dict(value.__tofu_attributes__())
        return dict(value) if is_mapping(value) else None


def _is_sequence(value: object) -> TypeIs[Sequence[object]]:
    return isinstance(value, Sequence)


def _is_abstract_set(value: object) -> TypeIs[AbstractSet[object]]:
    return isinstance(value, AbstractSet)


def read_concrete(dynamic: Dynamic) -> object:
    """The value of a `Dynamic` in the shape of its concrete type, wrapped in it again."""
    layout = layout_of_type(dynamic.type)
    return dynamic_of(reader(layout, PYTHON)(dynamic.value), layout)


PYTHON: Final = _Python()


def ensure_dynamic(value: object) -> Dynamic | Unknown | None:
    """What stands in a place of type `dynamic`, from whatever a user put there."""
    read = None if value is None else PYTHON.read_dynamic(value)
    if read is None or isinstance(read, Unknown | Dynamic):
        return read
    raise expected("a dynamic value", value)
