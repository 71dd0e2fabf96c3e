"""Layouts of annotations: what the fields of a class say to the codecs."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, Protocol, Union, get_args, get_origin

from typing_extensions import TypeIs

from tofutypes.dynamic import Dynamic
from tofutypes.errors import SchemaError
from tofutypes.schema import NestingMode
from tofutypes.sets import TofuSet
from tofutypes.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    STRING,
    CollectionType,
    ListType,
    MapType,
    PrimitiveType,
    SetType,
    TupleType,
)
from tofutypes.unknown import Unknown
from tofutypes.wire.layout import (
    BlockCount,
    CollectionLayout,
    DynamicBlocksLayout,
    FieldLayout,
    Layout,
    ObjectLayout,
    PrimitiveLayout,
    TupleLayout,
)


class HasLayout(Protocol):
    """A class whose instances are objects of the type system: a model."""

    def __tofu_layout__(self, *, nullable: bool = False, group: bool = False) -> ObjectLayout:
        """The layout of its instances.

        Args:
            nullable: Whether the value may be null.
            group: Whether null means an instance in which nothing is set.
        """
        ...


_PRIMITIVES: Final[Mapping[object, PrimitiveType]] = {
    str: STRING,
    bool: BOOL,
    int: NUMBER,
    float: NUMBER,
    Decimal: NUMBER,
    Dynamic: DYNAMIC,
}
NESTING: Final[Mapping[type[CollectionType], NestingMode]] = {
    ListType: NestingMode.LIST,
    SetType: NestingMode.SET,
    MapType: NestingMode.MAP,
}
"""The nesting mode whose values are a collection of this type."""

_COLLECTIONS: Final[Mapping[object, type[CollectionType]]] = {
    list: ListType,
    Sequence: ListType,
    TofuSet: SetType,
    dict: MapType,
    Mapping: MapType,
}


def layout_of(annotation: object) -> Layout:
    """The layout of the values that an annotation allows.

    `str`, `bool`, numbers, `Dynamic`, `list[…]`, `TofuSet[…]`, `dict[str, …]`, `tuple[…]`, models;
    with `None` where null is allowed. Unknown values are always allowed.

    Raises:
        SchemaError: If the annotation is not a type of the type system.
    """
    if _holds_model(annotation):
        return _layout_of(annotation)
    return _layout_without_model(annotation)


@lru_cache(maxsize=1024)
def _layout_without_model(annotation: object) -> Layout:
    # Shared, together with the compiled code: few types make up most fields.
    return _layout_of(annotation)


def _is_model(annotation: object) -> TypeIs[HasLayout]:
    # Called for every annotation: `isinstance` with a protocol would take ten times as long.
    return hasattr(annotation, "__tofu_layout__")


def _holds_model(annotation: object) -> bool:
    return _is_model(annotation) or any(map(_holds_model, get_args(annotation)))


def _layout_of(annotation: object) -> Layout:
    members = set(_members(annotation))
    nullable = types.NoneType in members
    members -= {types.NoneType, Unknown}
    primitives = {_PRIMITIVES.get(member) for member in members}
    if len(primitives) == 1 and (primitive := primitives.pop()) is not None:
        if primitive is NUMBER and Decimal not in members and members != {int}:
            raise SchemaError("expected Number or int, got float, which is not exact")
        return PrimitiveLayout(type=primitive, nullable=nullable, whole=members == {int})
    if len(members) != 1:
        raise _no_type(annotation)
    member = members.pop()
    if _is_model(member):
        return member.__tofu_layout__(nullable=nullable)
    arguments = get_args(member)
    kind = _COLLECTIONS.get(get_origin(member))
    if kind is not None and arguments:
        if kind is MapType and arguments[0] is not str:
            raise _no_type(annotation)
        element = layout_of(arguments[-1])
        return CollectionLayout(type=kind(element.type), element=element, nullable=nullable)
    if get_origin(member) is tuple or member is tuple:
        parts = () if arguments == ((),) else tuple(map(layout_of, arguments))
        tuple_type = TupleType(tuple(part.type for part in parts))
        return TupleLayout(type=tuple_type, elements=parts, nullable=nullable)
    raise _no_type(annotation)


def _members(annotation: object) -> list[Any]:
    """The members of a union, flat; any other annotation is its own only member."""
    if get_origin(annotation) is Annotated:
        return _members(get_args(annotation)[0])
    annotation = getattr(annotation, "__tofu_annotation__", annotation)  # a bare `NumberAttr`
    if get_origin(annotation) in (Union, types.UnionType):
        return [inner for member in get_args(annotation) for inner in _members(member)]
    if get_origin(annotation) is Literal:  # a provider checks which of the values it is
        return [type(value) for value in get_args(annotation)]
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return [base for base in (str, bool, int) if issubclass(annotation, base)] or [annotation]
    return [annotation]


def _no_type(annotation: object) -> SchemaError:
    return SchemaError(
        f"{annotation!r} is not a type of the type system; use str, bool, Number, Dynamic, list, "
        "TofuSet, dict with str keys, tuple, or a model"
    )


def block_layout(annotation: object, mode: NestingMode, least: int, most: int) -> Layout:
    """The layout of a nested block.

    Args:
        annotation: The class of the block, or a collection of it.
        mode: The nesting mode.
        least: The least number of blocks.
        most: The greatest number of blocks; 0 is no limit.

    Raises:
        SchemaError: If the annotation does not fit the nesting mode.
    """
    members = [m for m in _members(annotation) if m not in (types.NoneType, Unknown)]
    if len(members) == 1:
        [member] = members
        if mode in (NestingMode.SINGLE, NestingMode.GROUP) and _is_model(member):
            group = mode is NestingMode.GROUP
            return member.__tofu_layout__(
                nullable=types.NoneType in _members(annotation), group=group
            )
        layout = layout_of(member)
        if (
            isinstance(layout, CollectionLayout)
            and isinstance(layout.element, ObjectLayout)
            and not layout.element.nullable
            and NESTING[type(layout.type)] is mode
        ):
            blocks = CollectionLayout(
                type=layout.type,
                element=layout.element,
                nullable=False,
                blocks=BlockCount(least, most),
            )
            dynamic = mode is not NestingMode.SET and layout.type.has_dynamic
            return (
                DynamicBlocksLayout(type=DYNAMIC, nullable=False, blocks=blocks)
                if dynamic
                else blocks
            )
    raise SchemaError(f"{annotation!r} does not fit a nested block of nesting mode {mode.value}")


_EMPTY: Final[Mapping[type, Callable[[], object]]] = {
    ListType: list[object],
    SetType: TofuSet[object],
    MapType: dict[str, object],
}


def holds_blocks(layout: Layout) -> bool:
    """Whether a layout is that of nested blocks, or of a collection of them."""
    if isinstance(layout, CollectionLayout):
        layout = layout.element
    return (
        isinstance(layout, ObjectLayout)
        and layout.model is not None
        and hasattr(layout.model.cls, "__tofu_is_block__")
    )


def empty_attributes(fields: Sequence[FieldLayout]) -> dict[str, object]:
    """The attributes, by Python name, of the empty block that represents an absent GROUP block.

    Nothing is set in the block, and required attributes are not enforced. (Observed, Terraform
    1.15.5.)
    """
    return {field.python_name: _empty(field.layout) for field in fields}


def _empty(layout: Layout) -> object:
    match layout:
        case DynamicBlocksLayout(blocks=blocks):
            return _empty(blocks)
        case CollectionLayout(blocks=BlockCount()):
            return _EMPTY[type(layout.type)]()
        case ObjectLayout(empty=empty) if empty is not None:
            return empty()
        case _:
            return None
