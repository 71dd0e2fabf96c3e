"""Type constraints: parsed from and printed as the JSON of the wire format.

`string`, `number`, `bool`, `dynamic`, collections (`list`, `set`, `map`), `tuple` and `object`.
Source: the documents "Wire Format for Objects and Associated Values", section "Type Constraints";
what the reference does beyond them is noted at each rule.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeAlias

from tofutypes.errors import (
    AttributeStep,
    IndexStep,
    Path,
    Step,
    TypeConstraintError,
    describe,
    did_you_mean,
    shorten,
)
from tofutypes.limits import current_limits, depth_limit
from tofutypes.narrowing import is_mapping, is_sequence

TypeJson: TypeAlias = "str | list[object]"
"""A type constraint as the objects that a JSON parser gives."""


def check_depth(depth: int) -> None:
    """Raise if nothing may nest so deep. The reference has no limit and dies of some input.

    Raises:
        TypeConstraintError: it is deeper than the current limits allow.
    """
    if depth > current_limits().depth:
        raise _too_deep()


def _too_deep() -> TypeConstraintError:
    return TypeConstraintError(f"type is nested too deeply ({depth_limit()})")


@dataclass(frozen=True, eq=False)
class Type:
    """A type constraint. Immutable; equal types are equal and hash alike.

    Use [`parse_type`][tofutypes.types.parse_type] to read one, or the constants `STRING`,
    `NUMBER`, `BOOL`, `DYNAMIC` and the classes of this module to build one.
    """

    def to_json(self) -> str:
        """The canonical text: compact, attribute names sorted by code point."""
        return self._canonical

    def to_object(self) -> TypeJson:
        """The type constraint as the objects that a JSON parser would give."""
        raise NotImplementedError

    @property
    def friendly_name(self) -> str:
        """The name for people, as the reference words it: `list of string`, `object`."""
        raise NotImplementedError

    @cached_property
    def has_dynamic(self) -> bool:
        """Whether `dynamic` occurs in it at any depth."""
        return any(inner.has_dynamic for inner in self.inner_types())

    @cached_property
    def depth(self) -> int:
        """How deep it nests: 0 for a primitive, 1 for a list of strings."""
        return 1 + max((inner.depth for inner in self.inner_types()), default=-1)

    @cached_property
    def text_length(self) -> int:
        """About how long its text is, found without writing the text of every inner type."""
        return 9 + sum(inner.text_length for inner in self.inner_types())

    def __post_init__(self) -> None:
        check_depth(self.depth)

    def inner_types(self) -> Iterator[Type]:
        """The types of its elements or attributes, one level down."""
        return iter(())

    @cached_property
    def _canonical(self) -> str:
        text = json.dumps(self.to_object(), ensure_ascii=False, separators=(",", ":"))
        return escape_as_go(text)

    @cached_property
    def _hash(self) -> int:
        # Of the inner hashes: the texts of types in each other are as long as all levels together.
        return hash((type(self), *self.inner_types()))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Type) and self._canonical == other._canonical

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return parse_type, (self._canonical,)

    def __str__(self) -> str:
        return self.friendly_name

    def __repr__(self) -> str:
        return f"parse_type({self._canonical!r})"


@dataclass(frozen=True, eq=False, repr=False)
class PrimitiveType(Type):
    """`string`, `number` or `bool`, or `dynamic`: a type decided at run time.

    There are these four and no others: `PrimitiveType("string") is STRING`.
    """

    name: str

    def __new__(cls, name: str) -> PrimitiveType:
        if name not in _PRIMITIVE_NAMES:
            raise TypeConstraintError(_unknown_primitive(name))
        return _PRIMITIVES.setdefault(name, object.__new__(cls))

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
_PRIMITIVES: Final[dict[str, PrimitiveType]] = {}

STRING: Final = PrimitiveType("string")
NUMBER: Final = PrimitiveType("number")
BOOL: Final = PrimitiveType("bool")
DYNAMIC: Final = PrimitiveType("dynamic")


@dataclass(frozen=True, eq=False, repr=False)
class CollectionType(Type):
    """A collection: all its elements have one type."""

    element: Type

    kind = ""

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
    """A fixed number of elements, each of its own type."""

    elements: tuple[Type, ...] = ()

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
        attributes: the type by attribute name, names normalised to NFC and sorted by code point.
        optional: the names that a configuration may leave out. They matter where a value is
            converted to the type only; the type of a value never has any.
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


def parse_type(source: str | bytes | Sequence[object]) -> Type:
    """Read a type constraint.

    Args:
        source: JSON text (`'["list","string"]'`), or the objects that a JSON parser makes of it
            (`["list", "string"]`). A bare primitive name (`string`) is taken as such an object.

    Raises:
        TypeConstraintError: it is not a type constraint; the message says where and why.
    """
    if isinstance(source, str) and source in _PRIMITIVES:
        return _PRIMITIVES[source]
    if isinstance(source, str | bytes):
        source = _parse_text(source)
    try:
        return _parse(source, (), 0)
    except RecursionError:
        raise _too_deep() from None


def without_optional(type_: Type) -> Type:
    """The type that values of this type have: attributes are never optional in it, at any depth."""
    match type_:
        case CollectionType(element=element):
            return type(type_)(without_optional(element))
        case TupleType(elements=elements):
            return TupleType(tuple(map(without_optional, elements)))
        case ObjectType(attributes=attributes):
            return ObjectType({name: without_optional(inner) for name, inner in attributes.items()})
        case _:
            return type_


def _parse_text(text: str | bytes) -> Any:
    try:
        # Bytes are UTF-8 here; the parser would take UTF-16 and UTF-32 too.
        return json.loads(text if isinstance(text, str) else text.decode())
    except ValueError:
        raise TypeConstraintError("invalid JSON") from None
    except RecursionError:
        raise _too_deep() from None


def _parse(source: object, steps: tuple[Step, ...], depth: int) -> Type:
    check_depth(depth)
    if isinstance(source, str):
        return _parse_primitive(source, steps)
    if not is_sequence(source) or not source:
        kind = "an empty array" if is_sequence(source) else describe(source)
        raise TypeConstraintError(
            f'expected a name such as "string" or an array such as ["list", "string"], got {kind}',
            Path(steps),
        )
    match source[0]:
        case "list" | "set" | "map" as kind:
            _expect_length(source, 2, 2, steps)
            element = _parse(source[1], (*steps, IndexStep(1)), depth + 1)
            return _COLLECTIONS[kind](element)
        case "tuple":
            _expect_length(source, 2, 2, steps)
            return TupleType(_parse_tuple(source[1], (*steps, IndexStep(1)), depth + 1))
        case "object":
            _expect_length(source, 2, 3, steps)
            attributes = _parse_attributes(source[1], (*steps, IndexStep(1)), depth + 1)
            optional = _parse_optional(source[2:], (*steps, IndexStep(2)))
            try:
                return ObjectType(attributes, optional)
            except TypeConstraintError as error:
                raise TypeConstraintError(error.message, Path((*steps, IndexStep(2)))) from None
        case _:
            raise TypeConstraintError(_unknown_kind(source[0]), Path(steps))


_COLLECTIONS: Final[dict[object, type[CollectionType]]] = {
    each.kind: each for each in (ListType, SetType, MapType)
}


def _parse_primitive(name: str, steps: tuple[Step, ...]) -> Type:
    primitive = _PRIMITIVES.get(name)
    if primitive is None:
        raise TypeConstraintError(_unknown_primitive(name), Path(steps))
    return primitive


def _parse_tuple(source: object, steps: tuple[Step, ...], depth: int) -> tuple[Type, ...]:
    if not is_sequence(source):
        raise _expected("an array of element types", source, steps)
    return tuple(
        _parse(element, (*steps, IndexStep(index)), depth) for index, element in enumerate(source)
    )


def _parse_attributes(source: object, steps: tuple[Step, ...], depth: int) -> dict[str, Type]:
    if not is_mapping(source):
        raise _expected("an object of attribute types", source, steps)
    attributes: dict[str, Type] = {}
    for name, type_ in source.items():
        if not isinstance(name, str):
            raise _expected("a string as attribute name", name, steps)
        try:
            normal = _normalize_name(name)
        except TypeConstraintError as error:
            raise TypeConstraintError(error.message, Path(steps)) from None
        attributes[normal] = _parse(type_, (*steps, AttributeStep(name)), depth)
    return attributes


def _parse_optional(source: Sequence[object], steps: tuple[Step, ...]) -> list[str]:
    if not source:
        return []
    names = source[0]
    if not is_sequence(names):
        raise _expected("an array of attribute names", names, steps)
    for position, name in enumerate(names):
        if not isinstance(name, str):
            raise _expected("a string as attribute name", name, (*steps, IndexStep(position)))
    return [name for name in names if isinstance(name, str)]


def _expect_length(
    source: Sequence[object], least: int, most: int, steps: tuple[Step, ...]
) -> None:
    if not least <= len(source) <= most:
        wanted = f"{least}" if least == most else f"{least} or {most}"
        raise TypeConstraintError(
            f'expected an array of {wanted} elements for "{source[0]}", got {len(source)}',
            Path(steps),
        )


_GO_ESCAPES: Final = str.maketrans(
    {
        "<": "\\u003c",
        ">": "\\u003e",
        "&": "\\u0026",
        "\u2028": "\\u2028",
        "\u2029": "\\u2029",
    }
)


def escape_as_go(text: str) -> str:
    """JSON text with the escapes that Go's encoder, hence the reference, adds inside strings.

    Outside of strings, JSON has none of these characters.
    """
    return text.translate(_GO_ESCAPES)


def _normalize_name(name: str) -> str:
    if not name.isascii():
        name = unicodedata.normalize("NFC", name)
        if any("\ud800" <= character <= "\udfff" for character in name):
            raise TypeConstraintError("invalid Unicode in an attribute name: unpaired surrogate")
    return name


def _expected(wanted: str, source: object, steps: tuple[Step, ...]) -> TypeConstraintError:
    return TypeConstraintError(f"expected {wanted}, got {describe(source)}", Path(steps))


def _unknown_primitive(name: str) -> str:
    hint = did_you_mean(name, _PRIMITIVE_NAMES)
    return f'unknown type "{shorten(name)}"{hint or _PRIMITIVES_EXPECTED}'


_PRIMITIVES_EXPECTED: Final = '; expected "string", "number", "bool" or "dynamic"'


def _unknown_kind(kind: object) -> str:
    expected = 'expected "list", "set", "map", "tuple" or "object"'
    if not isinstance(kind, str):
        return f"{expected}, got {describe(kind)}"
    hint = did_you_mean(kind, ("list", "set", "map", "tuple", "object"))
    return f'unknown kind of type "{shorten(kind)}"{hint or f"; {expected}"}'
