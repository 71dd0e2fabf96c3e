"""Values that Python has no type for: sets of the type system, dynamically typed values, NFC text.

The other values are Python's own: `None`, `str`, `bool`, `int`, `decimal.Decimal`, `list`, `dict`,
`tuple`; and [`Unknown`][tofutypes.unknown.Unknown].
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import ClassVar, Final, NoReturn, Protocol, TypeVar, runtime_checkable

from typing_extensions import TypeIs

from tofutypes.errors import InvalidValueError, TypeConstraintError, expected
from tofutypes.limits import deep_copy, shown, too_deep
from tofutypes.narrowing import is_dict, is_mapping, is_number, is_python_set, is_sequence
from tofutypes.numbers import normalize_number
from tofutypes.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    STRING,
    ObjectType,
    SetType,
    TupleType,
    Type,
    check_depth,
)
from tofutypes.unknown import Unknown

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@runtime_checkable
class HasAttributes(Protocol):
    """An object value that is not a dict: an instance of a model."""

    def __tofu_attributes__(self) -> Mapping[str, object]:
        """Its attributes and nested blocks by their names on the wire."""
        ...


def has_attributes(value: object) -> TypeIs[HasAttributes]:
    """Whether it is an object value that is not a dict. (Quicker than `isinstance`.)"""
    return hasattr(value, "__tofu_attributes__")


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
        raise InvalidValueError("invalid Unicode: unpaired surrogate") from None
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
    _settled: list[T_co]

    def __init__(self, elements: Iterable[T_co] = ()) -> None:
        self._given = list(elements)
        self.settled()

    @classmethod
    def deferred(cls, elements: list[T_co]) -> TofuSet[T_co]:
        """The set of these elements, whose duplicates are looked for when it is first looked at.

        Telling structured elements apart costs more than reading them, and many sets are only
        handed on.
        """
        made: TofuSet[T_co] = object.__new__(cls)
        made._given = elements
        return made

    def in_any_number(self) -> list[T_co]:
        """The elements, equal ones perhaps more than once: for code that finds those anyway."""
        return self._given

    def settled(self) -> list[T_co]:
        """The elements as the set iterates them: the list itself, not to be changed."""
        try:
            return self._settled
        except AttributeError:
            self._settled = self._given = sort_elements(distinct(self._given))
            return self._settled

    def __tofu_lengths__(self) -> tuple[int, int]:
        """The least and the greatest length in the end: what is unknown may come to be equal.

        Source: go-cty. Its least is always 1; here the elements that are known are counted.
        """
        elements = self.settled()
        known = sum(map(is_wholly_known, elements))
        return max(known, min(len(elements), 1)), len(elements)

    def __iter__(self) -> Iterator[T_co]:
        return iter(self.settled())

    def __len__(self) -> int:
        return len(self.settled())

    def __contains__(self, element: object) -> bool:
        key = comparison_key(element)
        return any(comparison_key(mine) == key for mine in self.settled())

    def __reduce__(self) -> tuple[type[TofuSet[T_co]], tuple[list[T_co]]]:
        return TofuSet, (self.settled(),)

    def __eq__(self, other: object) -> bool:
        if is_tofu_set(other):
            return len(self) == len(other) and comparison_key(self) == comparison_key(other)
        if is_python_set(other):
            return self == TofuSet(other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]  # its elements may be mutable

    def __repr__(self) -> str:
        return f"TofuSet({shown(self.settled())})"

    def __deepcopy__(self, memo: dict[int, object]) -> TofuSet[T_co]:
        return TofuSet[T_co].deferred(deep_copy(self.settled(), memo))


def is_tofu_set(value: object) -> TypeIs[TofuSet[object]]:
    """Whether it is a set of the type system."""
    return value.__class__ is TofuSet or isinstance(value, TofuSet)


def comparison_key(value: object) -> Hashable:
    """The structural key, for values that may be nested without end.

    Raises:
        InvalidValueError: it holds NaN, a number of too many digits, or is nested too deeply.
    """
    try:
        key = structural_key(value)
        hash(key)
    except RecursionError:
        raise too_deep() from None
    return key


def structural_key(value: object) -> Hashable:
    """A key that is equal for values that are equal as values of the type system.

    Tagged by kind, because to Python `True == 1`. Unknown values get the key of what is known
    about them; whether they are one value is for the caller to judge.

    Raises:
        InvalidValueError: it holds NaN, or a number of too many digits.
    """
    if isinstance(value, str):
        return value if value.isascii() else unicodedata.normalize("NFC", value)
    if value is None or isinstance(value, Unknown):
        return value
    if isinstance(value, bool):
        return bool, value
    if isinstance(value, int):
        return value
    # The tests that are quick come first: those of an ABC are slow to say no.
    if value.__class__ is TofuSet and is_tofu_set(value):
        return _key_in_any_order(value)
    if has_attributes(value):
        value = value.__tofu_attributes__()
    if is_dict(value):
        return _key_by_name(value)
    if is_sequence(value):
        return list, tuple(map(structural_key, value))
    if is_number(value):
        return normalize_number(value)
    if isinstance(value, Dynamic):
        return Dynamic, value.type, structural_key(value.value)
    if is_tofu_set(value) or is_python_set(value):
        return _key_in_any_order(value)
    if is_mapping(value):
        return _key_by_name(value)
    return id(value)


def _key_in_any_order(value: Collection[object]) -> Hashable:
    keys = list(map(structural_key, value))
    once = frozenset(keys)
    return set, once if len(once) == len(keys) else frozenset(Counter(keys).items())


def _key_by_name(value: Mapping[object, object]) -> Hashable:
    return dict, frozenset(zip(value, map(structural_key, value.values()), strict=True))


def is_wholly_known(value: object) -> bool:
    """Whether the value is known, and everything inside it too."""
    if isinstance(value, Unknown):
        return False
    if isinstance(value, str | int):
        return True
    if isinstance(value, Dynamic):
        return is_wholly_known(value.value)
    if has_attributes(value):
        return all(map(is_wholly_known, value.__tofu_attributes__().values()))
    if is_mapping(value):
        return all(map(is_wholly_known, value.values()))
    if is_sequence(value) or is_tofu_set(value) or is_python_set(value):
        return all(map(is_wholly_known, value))
    return True


def distinct(elements: Collection[T]) -> list[T]:
    """The elements without known duplicates: an unknown element equals nothing, not even itself.

    Raises:
        InvalidValueError: an element is nested too deeply, or holds NaN.
    """
    kept: list[T] = []
    seen: set[Hashable] = set()
    try:
        for element in elements:
            key = structural_key(element)
            if key in seen and is_wholly_known(element):
                continue
            seen.add(key)
            kept.append(element)
    except RecursionError:
        raise too_deep() from None
    return kept


def sort_elements(elements: list[T]) -> list[T]:
    """The elements of a set as the reference writes them, sorted in place.

    Primitives ascend (false before true), then unknown elements, then null; elements of other
    types stay as they are. Source: observed, go-cty 1.18.1. The order of several unknown elements
    is ours, and so is that of elements of several types, which no set of the type system has.
    """
    if all(element is None or isinstance(element, _SORTED_KINDS) for element in elements):
        elements.sort(key=_sort_key)
    return elements


_SORTED_KINDS: Final = (str, bool, int, float, Decimal, Unknown)


def _sort_key(element: object) -> tuple[int, object]:
    if isinstance(element, str):
        return 2, element
    if isinstance(element, bool):
        return 0, element
    if isinstance(element, Unknown):
        return 3, element.refinements.order()
    return (4, 0) if element is None else (1, element)


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
    __kind__: ClassVar[str] = "a dynamic value"

    value: object
    type: Type

    def __init__(self, value: object, type: Type | None = None) -> None:
        while isinstance(value, Dynamic):
            type, value = value.type, value.value
        if type is None:
            type = infer_type(value)
            if type is DYNAMIC:
                raise InvalidValueError(
                    "cannot infer the type of a null or unknown value; pass `type`"
                )
        object.__setattr__(self, "value", value)
        object.__setattr__(self, "type", type)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("dynamic values are immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("dynamic values are immutable")

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Dynamic):
            return comparison_key(self) == comparison_key(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(comparison_key(self))

    def __repr__(self) -> str:
        return f"Dynamic({shown(self.value)}, {self.type!r})"

    def __copy__(self) -> Dynamic:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Dynamic:
        return Dynamic(deep_copy(self.value, memo), self.type)

    def __reduce__(self) -> tuple[object, tuple[object, object]]:
        return Dynamic, (self.value, self.type)


def infer_type(value: object) -> Type:
    """The type that a configuration gives such a value; `dynamic` if the value does not tell.

    Raises:
        InvalidValueError: it is not a value of the type system, or it is nested too deeply.
    """
    try:
        return _infer_type(value, 0)
    except (TypeConstraintError, RecursionError):
        raise too_deep() from None


def _infer_type(value: object, depth: int) -> Type:
    check_depth(depth)  # before the value is found to be endless
    if value is None or isinstance(value, Unknown):
        return DYNAMIC
    if isinstance(value, str):
        return STRING
    if isinstance(value, bool):
        return BOOL
    if is_number(value):
        return NUMBER
    if isinstance(value, Dynamic):
        return value.type
    inner = depth + 1
    if is_sequence(value):
        return TupleType(tuple(_infer_type(element, inner) for element in value))
    if is_tofu_set(value) or is_python_set(value):
        types = {_infer_type(element, inner) for element in value}
        if len(types) > 1:
            raise InvalidValueError("expected elements of one type in a set, got several types")
        return SetType(types.pop() if types else DYNAMIC)
    if has_attributes(value):
        value = value.__tofu_attributes__()
    if is_mapping(value):
        return ObjectType(
            {attribute_name(name): _infer_type(each, inner) for name, each in value.items()}
        )
    raise expected("a string, a number, a bool, a collection or null", value)


def attribute_name(key: object) -> str:
    """The key of a mapping as the name of an attribute or the key of a map: a string, in NFC.

    Raises:
        InvalidValueError: it is not a string.
    """
    if not isinstance(key, str):
        raise expected("a string as key", key)
    return normalize_string(str.__str__(key))
