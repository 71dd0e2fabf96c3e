"""Writers: compiled from a layout for a format, once; then straight-line code for each value.

The mirror image of `reading`. A writer takes a value and gives the form that the format's encoder
takes: plain lists and dicts, objects with all attributes sorted by name, sets sorted, numbers as
the format wants them. It checks what it writes: lists and dicts can be changed behind the back of
the model that holds them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tofutypes.errors import AttributeStep, IndexStep, InvalidValueError, KeyStep
from tofutypes.narrowing import has_attributes
from tofutypes.sets import TofuSet, is_tofu_set, parsed_elements, unique_elements
from tofutypes.types import DYNAMIC, MapType, SetType
from tofutypes.wire.checks import in_order, length_error, map_key
from tofutypes.wire.compiling import all_strings, fit_check
from tofutypes.wire.concrete_types import check_one_type, needs_one_type
from tofutypes.wire.format import Writing
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
from tofutypes.wire.model_writing import model_writer
from tofutypes.wire.python_values import PYTHON
from tofutypes.wire.reading import reader
from tofutypes.wire.set_order import sorted_forms


def writer(layout: Layout, target: Writing) -> Compiled:
    """The writer of a layout for a format; compiled at the first call."""
    compiled = layout.compiled.get(target)
    if compiled is None:
        compiled = layout.compiled[target] = _compile(layout, target)
    return compiled


def _compile(layout: Layout, target: Writing) -> Compiled:
    match layout:
        case PrimitiveLayout():
            return _leaf_writer(layout, target)
        case CollectionLayout(type=MapType()):
            return _map_writer(layout, target)
        case CollectionLayout(type=SetType()):
            return _set_writer(layout, target)
        case CollectionLayout():
            return _list_writer(layout, target)
        case TupleLayout():
            return _tuple_writer(layout, target)
        case ObjectLayout(model=None):
            return _dict_writer(layout, target)
        case ObjectLayout(model=ModelHooks() as model):
            return model_writer(layout, model, target, writer)
        case DynamicBlocksLayout():
            return partial(target.write_dynamic_blocks, layout=layout)
        case _:
            raise AssertionError(layout)


def _leaf_writer(layout: PrimitiveLayout, target: Writing) -> Compiled:
    write = target.leaf(layout.type)

    def write_leaf(value: Any) -> object:
        return None if value is None else write(value)

    return write_leaf


def _list_writer(layout: CollectionLayout, target: Writing) -> Compiled:
    type_, blocks = layout.type, layout.blocks
    elements = _elements_writer(layout.element, target)
    one_type = needs_one_type(layout)

    def write_list(value: Any) -> object:
        if value.__class__ is not list:
            if value is None:
                return None if blocks is None else []
            taken = PYTHON.list_of(value)
            if taken is None:
                return target.write_other(value, type_)
            value = taken
        forms = elements(value)
        if one_type:
            check_one_type(value, layout)
        return forms

    return write_list


def _elements_writer(element: Layout, target: Writing) -> Callable[[list[Any]], list[object]]:
    write = writer(element, target)
    all_fit = fit_check(element, writing=True)

    def write_elements(value: list[Any]) -> list[object]:
        if all_fit is not None and all_fit(value):
            return value
        result: list[object] = []
        try:
            for item in value:
                result.append(write(item))  # noqa: PERF401  # its length tells where it went wrong
        except InvalidValueError as error:
            raise error.at(IndexStep(len(result))) from None
        return result

    return write_elements


def _set_writer(layout: CollectionLayout, target: Writing) -> Compiled:
    type_, blocks = layout.type, layout.blocks
    elements = _elements_writer(layout.element, target)
    one_type = needs_one_type(layout)
    primitive = isinstance(layout.element, PrimitiveLayout) and layout.element.type is not DYNAMIC
    all_fit = fit_check(layout.element, writing=True)
    read = reader(layout, PYTHON)

    def write_set(value: Any) -> object:
        if value is None:
            return None if blocks is None else []
        if is_tofu_set(value):
            taken: list[Any] | None = (
                unique_elements(value) if primitive else parsed_elements(value)
            )
        else:
            taken = PYTHON.set_of(value)
        if taken is None:
            return target.write_other(value, type_)
        if not primitive:
            forms = elements(taken)
            if one_type:
                check_one_type(taken, layout)
            return sorted_forms(target, type_.element, taken, forms)
        if value.__class__ is TofuSet and all_fit is not None and all_fit(taken):
            return taken
        # Elements that are equal once normalised must fall together before they are sorted.
        normalised = read(value)
        return elements(list(normalised)) if is_tofu_set(normalised) else normalised

    return write_set


def _map_writer(layout: CollectionLayout, target: Writing) -> Compiled:
    type_, blocks = layout.type, layout.blocks
    write = writer(layout.element, target)
    all_fit = fit_check(layout.element, writing=True)
    one_type = needs_one_type(layout)

    def write_map(value: Any) -> object:
        if value.__class__ is not dict:
            if value is None:
                return None if blocks is None else {}
            taken = None if has_attributes(value) else PYTHON.dict_of(value)
            if taken is None:
                return target.write_other(value, type_)
            value = taken
        if all_fit is not None and all_fit(value.values()) and all_strings(value):
            return {key: value[key] for key in sorted(value)}
        result: dict[str, object] = {}
        named = value if all_strings(value) else {map_key(key): value[key] for key in value}
        for name in sorted(named):
            try:
                result[name] = write(named[name])
            except InvalidValueError as error:
                raise error.at(KeyStep(name)) from None
        if one_type:
            check_one_type(value.values(), layout)
        return result

    return write_map


def _tuple_writer(layout: TupleLayout, target: Writing) -> Compiled:
    type_ = layout.type
    writers = [writer(element, target) for element in layout.elements]

    def write_tuple(value: Any) -> object:
        if value is None:
            return None
        taken = value if value.__class__ is tuple else PYTHON.list_of(value)
        if taken is None:
            return target.write_other(value, type_)
        if len(taken) != len(writers):
            raise length_error(len(writers), len(taken))
        result: list[object] = []
        try:
            for write, item in zip(writers, taken, strict=True):
                result.append(write(item))
        except InvalidValueError as error:
            raise error.at(IndexStep(len(result))) from None
        return result

    return write_tuple


def _dict_writer(layout: ObjectLayout, target: Writing) -> Compiled:
    type_ = layout.type
    names = tuple(field.name for field in layout.fields)
    writers = [
        (field.name, AttributeStep(field.name), writer(field.layout, target))
        for field in layout.fields
    ]
    optional = type_.optional

    def write_dict(value: Any) -> object:
        if value is None:
            return None
        taken = value if value.__class__ is dict else PYTHON.dict_of(value)
        if taken is None:
            return target.write_other(value, type_)
        if tuple(taken) != names:
            taken = in_order(taken, names, optional)
        result: dict[str, object] = {}
        for name, step, write in writers:
            try:
                result[name] = write(taken[name])
            except InvalidValueError as error:
                raise error.at(step) from None
        return result

    return write_dict
