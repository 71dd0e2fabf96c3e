"""Type constraints: `string`, `number`, `bool`, `dynamic`, collections, tuples and objects.

Source: the documents "Wire Format for Objects and Associated Values", section "Type Constraints";
what go-cty does beyond them is noted at each rule.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from tofutypes.errors import (
    InvalidValueError,
    TypeConstraintError,
    did_you_mean,
    shorten,
)
from tofutypes.limits import current_limits
from tofutypes.nesting import depth_limit
from tofutypes.text import escape_as_go, normalize_string

TypeJson: TypeAlias = "str | list[object]"
"""A type constraint as the objects that a JSON parser returns."""


def check_depth(depth: int) -> None:
    """Check a depth of nesting against the limit. (go-cty has none and crashes on deep input.)

    Raises:
        TypeConstraintError: If the depth is above the limit.
    """
    if depth > current_limits().depth:
        raise too_deep_type()


def too_deep_type() -> TypeConstraintError:
    """The error for a type that nests deeper than the current limits allow."""
    return TypeConstraintError(f"type is nested too deeply ({depth_limit()})")


@dataclass(frozen=True, eq=False)
class Type:
    """A type constraint. Immutable, hashable, comparable and picklable.

    Get one from [`parse_type`][tofutypes.type_parsing.parse_type], or build one from the constants
    `STRING`, `NUMBER`, `BOOL`, `DYNAMIC` and the classes of this module.

        >>> parse_type(["list", "string"]) == ListType(STRING)
        True
    """

    def to_json(self) -> str:
        """The canonical JSON text: compact, attribute names sorted by code point."""
        return self._canonical

    def to_object(self) -> TypeJson:
        """The type constraint as the objects that a JSON parser would return."""
        raise NotImplementedError

    @property
    def friendly_name(self) -> str:
        """The name for people, in the words of go-cty: `list of string`, `object`."""
        raise NotImplementedError

    @cached_property
    def has_dynamic(self) -> bool:
        """Whether `dynamic` occurs in the type at any depth."""
        return any(inner.has_dynamic for inner in self.inner_types())

    @cached_property
    def depth(self) -> int:
        """The levels of nesting: 0 for a primitive, 1 for a list of strings."""
        return 1 + max((inner.depth for inner in self.inner_types()), default=-1)

    @cached_property
    def text_length(self) -> int:
        """About the length of the text, without writing the text of every inner type."""
        return 9 + sum(inner.text_length for inner in self.inner_types())

    def __post_init__(self) -> None:
        check_depth(self.depth)

    def inner_types(self) -> Iterator[Type]:
        """The types of the elements or attributes, one level down."""
        return iter(())

    @cached_property
    def _canonical(self) -> str:
        text = json.dumps(self.to_object(), ensure_ascii=False, separators=(",", ":"))
        return escape_as_go(text)

    @cached_property
    def _hash(self) -> int:
        # Of the inner hashes, since the texts of all levels together would be long.
        return hash((type(self), *self.inner_types()))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Type) and self._canonical == other._canonical

    def __hash__(self) -> int:
        return self._hash

    def __copy__(self) -> Type:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Type:
        return self

    def __str__(self) -> str:
        return self.friendly_name

    def __repr__(self) -> str:
        return f"parse_type({self._canonical!r})"


@dataclass(frozen=True, eq=False, repr=False)
class PrimitiveType(Type):
    """`string`, `number`, `bool`, or `dynamic`: a type that is decided at run time.

    There are these four instances and no others: `PrimitiveType("string") is STRING`.

    Attributes:
        name: The name.
    """

    name: str

    def __new__(cls, name: str) -> PrimitiveType:
        if name not in _PRIMITIVE_NAMES:
            hint = did_you_mean(name, _PRIMITIVE_NAMES) or (
                '; expected "string", "number", "bool" or "dynamic"'
            )
            raise TypeConstraintError(f'unknown type "{shorten(name)}"{hint}')
        return PRIMITIVES.setdefault(name, object.__new__(cls))

    def __reduce__(self) -> tuple[object, ...]:
        return PrimitiveType, (self.name,)

    def to_object(self) -> TypeJson:
        return self.name

    @cached_property
    def _hash(self) -> int:
        return hash(self.name)

    @property
    def friendly_name(self) -> str:
        return self.name

    @cached_property
    def has_dynamic(self) -> bool:
        return self.name == "dynamic"


_PRIMITIVE_NAMES: Final = ("string", "number", "bool", "dynamic")
PRIMITIVES: Final[dict[str, PrimitiveType]] = {}

STRING: Final = PrimitiveType("string")
NUMBER: Final = PrimitiveType("number")
BOOL: Final = PrimitiveType("bool")
DYNAMIC: Final = PrimitiveType("dynamic")


@dataclass(frozen=True, eq=False, repr=False)
class CollectionType(Type):
    """A list, a set or a map: all elements have one type.

    Attributes:
        element: The type of the elements.
    """

    element: Type

    kind = ""

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.element,)

    def to_object(self) -> TypeJson:
        return [self.kind, self.element.to_object()]

    @property
    def friendly_name(self) -> str:
        return f"{self.kind} of {self.element.friendly_name}"

    def inner_types(self) -> Iterator[Type]:
        yield self.element


class ListType(CollectionType):
    """A sequence of elements of one type."""

    kind = "list"


class SetType(CollectionType):
    """Distinct elements of one type, in no order."""

    kind = "set"


class MapType(CollectionType):
    """Elements of one type by string key."""

    kind = "map"


@dataclass(frozen=True, eq=False, repr=False)
class TupleType(Type):
    """A fixed number of elements, each of its own type.

    Attributes:
        elements: The types of the elements.
    """

    elements: tuple[Type, ...] = ()

    def __reduce__(self) -> tuple[object, ...]:
        return TupleType, (self.elements,)

    def to_object(self) -> TypeJson:
        return ["tuple", [element.to_object() for element in self.elements]]

    @property
    def friendly_name(self) -> str:
        return "tuple"

    def inner_types(self) -> Iterator[Type]:
        return iter(self.elements)


@dataclass(frozen=True, eq=False, repr=False, init=False)
class ObjectType(Type):
    """Named attributes, each of its own type.

    Attributes:
        attributes: The types by attribute name. Names are normalised to NFC and sorted by code
            point.
        optional: The names that a configuration may leave out. They matter only where a value is
            converted to the type; the type of a value never has optional attributes.
    """

    attributes: Mapping[str, Type]
    optional: frozenset[str]

    def __init__(
        self, attributes: Mapping[str, Type], optional: Sequence[str] | frozenset[str] = ()
    ) -> None:
        named = {_normalize_name(name): type_ for name, type_ in attributes.items()}
        names = frozenset(map(_normalize_name, optional))
        if undeclared := sorted(names - named.keys()):
            name = undeclared[0]
            hint = did_you_mean(name, named)
            raise TypeConstraintError(f'unknown optional attribute "{shorten(name)}"{hint}')
        object.__setattr__(self, "attributes", dict(sorted(named.items())))
        object.__setattr__(self, "optional", names)
        self.__post_init__()

    def __reduce__(self) -> tuple[object, ...]:
        return ObjectType, (self.attributes, self.optional)

    def to_object(self) -> TypeJson:
        attributes = {name: type_.to_object() for name, type_ in self.attributes.items()}
        if self.optional:
            return ["object", attributes, sorted(self.optional)]
        return ["object", attributes]

    @cached_property
    def text_length(self) -> int:
        return super().text_length + sum(len(name) + 4 for name in self.attributes)

    @cached_property
    def _hash(self) -> int:
        return hash((tuple(self.attributes.items()), self.optional))

    @property
    def friendly_name(self) -> str:
        return "object"

    def inner_types(self) -> Iterator[Type]:
        return iter(self.attributes.values())


def without_optional(type_: Type) -> Type:
    """The type of values of this type: without optional attributes, at any depth."""
    match type_:
        case CollectionType(element=element):
            return type(type_)(without_optional(element))
        case TupleType(elements=elements):
            return TupleType(tuple(map(without_optional, elements)))
        case ObjectType(attributes=attributes):
            return ObjectType({name: without_optional(inner) for name, inner in attributes.items()})
        case _:
            return type_


def _normalize_name(name: str) -> str:
    try:
        return normalize_string(name)
    except InvalidValueError as error:
        raise TypeConstraintError(f"attribute name: {error.message}") from None
