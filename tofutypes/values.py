"""Values that Python has no type for: sets of the type system, dynamically typed values, NFC text.

The other values are Python's own: `None`, `str`, `bool`, `int`, `decimal.Decimal`, `list`, `dict`,
`tuple`; and [`Unknown`][tofutypes.unknown.Unknown].
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import ClassVar, Final, Protocol, TypeVar, runtime_checkable

from tofutypes.errors import InvalidValueError
from tofutypes.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    STRING,
    ObjectType,
    SetType,
    TupleType,
    Type,
)
from tofutypes.unknown import Unknown

T_co = TypeVar("T_co", covariant=True)


@runtime_checkable
class HasAttributes(Protocol):
    """An object value that is not a dict: an instance of a model."""

    def __tofu_attributes__(self) -> Mapping[str, object]:
        """Its attributes and nested blocks by their names on the wire."""
        ...


def normalize_string(value: str) -> str:
    """The string as the type system holds it: normalised to NFC.

    Source: the wire format document; go-cty normalises every string value and every map key.

    Raises:
        InvalidValueError: it holds half of a surrogate pair, which no UTF-8 can carry.
    """
    if value.isascii():
        return str(value)
    value = unicodedata.normalize("NFC", value)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InvalidValueError(
            "a string of whole characters is required, got half of a surrogate pair"
        ) from None
    return value


class TofuSet(Collection[T_co]):
    """A set of the type system: no order, no duplicates among its known elements.

    Unlike a Python `set` it can hold elements that are not hashable, and two unknown elements stay
    two, for their final values may differ. Made from any iterable; equal to another set with equal
    elements in any order; iterates sorted where the elements are strings, numbers or bools (false
    before true), in the order given otherwise. Immutable: assign a new one to change it.

        >>> TofuSet(["b", "a", "b"])
        TofuSet(['a', 'b'])
    """

    __slots__ = ("_given", "_settled")
    __kind__: ClassVar[str] = "a set"

    _given: list[T_co]
    _settled: bool

    def __init__(self, elements: Iterable[T_co] = ()) -> None:
        self._given = sort_elements(distinct(elements))
        self._settled = True

    @classmethod
    def deferred(cls, elements: list[T_co]) -> TofuSet[T_co]:
        """The set of these elements, whose duplicates are looked for when it is first looked at.

        Telling structured elements apart costs more than reading them, and many sets are only
        handed on.
        """
        made: TofuSet[T_co] = object.__new__(cls)
        made._given = elements
        made._settled = False
        return made

    @property
    def _elements(self) -> list[T_co]:
        if not self._settled:
            self._given = sort_elements(distinct(self._given))
            self._settled = True
        return self._given

    def __iter__(self) -> Iterator[T_co]:
        return iter(self._elements)

    def __len__(self) -> int:
        return len(self._elements)

    def __contains__(self, element: object) -> bool:
        key = structural_key(element)
        return any(structural_key(mine) == key for mine in self._elements)

    def __reduce__(self) -> tuple[type[TofuSet[T_co]], tuple[list[T_co]]]:
        return TofuSet, (self._elements,)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, TofuSet):
            if self._elements == other._elements:
                return True
            return len(self) == len(other) and structural_key(self) == structural_key(other)
        if isinstance(other, set | frozenset):
            return self == TofuSet(other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]  # its elements may be mutable

    def __repr__(self) -> str:
        return f"TofuSet({self._elements!r})"


def structural_key(value: object) -> Hashable:
    """A key that is equal for values that are equal as values of the type system.

    Tagged by kind, because to Python `True == 1`. Unknown values get the key of what is known
    about them; whether they are one value is for the caller to judge.
    """
    if isinstance(value, bool):
        return bool, value
    if value is None or isinstance(value, str | int | float | Decimal | Unknown):
        return value
    if isinstance(value, list | tuple):
        return list, tuple(map(structural_key, value))
    if isinstance(value, TofuSet | set | frozenset):
        return set, frozenset(Counter(map(structural_key, value)).items())
    if isinstance(value, Dynamic):
        return Dynamic, value.type, structural_key(value.value)
    if isinstance(value, HasAttributes):
        value = value.__tofu_attributes__()
    if isinstance(value, Mapping):
        return dict, frozenset((name, structural_key(each)) for name, each in value.items())
    return id(value)


def is_wholly_known(value: object) -> bool:
    """Whether the value is known, and everything inside it too."""
    if isinstance(value, Unknown):
        return False
    if isinstance(value, str | int):
        return True
    if isinstance(value, Dynamic):
        return is_wholly_known(value.value)
    if isinstance(value, HasAttributes):
        return all(map(is_wholly_known, value.__tofu_attributes__().values()))
    if isinstance(value, Mapping):
        return all(map(is_wholly_known, value.values()))
    if isinstance(value, list | tuple | TofuSet | set | frozenset):
        return all(map(is_wholly_known, value))
    return True


T = TypeVar("T")


def distinct(elements: Iterable[T]) -> list[T]:
    """The elements without known duplicates: an unknown element equals nothing, not even itself."""
    kept: list[T] = []
    seen: set[Hashable] = set()
    for element in elements:
        key = structural_key(element)
        if key in seen and is_wholly_known(element):
            continue
        seen.add(key)
        kept.append(element)
    return kept


def sort_elements(elements: list[T]) -> list[T]:
    """The elements of a set as the reference writes them, sorted in place.

    Primitives ascend (false before true), then unknown elements, then null; elements of other
    types stay as they are. Source: observed, go-cty 1.18.1.
    """
    if all(element is None or isinstance(element, _SORTED_KINDS) for element in elements):
        elements.sort(key=_sort_key)
    return elements


_SORTED_KINDS: Final = (str, bool, int, float, Decimal, Unknown)


def _sort_key(element: object) -> tuple[int, object]:
    if isinstance(element, Unknown):
        return 1, 0
    return (2, 0) if element is None else (0, element)


class Dynamic:
    """A value whose type is decided at run time, with that type.

    In a place whose type constraint is `dynamic`, null and an unknown value of unknown type stand
    bare; everything else is a `Dynamic`. One inside another is the inner one.

    Args:
        value: the value; plain Python values of the type.
        type: its type. Left out, it is what a configuration would make of the value: a list is a
            tuple, a dict is an object.

    Raises:
        InvalidValueError: the type is left out and the value does not tell it.
    """

    __slots__ = ("type", "value")
    __kind__: ClassVar[str] = "a dynamically typed value"

    value: object
    type: Type

    def __init__(self, value: object, type: Type | None = None) -> None:
        while isinstance(value, Dynamic):
            value, type = value.value, value.type
        if type is None:
            type = infer_type(value)
            if type is DYNAMIC:
                raise InvalidValueError("a null or unknown value does not tell its type: give one")
        object.__setattr__(self, "value", value)
        object.__setattr__(self, "type", type)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a dynamically typed value is immutable")

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Dynamic):
            return self.type == other.type and structural_key(self) == structural_key(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(structural_key(self))

    def __repr__(self) -> str:
        return f"Dynamic({self.value!r}, {self.type!r})"

    def __reduce__(self) -> tuple[object, tuple[object, object]]:
        return Dynamic, (self.value, self.type)


def infer_type(value: object) -> Type:
    """The type that a configuration gives such a value; `dynamic` if the value does not tell.

    Raises:
        InvalidValueError: it is not a value of the type system.
    """
    match value:
        case None | Unknown():
            return DYNAMIC
        case str():
            return STRING
        case bool():
            return BOOL
        case int() | float() | Decimal():
            return NUMBER
        case Dynamic():
            return value.type
        case list() | tuple():
            return TupleType(tuple(map(infer_type, value)))
        case TofuSet() | set() | frozenset():
            types = {infer_type(element) for element in value}
            if len(types) > 1:
                raise InvalidValueError("the elements of a set must all have one type")
            return SetType(types.pop() if types else DYNAMIC)
        case HasAttributes():
            return infer_type(dict(value.__tofu_attributes__()))
        case Mapping() if all(isinstance(name, str) for name in value):
            return ObjectType({name: infer_type(each) for name, each in value.items()})
    raise InvalidValueError("a value of the type system is required", ())
