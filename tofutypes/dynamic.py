"""Dynamic values: values whose type is decided at run time, and the types of plain values."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, ClassVar, NoReturn

from tofutypes.comparison import comparison_key, structural_key
from tofutypes.errors import InvalidValueError, TypeConstraintError, expected
from tofutypes.narrowing import (
    has_attributes,
    is_mapping,
    is_number,
    is_python_set,
    is_sequence,
)
from tofutypes.nesting import deep_copy, safe_repr, too_deep
from tofutypes.sets import is_tofu_set
from tofutypes.text import attribute_name
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


class Dynamic:
    """A value of an attribute whose type constraint is `dynamic`, with its own type.

    Null and an unknown value of unknown type stand bare in such an attribute; every other value
    is a `Dynamic`. A `Dynamic` inside another is the inner one.

        >>> Dynamic(["a", 1])
        Dynamic(['a', 1], parse_type('["tuple",["string","number"]]'))
        >>> Dynamic(["a"], parse_type(["list", "string"])).type.to_json()
        '["list","string"]'

    Args:
        value: The value: plain Python values of the type.
        type: The type of the value. By default, the type that a configuration gives the value: a
            list is a tuple, a dict is an object.

    Raises:
        InvalidValueError: If no type is given and the value is null or unknown, or not a value of
            the type system.
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

    def __tofu_parts__(self) -> Iterable[object]:
        return (self.value,)

    def __tofu_key__(self, in_set: bool) -> Hashable:
        return Dynamic, self.type, structural_key(self.value, in_set)

    if not TYPE_CHECKING:
        # Type checkers would accept an assignment to any attribute.

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
        return f"Dynamic({safe_repr(self.value)}, {self.type!r})"

    def __copy__(self) -> Dynamic:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Dynamic:
        return Dynamic(deep_copy(self.value, memo), self.type)

    def __reduce__(self) -> tuple[object, tuple[object, object]]:
        return Dynamic, (self.value, self.type)


def infer_type(value: object) -> Type:
    """The type that a configuration gives a plain value; `dynamic` for null and unknown values.

    Raises:
        InvalidValueError: If the value is not one of the type system, or is nested too deeply.
    """
    try:
        return _infer_type(value, 0)
    except (TypeConstraintError, RecursionError):
        raise too_deep() from None


def _infer_type(value: object, depth: int) -> Type:
    check_depth(depth)  # before Python's stack ends
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
            {attribute_name(name): _infer_type(part, inner) for name, part in value.items()}
        )
    raise expected("a string, a number, a bool, a collection or null", value)
