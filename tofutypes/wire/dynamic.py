"""Dynamically typed values: which concrete type they have, and how they change places.

The type system has no value "dynamic in dynamic": inside a dynamically typed value every type is
concrete, except for nulls and unknown values whose type is itself not known yet.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TypeVar

from tofutypes.errors import AttributeStep, IndexStep, InvalidValueError, KeyStep, Step, describe
from tofutypes.types import (
    DYNAMIC,
    CollectionType,
    MapType,
    ObjectType,
    SetType,
    TupleType,
    Type,
)
from tofutypes.unknown import Unknown
from tofutypes.values import Dynamic, HasAttributes, TofuSet, infer_type
from tofutypes.wire.layout import (
    CollectionLayout,
    DynamicBlocksLayout,
    Layout,
    ObjectLayout,
    TupleLayout,
    layout_of_type,
)


def concrete(value: object, layout: Layout) -> tuple[object, Type]:
    """The value in plain Python, with no `Dynamic` and no model inside, and its concrete type.

    Raises:
        InvalidValueError: the elements of a collection turn out to be of several types.
    """
    if isinstance(value, Dynamic):
        return concrete(value.value, layout_of_type(value.type))
    if layout.type is DYNAMIC and not isinstance(layout, DynamicBlocksLayout):
        if value is None or isinstance(value, Unknown):
            return value, DYNAMIC
        return concrete(value, layout_of_type(infer_type(value)))
    if value is None or isinstance(value, Unknown):
        return value, layout.type
    match layout:
        case DynamicBlocksLayout(blocks=blocks):
            return _concrete_blocks(value, blocks)
        case CollectionLayout(type=type_):
            if type_.element.has_dynamic or isinstance(layout.element, ObjectLayout):
                return _concrete_collection(value, layout)
        case TupleLayout(elements=layouts):
            pairs = [concrete(each, part) for each, part in _zip(value, layouts)]
            return tuple(each for each, _ in pairs), TupleType(tuple(type_ for _, type_ in pairs))
        case ObjectLayout():
            return _concrete_object(value, layout)
    return value, layout.type


def _concrete_blocks(value: object, blocks: CollectionLayout) -> tuple[object, Type]:
    if isinstance(value, Mapping):
        named = {key: concrete(each, blocks.element) for key, each in value.items()}
        return (
            {key: each for key, (each, _) in named.items()},
            ObjectType({key: type_ for key, (_, type_) in named.items()}),
        )
    pairs = [concrete(each, blocks.element) for each in _elements(value)]
    return tuple(each for each, _ in pairs), TupleType(tuple(type_ for _, type_ in pairs))


def _concrete_collection(value: object, layout: CollectionLayout) -> tuple[object, Type]:
    kind = type(layout.type)
    if isinstance(value, Mapping):
        named = {key: concrete(each, layout.element) for key, each in value.items()}
        element = _one_type((type_ for _, type_ in named.values()), layout.type)
        return {key: each for key, (each, _) in named.items()}, MapType(element)
    pairs = [concrete(each, layout.element) for each in _elements(value)]
    plain = [each for each, _ in pairs]
    element = _one_type((type_ for _, type_ in pairs), layout.type)
    return (TofuSet(plain) if kind is SetType else plain), kind(element)


def _concrete_object(value: object, layout: ObjectLayout) -> tuple[object, Type]:
    if isinstance(value, HasAttributes):
        value = value.__tofu_attributes__()
    if not isinstance(value, Mapping):
        return value, layout.type
    named = {field.name: concrete(value.get(field.name), field.layout) for field in layout.fields}
    return (
        {name: each for name, (each, _) in named.items()},
        ObjectType({name: type_ for name, (_, type_) in named.items()}),
    )


def check_one_type(value: Iterable[object], layout: CollectionLayout) -> None:
    """Raise unless the elements of a collection of dynamically typed values have one type.

    Source: observed, go-cty 1.18.1, which panics otherwise.
    """
    _one_type((concrete(each, layout.element)[1] for each in value), layout.type)


def _one_type(types: Iterable[Type], declared: CollectionType) -> Type:
    """The one type of all elements; those whose type is not known yet do not count."""
    found = {type_ for type_ in types if type_ is not DYNAMIC}
    if not found:
        return declared.element
    # Elements may differ in what is not known of their types only.
    if len({type_ for type_ in found if not type_.has_dynamic}) > 1:
        raise InvalidValueError(
            f"the elements of a {declared.kind} must all have one type, got several"
        )
    return min(found, key=lambda type_: (type_.has_dynamic, type_.to_json()))


def in_place_of(value: object, actual: Type, layout: Layout) -> object:
    """The opposite of `concrete`: wrap in `Dynamic` what stands where the layout says `dynamic`.

    Raises:
        InvalidValueError: the value has another shape than the layout.
    """
    if isinstance(layout, DynamicBlocksLayout):
        layout = layout.blocks
    elif layout.type is DYNAMIC:
        return value if actual is DYNAMIC else Dynamic(value, actual)
    if value is None or isinstance(value, Unknown):
        return value
    match layout, actual:
        case CollectionLayout(type=MapType(), element=part), MapType() | ObjectType():
            assert isinstance(value, Mapping)
            types = _types_by_name(actual, value)
            return {key: _at(KeyStep(key), each, types[key], part) for key, each in value.items()}
        case CollectionLayout(element=part), CollectionType() | TupleType():
            each_type = _types_in_order(actual, _elements(value))
            return [
                _at(IndexStep(position), each, type_, part)
                for position, (each, type_) in enumerate(zip(value, each_type, strict=True))  # type: ignore[call-overload]
            ]
        case TupleLayout(elements=parts), TupleType(elements=types_) if len(parts) == len(types_):
            return tuple(
                _at(IndexStep(position), each, types_[position], parts[position])
                for position, each in enumerate(_elements(value))
            )
        case ObjectLayout(fields=fields), ObjectType(attributes=attributes):
            assert isinstance(value, Mapping)
            wanted = {field.name: field.layout for field in fields}
            if attributes.keys() != wanted.keys():
                odd = min(attributes.keys() ^ wanted.keys())
                missing = "is missing" if odd in wanted else "is not known to the schema"
                raise InvalidValueError(f"the attribute or nested block {missing}").at(
                    AttributeStep(odd)
                )
            return {
                name: _at(AttributeStep(name), value[name], attributes[name], part)
                for name, part in wanted.items()
            }
        case _ if actual == layout.type:
            return value
    raise InvalidValueError(f"the type {layout.type} is required, got {actual}")


def _at(step: Step, value: object, actual: Type, layout: Layout) -> object:
    try:
        return in_place_of(value, actual, layout)
    except InvalidValueError as error:
        raise error.at(step) from None


def _types_by_name(actual: Type, value: Mapping[str, object]) -> Mapping[str, Type]:
    if isinstance(actual, ObjectType):
        return actual.attributes
    assert isinstance(actual, MapType)
    return dict.fromkeys(value, actual.element)


def _types_in_order(actual: Type, value: Collection[object]) -> Collection[Type]:
    if isinstance(actual, TupleType):
        return actual.elements
    assert isinstance(actual, CollectionType)
    return [actual.element] * len(value)


T = TypeVar("T")


def _elements(value: object) -> Collection[object]:
    if isinstance(value, list | tuple | TofuSet | set | frozenset):
        return value
    raise InvalidValueError(f"a collection is required, got {describe(value)}")


def _zip(value: object, parts: tuple[Layout, ...]) -> Iterable[tuple[object, Layout]]:
    elements = _elements(value)
    if len(elements) != len(parts):
        raise InvalidValueError(
            f"a tuple of {len(parts)} elements is required, got one of {len(elements)}"
        )
    return zip(elements, parts, strict=True)
