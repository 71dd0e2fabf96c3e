"""Layouts: what a value looks like on the wire and in Python at once.

A layout is a type constraint plus what the type does not say: which class an object becomes, under
which Python name an attribute is held, whether null may stand there, how many blocks there must
be. The codecs are compiled from layouts, so a rule stands once for types and for models.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, TypeAlias

from tofutypes.errors import AttributeStep, SensitiveStep
from tofutypes.types import CollectionType, ObjectType, PrimitiveType, TupleType, Type

Compiled: TypeAlias = Callable[[Any], Any]
"""A compiled reader or writer: takes a value, gives a value, raises `InvalidValueError`."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Layout:
    """The layout of one value.

    Attributes:
        type: its type constraint.
        nullable: whether null may stand there.
        compiled: the readers and writers made of it so far, by format and direction.
    """

    type: Type
    nullable: bool = True
    compiled: dict[object, Compiled] = field(default_factory=dict[object, Compiled], repr=False)


@dataclass(frozen=True, eq=False, kw_only=True)
class PrimitiveLayout(Layout):
    """A string, a number, a bool, or a dynamically typed value.

    Attributes:
        whole: whether a number must be an integer, which the schema cannot say.
    """

    type: PrimitiveType
    whole: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class CollectionLayout(Layout):
    """A list, a set or a map: of an attribute, or of nested blocks.

    Attributes:
        element: the layout of each element.
        blocks: how many there must be, if they are nested blocks.
    """

    type: CollectionType
    element: Layout
    blocks: BlockCount | None = None


@dataclass(frozen=True)
class BlockCount:
    """How many nested blocks there must be; `most` of 0 is no limit."""

    least: int = 0
    most: int = 0


@dataclass(frozen=True, eq=False, kw_only=True)
class TupleLayout(Layout):
    """A tuple."""

    type: TupleType
    elements: tuple[Layout, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class ObjectLayout(Layout):
    """An object: a dict, or an instance of a class.

    Attributes:
        fields: the attributes and nested blocks, sorted by name on the wire.
        model: what the object is in Python; None for a dict.
        empty: makes the object that stands for an absent one (a GROUP block); None where null
            means null.
    """

    type: ObjectType
    fields: tuple[FieldLayout, ...]
    model: ModelHooks | None = None
    empty: Callable[[], object] | None = None


@dataclass(frozen=True)
class FieldLayout:
    """One attribute or nested block: its name on the wire, its name in Python, its layout."""

    name: str
    python_name: str
    layout: Layout
    sensitive: bool = False

    @property
    def step(self) -> AttributeStep:
        """The step to it, for errors."""
        return SensitiveStep(self.name) if self.sensitive else AttributeStep(self.name)


@dataclass(frozen=True)
class ModelHooks:
    """How the wire makes instances of a class it knows nothing else of.

    Attributes:
        cls: the class.
        validate: makes an instance of a mapping that a user gave.
        construct: makes an instance of attributes (by Python name) that were read and checked;
            None to set the instance's `__dict__`, which is all there is to do for most classes.
    """

    cls: type
    validate: Callable[[Mapping[str, object]], object]
    construct: Callable[[dict[str, object]], object] | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class DynamicBlocksLayout(Layout):
    """LIST or MAP nested blocks that hold a `dynamic` attribute at some depth.

    Core gives such a nested block the type `dynamic` as a whole: on the wire it is one pair of
    a tuple type (LIST) or an object type (MAP) and the blocks. (Observed, Terraform
    1.15.5; in no document.)

    Attributes:
        blocks: what the nested block would be were it not for this case.
    """

    blocks: CollectionLayout


_SHARED_TEXT: Final = 1024
"""The longest text of a type whose layout is shared by all types equal to it."""


def layout_of_type(type_: Type) -> Layout:
    """The layout of plain Python values of a type: objects are dicts.

    It is kept with the type, not in a table: the type of a dynamically typed value comes from
    outside and may be large.
    """
    kept = vars(type_).get("layout")
    if isinstance(kept, Layout):
        return kept
    shared = type_.text_length <= _SHARED_TEXT
    layout = _shared_layout(type_) if shared else _layout_of_type(type_)
    vars(type_)["layout"] = layout
    return layout


@lru_cache(maxsize=1024)
def _shared_layout(type_: Type) -> Layout:
    return _layout_of_type(type_)


def _layout_of_type(type_: Type) -> Layout:
    match type_:
        case PrimitiveType():
            return PrimitiveLayout(type=type_)
        case CollectionType():
            return CollectionLayout(type=type_, element=layout_of_type(type_.element))
        case TupleType():
            return TupleLayout(type=type_, elements=tuple(map(layout_of_type, type_.elements)))
        case ObjectType():
            return ObjectLayout(
                type=type_,
                fields=tuple(
                    FieldLayout(name, name, layout_of_type(item))
                    for name, item in type_.attributes.items()
                ),
            )
        case _:
            raise AssertionError(type_)
