"""Readers: compiled from a layout for a format, once; then straight-line code for each value.

The mirror image of `writing`. A reader takes what the format's parser gave and gives the value; it
raises `InvalidValueError` with the path to the trouble. Leaves that are fit as they are (by far
the most) cost one test each; all others go through the format's methods.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from typing import Any, TypeAlias

from tofutypes.errors import (
    AttributeStep,
    IndexStep,
    InvalidValueError,
    KeyStep,
    describe_class,
)
from tofutypes.narrowing import is_mapping
from tofutypes.sets import set_of_parsed
from tofutypes.types import MapType, SetType
from tofutypes.wire.checks import (
    check_count,
    in_order,
    length_error,
    map_key,
    names_that_may_miss,
    null_error,
    sets_nothing,
)
from tofutypes.wire.compiling import all_strings, fit_check
from tofutypes.wire.concrete_types import check_one_type, needs_one_type
from tofutypes.wire.format import Reading
from tofutypes.wire.layout import (
    CollectionLayout,
    Compiled,
    DynamicBlocksLayout,
    Layout,
    ModelHooks,
    ObjectLayout,
    PrimitiveLayout,
    TupleLayout,
)
from tofutypes.wire.model_reading import model_reader

_Finish: TypeAlias = Callable[[list[object]], object]


def reader(layout: Layout, source: Reading) -> Compiled:
    """The reader of a layout for a format; compiled at the first call."""
    compiled = layout.compiled.get(source)
    if compiled is None:
        compiled = layout.compiled[source] = _compile(layout, source)
    return compiled


def _compile(layout: Layout, source: Reading) -> Compiled:
    match layout:
        case PrimitiveLayout():
            return _leaf_reader(layout, source)
        case CollectionLayout(type=MapType()):
            return _map_reader(layout, source)
        case CollectionLayout():
            return _sequence_reader(layout, source)
        case TupleLayout():
            return _tuple_reader(layout, source)
        case ObjectLayout(model=None):
            return _dict_reader(layout, source)
        case ObjectLayout(model=ModelHooks() as model) if source.owns_input:
            return model_reader(layout, model, source, reader)
        case ObjectLayout(model=ModelHooks() as model):
            return _instance_reader(layout, model, source)
        case DynamicBlocksLayout():
            return partial(source.read_dynamic_blocks, layout=layout)
        case _:
            raise AssertionError(layout)


def _leaf_reader(layout: PrimitiveLayout, source: Reading) -> Compiled:
    leaf = source.leaf(layout.type)
    read = _whole(leaf) if layout.whole else leaf
    nullable = layout.nullable

    def read_leaf(value: Any) -> object:
        result = None if value is None else read(value)
        if result is None and not nullable:
            raise null_error()
        return result

    return read_leaf


def _whole(read: Compiled) -> Compiled:
    def read_whole(value: Any) -> object:
        number = read(value)
        if isinstance(number, Decimal):
            if number:
                raise InvalidValueError("expected a whole number, got a fraction")
            return 0
        return number

    return read_whole


def _sequence_reader(layout: CollectionLayout, source: Reading) -> Compiled:
    """Of a list or a set."""
    type_, nullable, blocks = layout.type, layout.nullable, layout.blocks
    elements = _elements_reader(layout.element, source)
    is_set = isinstance(type_, SetType)
    make: _Finish = _as_set if is_set else _as_list
    take = source.set_of if is_set else source.list_of
    one_type = needs_one_type(layout)

    def read_sequence(value: Any) -> object:
        if value.__class__ is not list:
            if value is None:
                if blocks is not None:
                    value = []
                elif nullable:
                    return None
                else:
                    raise null_error()
            else:
                taken = take(value)
                if taken is None:
                    return source.read_other(value, type_)
                value = taken
        value = elements(value)
        if blocks is not None:
            check_count(value, blocks)
        if one_type:
            check_one_type(value, layout)
        return make(value)

    return read_sequence


def _as_list(elements: list[object]) -> object:
    return elements


_as_set: _Finish = set_of_parsed


def _elements_reader(element: Layout, source: Reading) -> Callable[[list[Any]], list[object]]:
    read = reader(element, source)
    all_fit = fit_check(element)
    owns = source.owns_input

    def read_elements(value: list[Any]) -> list[object]:
        if all_fit is not None and all_fit(value):
            return value if owns else value.copy()
        result: list[object] = []
        try:
            for item in value:
                result.append(read(item))  # noqa: PERF401  # its length tells where it went wrong
        except InvalidValueError as error:
            raise error.at(IndexStep(len(result))) from None
        return result

    return read_elements


def _map_reader(layout: CollectionLayout, source: Reading) -> Compiled:
    type_, nullable, blocks = layout.type, layout.nullable, layout.blocks
    read = reader(layout.element, source)
    all_fit = fit_check(layout.element)
    owns = source.owns_input
    one_type = needs_one_type(layout)

    def read_map(value: Any) -> object:
        if value.__class__ is not dict:
            if value is None:
                if blocks is not None:
                    value = {}
                elif nullable:
                    return None
                else:
                    raise null_error()
            else:
                taken = source.dict_of(value)
                if taken is None:
                    return source.read_other(value, type_)
                value = taken
        if all_fit is not None and all_fit(value.values()) and all_strings(value):
            return value if owns else value.copy()
        result: dict[str, object] = {}
        for key, item in value.items():
            name = map_key(key)
            try:
                result[name] = read(item)
            except InvalidValueError as error:
                raise error.at(KeyStep(name)) from None
        if blocks is not None:
            check_count(result.values(), blocks)
        if one_type:
            check_one_type(result.values(), layout)
        return result

    return read_map


def _tuple_reader(layout: TupleLayout, source: Reading) -> Compiled:
    type_, nullable = layout.type, layout.nullable
    readers = [reader(element, source) for element in layout.elements]
    length = len(readers)

    def read_tuple(value: Any) -> object:
        if value is None:
            if nullable:
                return None
            raise null_error()
        taken = value if value.__class__ is list else source.list_of(value)
        if taken is None:
            return source.read_other(value, type_)
        if len(taken) != length:
            raise length_error(length, len(taken))
        result: list[object] = []
        try:
            for read, item in zip(readers, taken, strict=True):
                result.append(read(item))
        except InvalidValueError as error:
            raise error.at(IndexStep(len(result))) from None
        return tuple(result)

    return read_tuple


def _dict_reader(layout: ObjectLayout, source: Reading) -> Compiled:
    """Of an object that stays a dict: types come from data, so there is no class to compile for."""
    type_, nullable = layout.type, layout.nullable
    names = tuple(field.name for field in layout.fields)
    readers = [
        (field.name, AttributeStep(field.name), reader(field.layout, source))
        for field in layout.fields
    ]
    optional = names_that_may_miss(layout, source)

    def read_dict(value: Any) -> object:
        if value is None:
            if nullable:
                return None
            raise null_error()
        taken = value if value.__class__ is dict else source.dict_of(value)
        if taken is None:
            return source.read_other(value, type_)
        if tuple(taken) != names:
            taken = in_order(taken, names, optional)
        result: dict[str, object] = {}
        for name, step, read in readers:
            try:
                result[name] = read(taken[name])
            except InvalidValueError as error:
                raise error.at(step) from None
        return result

    return read_dict


def _instance_reader(layout: ObjectLayout, model: ModelHooks, source: Reading) -> Compiled:
    """Of an object that a user gives as an instance, or as a mapping to make one of."""
    type_, nullable, empty, cls = layout.type, layout.nullable, layout.empty, model.cls

    def read_instance(value: Any) -> object:
        if isinstance(value, cls):
            return value
        if value is None:
            if empty is not None:
                return empty()
            if nullable:
                return None
            raise null_error()
        if is_mapping(value):
            named = _by_name(value)
            if empty is not None and sets_nothing(named, layout):
                return empty()
            return model.validate(named)
        if hasattr(value, "__tofu_attributes__"):
            other: type = value.__class__
            raise _class_error(cls, other)
        return source.read_other(value, type_)

    return read_instance


def _class_error(wanted: type, got: type) -> InvalidValueError:
    """The error for an instance of another class; classes of the same name show their modules."""
    names = describe_class(wanted), describe_class(got)
    if names[0] == names[1]:
        names = f"{names[0]} of {wanted.__module__}", f"{names[1]} of {got.__module__}"
    return InvalidValueError(f"expected {names[0]}, got {names[1]}")


def _by_name(value: Mapping[object, object]) -> dict[str, object]:
    return {map_key(name): item for name, item in value.items()}
