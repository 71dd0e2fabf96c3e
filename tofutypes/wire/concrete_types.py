"""Dynamically typed values: which concrete type they have, and how they change places.

The type system has no value "dynamic in dynamic": inside a dynamically typed value every type is
concrete, except for nulls and unknown values whose type is itself not known yet.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import reduce

from tofutypes.dynamic import Dynamic, infer_type
from tofutypes.errors import (
    AttributeStep,
    IndexStep,
    InvalidValueError,
    KeyStep,
    Step,
    TypeConstraintError,
    expected,
    missing_attribute,
    unknown_attribute,
)
from tofutypes.narrowing import has_attributes, is_mapping, is_python_set, is_sequence
from tofutypes.nesting import too_deep
from tofutypes.sets import TofuSet, is_tofu_set
from tofutypes.text import attribute_name
from tofutypes.types import (
    DYNAMIC,
    CollectionType,
    ListType,
    MapType,
    ObjectType,
    SetType,
    TupleType,
    Type,
    without_optional,
)
from tofutypes.unknown import Unknown
from tofutypes.wire.checks import length_error
from tofutypes.wire.layout import (
    CollectionLayout,
    DynamicBlocksLayout,
    Layout,
    ObjectLayout,
    TupleLayout,
    layout_of_type,
)


def dynamic_of(value: object, layout: Layout) -> object:
    """The value with its concrete type; bare where its type is not known.

    Raises:
        InvalidValueError: If the type is nested too deeply, or elements have several types.
    """
    try:
        plain, type_ = concrete(value, layout)
    except TypeConstraintError:
        raise too_deep() from None
    return plain if type_ is DYNAMIC else Dynamic(plain, type_)


def concrete(value: object, layout: Layout) -> tuple[object, Type]:
    """The value in plain Python, with no `Dynamic` and no model inside, and its concrete type.

    Raises:
        InvalidValueError: If the elements of a collection have several types.
    """
    if isinstance(value, Dynamic):
        if not value.type.has_dynamic:
            return value.value, value.type
        return concrete(value.value, layout_of_type(value.type))
    if layout.type is DYNAMIC and not isinstance(layout, DynamicBlocksLayout):
        if value is None or isinstance(value, Unknown):
            return value, DYNAMIC
        return concrete(value, layout_of_type(infer_type(value)))
    if value is None or isinstance(value, Unknown):
        return value, without_optional(layout.type)
    match layout:
        case DynamicBlocksLayout(blocks=blocks):
            return _concrete_blocks(value, blocks)
        case CollectionLayout(type=type_):
            if type_.element.has_dynamic or isinstance(layout.element, ObjectLayout):
                return _concrete_collection(value, layout)
        case TupleLayout(elements=layouts):
            pairs = [concrete(item, part) for item, part in _zip(value, layouts)]
            return tuple(item for item, _ in pairs), TupleType(tuple(type_ for _, type_ in pairs))
        case ObjectLayout():
            return _concrete_object(value, layout)
        case _:
            pass
    return value, without_optional(layout.type)


def _concrete_blocks(value: object, blocks: CollectionLayout) -> tuple[object, Type]:
    if is_mapping(value):
        named = _concrete_by_name(value, blocks.element)
        return (
            {key: item for key, (item, _) in named.items()},
            ObjectType({key: type_ for key, (_, type_) in named.items()}),
        )
    pairs = [concrete(item, blocks.element) for item in _elements(value)]
    return tuple(item for item, _ in pairs), TupleType(tuple(type_ for _, type_ in pairs))


def _concrete_collection(value: object, layout: CollectionLayout) -> tuple[object, Type]:
    kind = type(layout.type)
    if is_mapping(value):
        named = _concrete_by_name(value, layout.element)
        element = _one_type((type_ for _, type_ in named.values()), layout.type)
        return {key: item for key, (item, _) in named.items()}, MapType(element)
    pairs = [concrete(item, layout.element) for item in _elements(value)]
    plain = [item for item, _ in pairs]
    element = _one_type((type_ for _, type_ in pairs), layout.type)
    return (TofuSet(plain) if kind is SetType else plain), kind(element)


def _concrete_by_name(
    value: Mapping[object, object], element: Layout
) -> dict[str, tuple[object, Type]]:
    return {attribute_name(key): concrete(item, element) for key, item in value.items()}


def _concrete_object(value: object, layout: ObjectLayout) -> tuple[object, Type]:
    if has_attributes(value):
        value = value.__tofu_attributes__()
    if not is_mapping(value):
        return value, layout.type
    named = {field.name: concrete(value.get(field.name), field.layout) for field in layout.fields}
    return (
        {name: item for name, (item, _) in named.items()},
        ObjectType({name: type_ for name, (_, type_) in named.items()}),
    )


def needs_one_type(layout: CollectionLayout) -> bool:
    """Whether its elements have types of their own, which must be one type."""
    return layout.type.element.has_dynamic and layout.blocks is None


def check_one_type(value: Iterable[object], layout: CollectionLayout) -> None:
    """Raise unless the elements of a collection of dynamically typed values have one type.

    Source: observed, go-cty 1.18.1, which panics otherwise.
    """
    _one_type((concrete(item, layout.element)[1] for item in value), layout.type)


def _one_type(types: Iterable[Type], declared: CollectionType) -> Type:
    """The one type of all elements; the declared one if no element tells."""
    element_types = {type_ for type_ in types if type_ is not DYNAMIC}
    try:
        return (
            reduce(_unified, element_types) if element_types else without_optional(declared.element)
        )
    except _SeveralTypesError:
        raise InvalidValueError(
            f"expected elements of one type in a {declared.kind}, got several types"
        ) from None


class _SeveralTypesError(Exception):
    """Two types are not one."""


def _unified(one: Type, other: Type) -> Type:
    """The type that both are, where they differ only in what one of them does not know yet."""
    if one is DYNAMIC or one == other:
        return other
    if other is DYNAMIC:
        return one
    match one, other:
        case CollectionType(), CollectionType() if type(one) is type(other):
            return type(one)(_unified(one.element, other.element))
        case TupleType(), TupleType() if len(one.elements) == len(other.elements):
            return TupleType(tuple(map(_unified, one.elements, other.elements)))
        case ObjectType(), ObjectType() if one.attributes.keys() == other.attributes.keys():
            return ObjectType(
                {
                    name: _unified(type_, other.attributes[name])
                    for name, type_ in one.attributes.items()
                }
            )
        case _:
            raise _SeveralTypesError


def in_place_of(value: object, actual: Type, layout: Layout) -> object:
    """The opposite of `concrete`: wrap in `Dynamic` what stands where the layout says `dynamic`.

    Raises:
        InvalidValueError: If the value has another shape than the layout.
    """
    as_blocks = isinstance(layout, DynamicBlocksLayout)
    if isinstance(layout, DynamicBlocksLayout):
        layout = layout.blocks
    elif layout.type is DYNAMIC:
        return value if actual is DYNAMIC else Dynamic(value, actual)
    if value is None or isinstance(value, Unknown):
        return value
    # Blocks of several types are a tuple or an object; all else is what its layout says.
    alike = type(actual) is type(layout.type)
    match layout, actual:
        case _ if actual == layout.type:
            return value
        case CollectionLayout(type=MapType(), element=part), MapType() | ObjectType() if (
            alike or as_blocks
        ):
            types = _types_by_name(actual, value)
            return {
                key: _at(KeyStep(key), item, types[key], part)
                for key, item in _by_name(value).items()
            }
        case CollectionLayout(type=ListType() | SetType(), element=part), _ if alike or (
            as_blocks and isinstance(actual, TupleType)
        ):
            elements = _elements(value)
            types_in_order = _types_in_order(actual, elements)
            return [
                _at(IndexStep(position), item, type_, part)
                for position, (item, type_) in enumerate(zip(elements, types_in_order, strict=True))
            ]
        case TupleLayout(elements=parts), TupleType(elements=types_) if len(parts) == len(types_):
            return tuple(
                _at(IndexStep(position), item, types_[position], parts[position])
                for position, item in enumerate(_elements(value))
            )
        case ObjectLayout(), ObjectType():
            return _object_in_place_of(value, actual, layout)
        case _:
            pass
    raise InvalidValueError(f"expected the type {layout.type}, got {actual}")


def _object_in_place_of(value: object, actual: ObjectType, layout: ObjectLayout) -> object:
    wanted = {field.name: field.layout for field in layout.fields}
    if actual.attributes.keys() != wanted.keys():
        odd = min(actual.attributes.keys() ^ wanted.keys())
        raise missing_attribute(odd) if odd in wanted else unknown_attribute(odd, wanted)
    named = _by_name(value)
    return {
        name: _at(AttributeStep(name), named[name], actual.attributes[name], part)
        for name, part in wanted.items()
    }


def _at(step: Step, value: object, actual: Type, layout: Layout) -> object:
    try:
        return in_place_of(value, actual, layout)
    except InvalidValueError as error:
        raise error.at(step) from None


def _by_name(value: object) -> Mapping[str, object]:
    assert is_mapping(value)
    return {attribute_name(key): item for key, item in value.items()}


def _types_by_name(actual: Type, value: object) -> Mapping[str, Type]:
    if isinstance(actual, ObjectType):
        return actual.attributes
    assert isinstance(actual, MapType)
    return dict.fromkeys(_by_name(value), actual.element)


def _types_in_order(actual: Type, value: Collection[object]) -> Collection[Type]:
    if isinstance(actual, TupleType):
        return actual.elements
    assert isinstance(actual, CollectionType)
    return [actual.element] * len(value)


def _elements(value: object) -> Collection[object]:
    if is_sequence(value) or is_tofu_set(value) or is_python_set(value):
        return value
    raise expected("a collection", value)


def _zip(value: object, parts: tuple[Layout, ...]) -> Iterable[tuple[object, Layout]]:
    elements = _elements(value)
    if len(elements) != len(parts):
        raise length_error(len(parts), len(elements))
    return zip(elements, parts, strict=True)
