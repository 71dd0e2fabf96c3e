"""Values of plans: `after` and `after_unknown` joined, plain or as models.

Documents say in two places what a value will be: `after` has what is known, `after_unknown` has
`true` where a value is not. In `after` an unknown member of an object is missing, and null holds
the place of an unknown element. (OpenTofu's `jsonplan`, `omitUnknowns` and `unknownAsBool`.)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import ClassVar, Final

from tofutypes.dynamic import Dynamic
from tofutypes.errors import (
    AttributeStep,
    IndexStep,
    InvalidValueError,
    TypeConstraintError,
    describe,
)
from tofutypes.models.secrets import masked
from tofutypes.narrowing import is_dict, is_list, is_number
from tofutypes.nesting import deep_copy, too_deep
from tofutypes.numbers import normalize_number
from tofutypes.text import attribute_name, normalize_string
from tofutypes.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    STRING,
    ObjectType,
    TupleType,
    Type,
)
from tofutypes.unknown import UNKNOWN, Unknown
from tofutypes.wire.json import JsonReading
from tofutypes.wire.layout import DynamicBlocksLayout
from tofutypes.wire.reading import reader


class Values(dict[str, object]):
    """The attributes of an object of which no model is known, by name: plain Python values.

    Lists, sets and tuples are lists, maps and objects are dicts. Its repr hides what the document
    marks as sensitive.
    """

    __slots__ = ("marks",)
    marks: object

    def __repr__(self) -> str:
        return f"Values({masked(dict(self), self.marks)!r})"

    def __reduce__(self) -> tuple[object, tuple[dict[str, object], object]]:
        return values_of, (dict(self), self.marks)


def values_of(attributes: dict[str, object], marks: object) -> Values:
    """Values with the marks of what is sensitive."""
    values = Values(attributes)
    values.marks = marks
    return values


class InferredDynamic(Dynamic):
    """A dynamically typed value whose type was lost on the way, read by what JSON tells.

    In `show -json` a list, a set and a tuple all are arrays, and a map and an object are objects:
    such a value is taken for a tuple or an object. State files have the type.
    """

    __slots__ = ()
    __kind__: ClassVar[str] = "a dynamically typed value"

    def __repr__(self) -> str:
        return f"Inferred{super().__repr__()}"

    def __deepcopy__(self, memo: dict[int, object]) -> InferredDynamic:
        return InferredDynamic(deep_copy(self.value, memo), self.type)

    def __reduce__(self) -> tuple[object, tuple[object, Type]]:
        return InferredDynamic, (self.value, self.type)


class _PlanReading(JsonReading):
    """How values of `show -json` are read: as JSON, but for dynamically typed values."""

    name: ClassVar[str] = "plan"

    def read_number(self, value: object) -> object:
        if value.__class__ is int:
            return value
        if isinstance(value, float):
            return normalize_number(value)  # of JSON that was parsed by somebody else
        return super().read_number(value)

    def read_dynamic(self, value: object) -> object:
        if isinstance(value, Unknown):
            return UNKNOWN
        try:
            return InferredDynamic(*_inferred(value))
        except TypeConstraintError:
            raise too_deep() from None

    def read_dynamic_blocks(self, value: object, layout: DynamicBlocksLayout) -> object:
        return reader(layout.blocks, self)(value)


PLAN: Final = _PlanReading()


def _inferred(value: object) -> tuple[object, Type]:
    """A value of JSON as a configuration would have it, with its type.

    What `Dynamic` and the reading of a concrete type do one after the other, in one pass.
    """
    if isinstance(value, str):
        return normalize_string(value), STRING
    if value is None or isinstance(value, Unknown):
        return value, DYNAMIC
    if isinstance(value, bool):
        return value, BOOL
    if is_list(value):
        pairs = list(map(_inferred, value))
        types = tuple(type_ for _, type_ in pairs)
        return tuple(element for element, _ in pairs), (
            _kept_tuple_type(types) if len(types) <= _FEW else _tuple_type(types)
        )
    if is_dict(value):
        named = {attribute_name(key): _inferred(value[key]) for key in sorted(value, key=str)}
        types_by_name = tuple((name, type_) for name, (_, type_) in named.items())
        return {n: inner for n, (inner, _) in named.items()}, (
            _kept_object_type(types_by_name)
            if len(types_by_name) <= _FEW
            else _object_type(types_by_name)
        )
    if is_number(value):
        return normalize_number(value), NUMBER
    raise InvalidValueError(f"expected a value of JSON, got {describe(value)}")


_FEW: Final = 32
"""The parts of a type that is kept for other values of the same type."""


def _tuple_type(elements: tuple[Type, ...]) -> Type:
    return TupleType(elements)


def _object_type(attributes: tuple[tuple[str, Type], ...]) -> Type:
    return ObjectType(dict(attributes))


_kept_tuple_type: Final = lru_cache(maxsize=1024)(_tuple_type)
_kept_object_type: Final = lru_cache(maxsize=1024)(_object_type)

_CONTAINERS: Final = frozenset({dict, list, float})


def copied(value: object) -> object:
    """A copy of JSON, with exact numbers."""
    if is_dict(value):
        return {
            key: copied(inner) if inner.__class__ in _CONTAINERS else inner
            for key, inner in value.items()
        }
    if is_list(value):
        return [copied(inner) if inner.__class__ in _CONTAINERS else inner for inner in value]
    if isinstance(value, float):
        return normalize_number(value)
    return value


def as_it_is(value: object) -> object:
    """The value itself, where it need not be copied."""
    return value


def joined(value: object, unknown: object, copy: Callable[[object], object] = copied) -> object:
    """A value in which what is unknown is `UNKNOWN`.

    Args:
        value: the JSON of `after`.
        unknown: the JSON of `after_unknown`.
        copy: what makes a copy of JSON; `as_it_is` to change the value itself.

    Raises:
        InvalidValueError: If the two have different shapes.
    """
    if unknown is True:
        return UNKNOWN
    if not unknown:
        return copy(value) if value.__class__ in _CONTAINERS else value
    if is_dict(unknown) and (value is None or is_dict(value)):
        return _joined_object(value, unknown, copy)
    if is_list(unknown) and (value is None or is_list(value)):
        return _joined_list(value, unknown, copy)
    if not _has_unknown(unknown):
        return copy(value)
    raise InvalidValueError(
        f"after_unknown has {describe(unknown)} where the value is {describe(value)}"
    )


def _joined_object(
    value: dict[object, object] | None,
    unknown: dict[object, object],
    copy: Callable[[object], object],
) -> object:
    if value is None:
        if not _has_unknown(unknown):
            return None
        value = {}
    attributes = copy(value)
    assert is_dict(attributes)
    for name, inner in unknown.items():
        if inner is True:
            attributes[name] = UNKNOWN
        elif inner:
            try:
                part = joined(value.get(name), inner, copy)
            except InvalidValueError as error:
                raise error.at(AttributeStep(str(name))) from None
            if part is not None or name in value:
                attributes[name] = part
    return attributes


def _joined_list(
    value: list[object] | None, unknown: list[object], copy: Callable[[object], object]
) -> object:
    if value is None:
        if not _has_unknown(unknown):
            return None
        value = []
    elements: list[object] = []
    for position in range(max(len(value), len(unknown))):
        inner = unknown[position] if position < len(unknown) else None
        element = value[position] if position < len(value) else None
        try:
            elements.append(joined(element, inner, copy))
        except InvalidValueError as error:
            raise error.at(IndexStep(position)) from None
    return elements


def _has_unknown(unknown: object) -> bool:
    if is_dict(unknown):
        return any(map(_has_unknown, unknown.values()))
    if is_list(unknown):
        return any(map(_has_unknown, unknown))
    if unknown is not None and not isinstance(unknown, bool):
        raise InvalidValueError(f"after_unknown: expected a bool, got {describe(unknown)}")
    return unknown is True
