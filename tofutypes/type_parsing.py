"""Type constraints out of their JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from tofutypes.errors import (
    AttributeStep,
    IndexStep,
    Step,
    TypeConstraintError,
    describe,
    did_you_mean,
    shorten,
)
from tofutypes.narrowing import is_mapping, is_sequence
from tofutypes.types import (
    PRIMITIVES,
    CollectionType,
    ListType,
    MapType,
    ObjectType,
    PrimitiveType,
    SetType,
    TupleType,
    Type,
    check_depth,
    too_deep_type,
)


def parse_type(source: str | bytes | Sequence[object]) -> Type:
    """Parse a type constraint.

        >>> parse_type(["list", "string"])
        parse_type('["list","string"]')
        >>> parse_type('["object",{"name":"string"}]').to_object()
        ['object', {'name': 'string'}]

    Args:
        source: JSON text (`'["list","string"]'`), the objects that a JSON parser makes of the text
            (`["list", "string"]`), or a bare primitive name (`"string"`).

    Raises:
        TypeConstraintError: If the source is not a type constraint. The message has the path in
            the JSON.
    """
    if isinstance(source, str) and source in PRIMITIVES:
        return PRIMITIVES[source]
    if isinstance(source, str | bytes):
        source = _parse_text(source)
    try:
        return _parse(source, (), 0)
    except RecursionError:
        raise too_deep_type() from None


def _parse_text(text: str | bytes) -> Any:
    try:
        # Bytes are UTF-8 here; the parser would take UTF-16 and UTF-32 too.
        return json.loads(text if isinstance(text, str) else text.decode())
    except ValueError:
        raise TypeConstraintError("invalid JSON") from None
    except RecursionError:
        raise too_deep_type() from None


def _parse(source: object, steps: tuple[Step, ...], depth: int) -> Type:
    check_depth(depth)
    if isinstance(source, str):
        return _parse_primitive(source, steps)
    if not is_sequence(source) or not source:
        kind = "an empty array" if is_sequence(source) else describe(source)
        raise TypeConstraintError(
            f'expected a name such as "string" or an array such as ["list", "string"], got {kind}',
            steps,
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
            object_type = _parse_attributes(source[1], (*steps, IndexStep(1)), depth + 1)
            optional = _parse_optional(source[2:], (*steps, IndexStep(2)))
            try:
                return ObjectType(object_type.attributes, optional) if optional else object_type
            except TypeConstraintError as error:
                raise TypeConstraintError(error.message, (*steps, IndexStep(2))) from None
        case _:
            raise TypeConstraintError(_unknown_kind(source[0]), steps)


_COLLECTIONS: Final[dict[object, type[CollectionType]]] = {
    cls.kind: cls for cls in (ListType, SetType, MapType)
}


def _parse_primitive(name: str, steps: tuple[Step, ...]) -> Type:
    try:
        return PRIMITIVES.get(name) or PrimitiveType(name)
    except TypeConstraintError as error:
        raise TypeConstraintError(error.message, steps) from None


def _parse_tuple(source: object, steps: tuple[Step, ...], depth: int) -> tuple[Type, ...]:
    if not is_sequence(source):
        raise _expected("an array of element types", source, steps)
    return tuple(
        _parse(element, (*steps, IndexStep(index)), depth) for index, element in enumerate(source)
    )


def _parse_attributes(source: object, steps: tuple[Step, ...], depth: int) -> ObjectType:
    if not is_mapping(source):
        raise _expected("an object of attribute types", source, steps)
    attributes: dict[str, Type] = {}
    for name, type_ in source.items():
        if not isinstance(name, str):
            raise _expected("a string as attribute name", name, steps)
        attributes[name] = _parse(type_, (*steps, AttributeStep(name)), depth)
    try:
        return ObjectType(attributes)
    except TypeConstraintError as error:
        raise TypeConstraintError(error.message, steps) from None


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
            steps,
        )


def _expected(wanted: str, source: object, steps: tuple[Step, ...]) -> TypeConstraintError:
    return TypeConstraintError(f"expected {wanted}, got {describe(source)}", steps)


def _unknown_kind(kind: object) -> str:
    expected = 'expected "list", "set", "map", "tuple" or "object"'
    if not isinstance(kind, str):
        return f"{expected}, got {describe(kind)}"
    hint = did_you_mean(kind, ("list", "set", "map", "tuple", "object"))
    return f'unknown kind of type "{shorten(kind)}"{hint or f"; {expected}"}'
