"""Fields of models: what stands right and left of the `=` in a class body.

    name: Attr[str] = Attr(required=True)
    disk: ListBlock[Disk] = ListBlock(max_items=4, default=())

The left side is what type checkers see: a descriptor with the type that reading the field gives and
the type that writing it takes, each or an unknown value. The right side is what the schema says
beyond the type. At run time the left side becomes an ordinary annotation and the right side an
ordinary field of pydantic.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Union

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined
from typing_extensions import TypeVar

from tofutypes.models.accepted_types import AnySequence
from tofutypes.models.field_behavior import DefaultFactory, FieldBehavior, RequiresReplace
from tofutypes.models.field_spec import FieldSpec
from tofutypes.schema import NestingMode, StringKind
from tofutypes.schema.definitions import Extra
from tofutypes.sets import TofuSet
from tofutypes.unknown import Unknown

_BEHAVIOR: Final = tuple(each.name for each in fields(FieldBehavior))

E = TypeVar("E")
Read_co = TypeVar("Read_co", covariant=True)
Write_contra = TypeVar("Write_contra", contravariant=True, default=Read_co)


def _take_behavior(keywords: dict[str, Any]) -> FieldBehavior | None:
    """Take the keywords that are for the provider alone."""
    behavior = {name: keywords.pop(name) for name in _BEHAVIOR if name in keywords}
    return FieldBehavior(**behavior) if behavior else None


def _field(default: object, spec: FieldSpec, behavior: FieldBehavior | None = None) -> Any:
    """The field of pydantic that carries a spec.

    A default is given to the validator like any other value: `()` of a list of blocks becomes a
    new list each time, None of a GROUP block becomes the empty block.
    """
    made = FieldInfo(
        default=default,
        validate_default=default is not PydanticUndefined
        and (default is not None or spec.block_nesting is NestingMode.GROUP),
        validation_alias=spec.name,
        serialization_alias=spec.name,
    )
    made.metadata = [spec] if behavior is None else [spec, behavior]
    return made


def collection_of(nesting: NestingMode, element: Any) -> Any:
    """The annotation of what holds such elements, nested so."""
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


def _or_unknown(read: Any) -> Any:
    return Union[read, Unknown]  # noqa: UP007  # `read` may be a string


def _nested(nesting: NestingMode, block: Any) -> Any:
    """What holds the blocks of a nesting mode."""
    match nesting:
        case NestingMode.SINGLE | NestingMode.GROUP:
            return block
        case _:
            return collection_of(nesting, _or_unknown(block))


if TYPE_CHECKING:

    class Attr(Generic[Read_co, Write_contra]):
        """An attribute. The first type is what it reads as, the second what it accepts.

        Every attribute also accepts an unknown value. `Attr[str]` is never null,
        `Attr[str | None]` may be.

            class Server(Resource, type_name="nimbus_server"):
                name: Attr[str] = Attr(required=True)
                tags: Attr[dict[str, str] | None, Mapping[str, str] | None] = Attr(
                    optional=True, default=None
                )

        Args:
            default: The value of the constructor's argument if it is left out; without a default,
                the argument is required. A provider plans the default for an optional and computed
                attribute that the configuration leaves null.
            default_factory: Computes such a default from the object of the configuration that has
                the attribute: `default_factory=lambda server: f"{server.name}.example.org"`.
            requires_replace: Whether a change replaces the object (RequiresReplace): True,
                `"if_configured"`, or a function of the prior and the planned value.
            keep: Whether the attribute keeps its prior value (UseStateForUnknown) unless the
                configuration sets it, as an id does.
            name: The name on the wire, if the field has another.
            required: The configuration must set the attribute.
            optional: The configuration may set the attribute.
            computed: The provider sets the attribute if the configuration does not.
            sensitive: The value is hidden in reprs, errors and the output of OpenTofu.
            write_only: The value is passed to the provider and stored nowhere.
            description: The description, if the docstring below the field is not it.
            description_kind: Whether the description is plain text or Markdown.
            deprecated: Users should not set the attribute any more.
            deprecation_message: What they should do instead.
            min_items: The least number of elements of a nested attribute.
            max_items: The greatest number of elements of a nested attribute; 0 is no limit.
            required_for_import: In an identity: an import must give the attribute.
            optional_for_import: In an identity: an import may give the attribute.
            extra: Keys of the schema document that this library does not know.
            nested_extra: The same, of the type of a nested attribute.
        """

        def __init__(
            self,
            *,
            default: object = ...,
            name: str | None = None,
            required: bool = False,
            optional: bool = False,
            computed: bool = False,
            sensitive: bool = False,
            write_only: bool = False,
            description: str | None = None,
            description_kind: StringKind | None = StringKind.PLAIN,
            deprecated: bool = False,
            deprecation_message: str | None = None,
            min_items: int = 0,
            max_items: int = 0,
            required_for_import: bool = False,
            optional_for_import: bool = False,
            extra: Extra = ...,
            nested_extra: Extra = ...,
            default_factory: DefaultFactory = ...,
            requires_replace: RequiresReplace = ...,
            keep: bool = ...,
        ) -> None: ...

        def __get__(self, instance: object, owner: object = None) -> Read_co | Unknown: ...

        def __set__(self, instance: object, value: Write_contra | Unknown) -> None: ...

    class _Block(Attr[Read_co, Write_contra]):
        """A nested block.

        Args:
            default: The value of the constructor's argument if it is left out; without a default,
                the argument is required.
            name: The name on the wire, if the field has another.
            min_items: The least number of blocks.
            max_items: The greatest number of blocks; 0 is no limit.
            extra: Keys of the schema document that this library does not know.
            requires_replace: Whether a change inside replaces the object.
        """

        def __init__(
            self,
            *,
            default: object = ...,
            name: str | None = None,
            min_items: int = 0,
            max_items: int = 0,
            extra: Extra = ...,
            requires_replace: RequiresReplace = ...,
        ) -> None: ...

    class SingleBlock(_Block[E, E], Generic[E]):
        """A single nested block. `SingleBlock[Disk | None]` may be null.

        timeouts: SingleBlock[Timeouts | None] = SingleBlock(default=None)
        """

    class GroupBlock(_Block[E, E], Generic[E]):
        """A nested block that always exists; what is not set inside is null.

        placement: GroupBlock[Placement] = GroupBlock(default=None)
        """

    class ListBlock(_Block[list[E | Unknown], AnySequence[E | Unknown]], Generic[E]):
        """Nested blocks in order.

        rule: ListBlock[Rule] = ListBlock(max_items=50, default=())
        """

    class SetBlock(
        _Block[TofuSet[E | Unknown], AnySequence[E | Unknown] | TofuSet[E | Unknown]], Generic[E]
    ):
        """Nested blocks without order; no two are equal.

        disk: SetBlock[Disk] = SetBlock(default=())
        """

    class MapBlock(_Block[dict[str, E | Unknown], Mapping[str, E | Unknown]], Generic[E]):
        """Nested blocks by label.

        subnet: MapBlock[Subnet] = MapBlock(default={})
        """

else:
    # What stands here makes of both sides what pydantic knows: a union and a `FieldInfo`.

    class Attr:
        """See above, where type checkers look."""

        def __class_getitem__(cls, types: Any) -> Any:
            return _or_unknown(types[0] if isinstance(types, tuple) else types)

        def __new__(cls, *, default: object = PydanticUndefined, **keywords: Any) -> Any:
            behavior = _take_behavior(keywords)
            if behavior is not None and behavior.default_factory is not None:
                default = None  # until it is planned
            return _field(default, FieldSpec(**keywords), behavior)

    class _Block:
        nesting: ClassVar[NestingMode]

        def __class_getitem__(cls, block: Any) -> Any:
            return _or_unknown(_nested(cls.nesting, block))

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
