"""What readers and writers check alike, whatever the format."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from tofutypes.comparison import is_wholly_known
from tofutypes.dynamic import Dynamic
from tofutypes.errors import InvalidValueError, missing_attribute, unknown_attribute
from tofutypes.narrowing import is_dict, is_mapping
from tofutypes.text import attribute_name
from tofutypes.wire.format import Reading
from tofutypes.wire.layout import (
    BlockCount,
    CollectionLayout,
    DynamicBlocksLayout,
    Layout,
    ObjectLayout,
)

NO_MEMORY_TO_DECODE: Final = "not enough memory to decode the value"
NO_MEMORY_TO_ENCODE: Final = "not enough memory to encode the value"


def size_error(most: int, got: int) -> InvalidValueError:
    """The error for what is longer than the current limits allow."""
    return InvalidValueError(f"value is too large: {got} bytes, the limit is {most}")


def null_error() -> InvalidValueError:
    """The error for null where null may not stand."""
    return InvalidValueError("expected a value, got null")


def length_error(wanted: int, got: int) -> InvalidValueError:
    """The error for a tuple of the wrong length."""
    return InvalidValueError(
        f"expected a tuple of {wanted} element{'s' if wanted != 1 else ''}, got {got}"
    )


def map_key(key: object) -> str:
    """The key of a map or the name of an attribute, normalised as every string.

    Raises:
        InvalidValueError: If the key is not a string.
    """
    if isinstance(key, bytes):
        try:
            key = key.decode()
        except UnicodeDecodeError:
            raise InvalidValueError("invalid UTF-8 in a key") from None
    return attribute_name(key)


def in_order(
    value: Mapping[object, object], names: tuple[str, ...], optional: Collection[str] = ()
) -> dict[str, object]:
    """The attributes of an object by their normalised names, sorted; optional ones may be missing.

    Raises:
        InvalidValueError: If an attribute is missing or unknown.
    """
    if len(value) == len(names):
        try:
            return {name: value[name] for name in names}
        except KeyError:
            pass  # another attribute, or one that is not normalised
    attributes = {map_key(name): item for name, item in value.items()}
    wanted = frozenset(names)
    for name in attributes:
        if name not in wanted:
            raise unknown_attribute(name, names)
    for name in names:
        if name not in attributes and name not in optional:
            raise missing_attribute(name)
    return {name: attributes.get(name) for name in names}


def names_that_may_miss(layout: ObjectLayout, source: Reading) -> frozenset[str]:
    """The attributes that are null if the format leaves them out."""
    if source.missing_is_null:
        return frozenset(field.name for field in layout.fields)
    return frozenset() if source.owns_input else layout.type.optional


def check_count(value: Collection[object], blocks: BlockCount) -> None:
    """Raise unless there are as many nested blocks as there must be.

    Source: the wire format document, "Nested blocks"; not checked while a block holds an unknown
    value, since a `dynamic` block may still expand.
    """
    count = len(value)
    if blocks.least <= count and (count <= blocks.most or not blocks.most):
        return
    if not all(map(is_wholly_known, value)):
        return
    few = count < blocks.least
    least_most, limit = ("at least", blocks.least) if few else ("at most", blocks.most)
    number = "1 block" if limit == 1 else f"{limit} blocks"
    raise InvalidValueError(f"expected {least_most} {number}, got {count}")


def sets_nothing(value: Mapping[str, object], layout: ObjectLayout) -> bool:
    """Whether a mapping that a user gives for a GROUP block sets nothing in it."""
    rest = dict(value)
    for field in layout.fields:
        inner = rest.pop(field.name, rest.pop(field.python_name, None))
        if inner is not None and not _is_empty_block(inner, field.layout):
            return False
    return not rest


def _is_empty_block(value: object, layout: Layout) -> bool:
    match layout:
        case ObjectLayout(empty=empty) if empty is not None and is_mapping(value):
            return sets_nothing({str(name): item for name, item in value.items()}, layout)
        case CollectionLayout(blocks=BlockCount()) | DynamicBlocksLayout():
            return value in ([], (), {})
        case _:
            return False


def is_unset(value: object, layout: Layout, source: Reading) -> bool:
    """Whether it is what the wire has for an attribute or nested block that nothing was put in."""
    if value is None:
        return True
    match layout:
        case ObjectLayout(empty=empty) if empty is not None and is_dict(value):
            return len(value) == len(layout.fields) and all(
                field.name in value and is_unset(value[field.name], field.layout, source)
                for field in layout.fields
            )
        case CollectionLayout(blocks=blocks) if blocks is not None:
            return value in ([], {})
        case DynamicBlocksLayout():
            blocks_read = source.read_dynamic(value)
            return isinstance(blocks_read, Dynamic) and blocks_read.value in ((), [], {})
        case _:
            return False
