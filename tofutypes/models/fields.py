"""Field declarations: what stands left and right of the `=` in the body of a model.

    name: Attr[str] = Attr(required=True)
    disk: ListBlock[Disk] = ListBlock(max_items=4, default=())

The left side is for type checkers: a descriptor with the type that the field returns and the type
that it accepts, an unknown value included. The right side holds what the schema says beyond the
type. At run time the left side becomes an ordinary annotation and the right side an ordinary field
of pydantic.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Never, TypeAlias, Union, cast

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined
from typing_extensions import TypeVar, deprecated

from tofutypes.dynamic import Dynamic
from tofutypes.models.accepted_types import (
    AnyDynamic,
    AnyList,
    AnyMap,
    AnySequence,
    AnySet,
    Nullable,
)
from tofutypes.models.field_behavior import DefaultFactory, FieldBehavior, RequiresReplace
from tofutypes.models.field_spec import FieldSpec
from tofutypes.numbers import AnyNumber, Number
from tofutypes.schema import NestingMode, StringKind
from tofutypes.schema.definitions import Extra
from tofutypes.sets import TofuSet
from tofutypes.unknown import Unknown

E = TypeVar("E")
Null = TypeVar("Null", default=Never)
Read_co = TypeVar("Read_co", covariant=True)
Write_contra = TypeVar("Write_contra", contravariant=True, default=Read_co)


def collection_of(nesting: NestingMode, element: Any) -> Any:
    """The annotation of a collection that has such elements, for a nesting mode."""
    generic: Any
    match nesting:
        case NestingMode.LIST:
            generic = list
        case NestingMode.SET:
            generic = TofuSet
        case NestingMode.MAP:
            generic, element = dict, (str, element)
        case NestingMode.SINGLE | NestingMode.GROUP:
            return element
    return generic[element]


if TYPE_CHECKING:

    class Attr(Generic[Read_co, Write_contra]):
        """An attribute: the type that it returns, and the type that it accepts.

        Every attribute also returns and accepts an unknown value.

            name: Attr[str] = Attr(required=True)
            tags: Attr[dict[str, str] | None] = Attr(optional=True, default=None)

        `Attr[str]` is never null, `Attr[str | None]` may be null. A second type says what the
        attribute accepts, if that is more than it returns:
        `Attr[dict[str, int], Mapping[str, int]]`. `NumberAttr`, `ListAttr` and the like are short
        forms of such pairs.

        Args:
            default: The value of a field that is left out; without a default the field must be
                passed to the constructor. A provider plans the default for an optional and computed
                attribute that the configuration leaves null.
            default_factory: Computes such a default from the object of the configuration that has
                the attribute: `default_factory=lambda server: f"{server.name}.example.org"`.
            requires_replace: Whether a change replaces the object (RequiresReplace): True,
                `"if_configured"`, or a function of the prior and the planned value.
            keep: Whether the attribute keeps its prior value (UseStateForUnknown) unless the
                configuration sets it, as an id does.
            name: The name on the wire, if it differs from the Python name.
            required: Whether a configuration must set the attribute.
            optional: Whether a configuration may set the attribute.
            computed: Whether the provider sets the attribute if the configuration does not.
            sensitive: Whether the value is a secret: it appears in no repr and no error.
            write_only: Whether the value is passed to the provider and never stored.
            description: Text for people, if the docstring below the field is not the description.
            description_kind: How the description is to be read; by default what the class says
                with `attribute_description_kind`, else plain text.
            deprecated: Whether the attribute should no longer be used.
            deprecation_message: What to use instead.
            min_items: The least number of elements of a nested attribute.
            max_items: The greatest number of elements of a nested attribute; 0 is no limit.
            required_for_import: Whether an import needs the attribute of a resource identity.
            optional_for_import: Whether an import may have the attribute of a resource identity.
            extra: Keys of the schema document that this version of the library does not know.
            nested_extra: Such keys of the nested type.

        Raises:
            SchemaError: When the class is created, if the declaration contradicts itself: a
                default of None where the type has no `| None`, or a required attribute with a
                default.
        """

        def __init__(
            self,
            *,
            default: object = ...,
            default_factory: DefaultFactory = ...,
            requires_replace: RequiresReplace = ...,
            keep: bool = ...,
            name: str | None = None,
            required: bool = False,
            optional: bool = False,
            computed: bool = False,
            sensitive: bool = False,
            write_only: bool = False,
            description: str | None = None,
            description_kind: StringKind | None = ...,
            deprecated: bool = False,
            deprecation_message: str | None = None,
            min_items: int = 0,
            max_items: int = 0,
            required_for_import: bool = False,
            optional_for_import: bool = False,
            extra: Extra = ...,
            nested_extra: Extra = ...,
        ) -> None: ...

        # Not `instance: object`: on the class itself there is no value to return.
        def __get__(self, instance: BaseModel, owner: object = None) -> Read_co | Unknown: ...

        def __set__(self, instance: BaseModel, value: Write_contra | Unknown) -> None: ...

    class DeprecatedAttr(Attr[Read_co, Write_contra]):
        """An `Attr` that the schema marks as deprecated: type checkers report where it is read.

        `old: DeprecatedAttr[str | None] = DeprecatedAttr(optional=True, default=None)` implies
        `deprecated=True`.
        """

        @deprecated("the provider schema marks this attribute as deprecated")
        def __get__(self, instance: BaseModel, owner: object = None) -> Read_co | Unknown: ...

    NumberAttr: TypeAlias = Attr[Number | Null, AnyNumber | Null]
    """A number; `NumberAttr[None]` may be null. Accepts `int`, `float` and `Decimal`."""

    DynamicAttr: TypeAlias = Attr[Dynamic | Null, AnyDynamic | Null]
    """A value of any type; `DynamicAttr[None]` may be null."""

    ListAttr: TypeAlias = Attr[list[Nullable[E]] | Null, AnyList[E] | Null]
    """A list with elements that may be unknown or null; `ListAttr[str, None]` may be null."""

    SetAttr: TypeAlias = Attr[TofuSet[Nullable[E]] | Null, AnySet[E] | Null]
    """A set with elements that may be unknown or null; `SetAttr[str, None]` may be null."""

    MapAttr: TypeAlias = Attr[dict[str, Nullable[E]] | Null, AnyMap[E] | Null]
    """A map with elements that may be unknown or null; `MapAttr[str, None]` may be null."""

    class _Block(Attr[Read_co, Write_contra]):
        """A nested block.

        Args:
            default: The value of a field that is left out; without a default the field must be
                passed to the constructor.
            requires_replace: Whether a change inside replaces the object.
            name: The name on the wire, if it differs from the Python name.
            min_items: The least number of blocks.
            max_items: The greatest number of blocks; 0 is no limit.
            extra: Keys of the schema document that this version of the library does not know.
        """

        def __init__(
            self,
            *,
            default: object = ...,
            requires_replace: RequiresReplace = ...,
            name: str | None = None,
            min_items: int = 0,
            max_items: int = 0,
            extra: Extra = ...,
        ) -> None: ...

    class SingleBlock(_Block[E, E], Generic[E]):
        """A nested block of mode SINGLE: one block.

        `SingleBlock[Disk | None] = SingleBlock(default=None)` may be absent, which is null.
        """

    class GroupBlock(_Block[E, E], Generic[E]):
        """A nested block of mode GROUP: always there, by default with null attributes.

        `placement: GroupBlock[Placement] = GroupBlock(default=None)`
        """

    class ListBlock(_Block[list[E | Unknown], AnySequence[E | Unknown]], Generic[E]):
        """Nested blocks of mode LIST: any number of blocks in order.

        `disk: ListBlock[Disk] = ListBlock(max_items=4, default=())`
        """

    class SetBlock(
        _Block[TofuSet[E | Unknown], AnySequence[E | Unknown] | TofuSet[E | Unknown]], Generic[E]
    ):
        """Nested blocks of mode SET: any number of distinct blocks without order.

        `rule: SetBlock[Rule] = SetBlock(default=())`
        """

    class MapBlock(_Block[dict[str, E | Unknown], Mapping[str, E | Unknown]], Generic[E]):
        """Nested blocks of mode MAP: any number of blocks, each with a label as its key.

        `subnet: MapBlock[Subnet] = MapBlock(default={})`
        """

else:
    # At run time both sides become what pydantic knows: a union and a `FieldInfo`.

    class Attr:
        """See above, where type checkers look."""

        def __class_getitem__(cls, types: Any) -> Any:
            return _or_unknown(types[0] if isinstance(types, tuple) else types)

        def __new__(cls, *, default: object = PydanticUndefined, **keywords: Any) -> Any:
            behavior = _take_behavior(keywords)
            if behavior is not None and behavior.default_factory is not None:
                default = None  # until it is planned
            return _field(default, FieldSpec(**keywords), behavior)

    class DeprecatedAttr(Attr):  # noqa: D101
        def __new__(cls, **keywords: Any) -> Any:
            return Attr(**{"deprecated": True, **keywords})

    class _LeafAttr:
        """An alias that stands alone (`NumberAttr`) or with None (`NumberAttr[None]`)."""

        __tofu_annotation__: ClassVar[Any]

        def __class_getitem__(cls, null: None) -> Any:
            return Union[cls.__tofu_annotation__, null]  # noqa: UP007  # no value at run time

    class NumberAttr(_LeafAttr):  # noqa: D101
        __tofu_annotation__ = Union[int, Decimal, Unknown]  # noqa: UP007  # like the others

    class DynamicAttr(_LeafAttr):  # noqa: D101
        __tofu_annotation__ = Union[Dynamic, Unknown]  # noqa: UP007

    class _CollectionAttr:
        nesting: ClassVar[NestingMode]

        def __class_getitem__(cls, types: Any) -> Any:
            element, *null = types if isinstance(types, tuple) else (types,)
            # Not `|`, nor `Nullable`: the element may be a string.
            nullable = Union[element, Unknown, None]  # noqa: UP007
            collection = collection_of(cls.nesting, nullable)
            return Union[(collection, Unknown, *null)]

    class ListAttr(_CollectionAttr):  # noqa: D101
        nesting = NestingMode.LIST

    class SetAttr(_CollectionAttr):  # noqa: D101
        nesting = NestingMode.SET

    class MapAttr(_CollectionAttr):  # noqa: D101
        nesting = NestingMode.MAP

    class _Block:
        nesting: ClassVar[NestingMode]

        def __class_getitem__(cls, block: Any) -> Any:
            return _or_unknown(_collection_of_blocks(cls.nesting, block))

        def __new__(cls, *, default: object = PydanticUndefined, **keywords: Any) -> Any:
            behavior = _take_behavior(keywords)
            return _field(default, FieldSpec(block_nesting=cls.nesting, **keywords), behavior)

    class SingleBlock(_Block):  # noqa: D101
        nesting = NestingMode.SINGLE

    class GroupBlock(_Block):  # noqa: D101
        nesting = NestingMode.GROUP

    class ListBlock(_Block):  # noqa: D101
        nesting = NestingMode.LIST

    class SetBlock(_Block):  # noqa: D101
        nesting = NestingMode.SET

    class MapBlock(_Block):  # noqa: D101
        nesting = NestingMode.MAP


_BEHAVIOR: Final = tuple(behavior.name for behavior in fields(FieldBehavior))


def _take_behavior(keywords: dict[str, Any]) -> FieldBehavior | None:
    """Take the keywords that are for the provider alone."""
    behavior = {name: keywords.pop(name) for name in _BEHAVIOR if name in keywords}
    return FieldBehavior(**behavior) if behavior else None


def _field(default: object, spec: FieldSpec, behavior: FieldBehavior | None = None) -> Any:
    """The pydantic field that carries a spec.

    A default is validated like any other value: `()` of a list of blocks becomes a new list each
    time, None of a GROUP block becomes the empty block.
    """
    field = FieldInfo(
        default=default,
        validate_default=default is not PydanticUndefined
        and (default is not None or spec.block_nesting is NestingMode.GROUP),
        validation_alias=spec.name,
        serialization_alias=spec.name,
    )
    field.metadata = [spec] if behavior is None else [spec, behavior]
    return field


def _or_unknown(annotation: Any) -> Any:
    return Union[annotation, Unknown]  # noqa: UP007  # the annotation may be a string


def _collection_of_blocks(nesting: NestingMode, block: Any) -> Any:
    match nesting:
        case NestingMode.SINGLE | NestingMode.GROUP:
            return block
        case _:
            return collection_of(nesting, _or_unknown(block))


OPTIONAL: Final[Any] = cast("Any", Attr(optional=True, default=None))
"""The right side of most attributes: `zone: Attr[str | None] = OPTIONAL`.

Short for `Attr(optional=True, default=None)`, as generated code has it.
"""

COMPUTED: Final[Any] = cast("Any", Attr(computed=True, default=None))
"""Short for `Attr(computed=True, default=None)`."""

OPTIONAL_COMPUTED: Final[Any] = cast("Any", Attr(optional=True, computed=True, default=None))
"""Short for `Attr(optional=True, computed=True, default=None)`."""
