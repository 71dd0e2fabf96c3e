"""Writers of models: code written for a class, once; then straight-line code for each value.

The mirror image of `model_reading`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, TypeAlias

from tofutypes.errors import (
    AttributeStep,
    IndexStep,
    InvalidValueError,
    KeyStep,
    missing_attribute,
)
from tofutypes.narrowing import is_mapping
from tofutypes.sets import TofuSet, parsed_elements, unique_elements
from tofutypes.types import ListType, MapType, SetType
from tofutypes.unknown import UNKNOWN, Unknown
from tofutypes.wire.checks import map_key
from tofutypes.wire.compiling import (
    WRITE_UNLESS,
    all_strings,
    compile_function,
    deferred,
    fit_check,
)
from tofutypes.wire.format import Writing
from tofutypes.wire.layout import (
    CollectionLayout,
    Compiled,
    FieldLayout,
    Layout,
    ModelHooks,
    ObjectLayout,
    PrimitiveLayout,
    TupleLayout,
)
from tofutypes.wire.set_order import sorted_forms

Writer: TypeAlias = Callable[[Layout, Writing], Compiled]
"""`tofutypes.wire.writing.writer`."""


def model_writer(
    layout: ObjectLayout, model: ModelHooks, target: Writing, writer: Writer
) -> Compiled:
    """Of an instance: its attributes by their names on the wire, sorted."""
    known: dict[str, Any] = {
        "MODEL": model.cls,
        "other": partial(_not_exactly, layout, model, target),
        "missing": partial(_missing, layout),
        **_HELPERS,
    }
    lines = [
        "def write(value):",
        "    if value.__class__ is not MODEL:",
        "        value, form = other(value)",
        "        if value is None:",
        "            return form",
        "    attributes = value.__dict__",
    ]
    if layout.fields:
        lines += ["    try:"]
        for i, field in enumerate(layout.fields):
            lines.append(f"        v{i} = attributes[{field.python_name!r}]")
        lines += ["    except KeyError:", "        raise missing(attributes) from None"]
    for index, field in enumerate(layout.fields):
        lines += _field_lines(index, field, target, partial(_made, writer, target), known)
    pairs = [f"{field.name!r}: v{index}" for index, field in enumerate(layout.fields)]
    lines.append(f"    return {{{', '.join(pairs)}}}")
    return compile_function("write", lines, known, f"{model.cls.__name__} to {target.name}")


_HELPERS: Final[dict[str, Any]] = {
    "Invalid": InvalidValueError,
    "Index": IndexStep,
    "Key": KeyStep,
    "TofuSet": TofuSet,
    "parsed_elements": parsed_elements,
    "unique_elements": unique_elements,
    "all_strings": all_strings,
}


def _field_lines(
    index: int,
    field: FieldLayout,
    target: Writing,
    factory: Callable[[Layout], Callable[[], Compiled]],
    known: dict[str, Any],
) -> list[str]:
    """The lines that write one attribute: the most frequent cases in place, the others by a call.

    Null and what is empty mostly stand for themselves.
    """
    layout, v, step = field.layout, f"v{index}", field.step
    located = partial(_located, target.unknown_form, factory(layout), step)
    known[f"write_{index}"] = deferred(known, f"write_{index}", located)
    write = f"{v} = write_{index}({v})"
    match layout:
        case PrimitiveLayout(type=type_) if type_ in WRITE_UNLESS:
            return [
                f"    if {v} is not None and ({WRITE_UNLESS[type_].format(v)}):",
                f"        {write}",
            ]
        case CollectionLayout(
            type=ListType() | SetType(), element=ObjectLayout(model=ModelHooks())
        ):
            known[f"step_{index}"] = step
            known[f"element_{index}"] = deferred(known, f"element_{index}", factory(layout.element))
            known[f"sorted_{index}"] = partial(sorted_forms, target, layout.element.type)
            return _models_lines(index, layout, write)
        case CollectionLayout(type=SetType(), blocks=None) if fit_check(layout.element):
            known[f"fit_{index}"] = fit_check(layout.element, writing=True)
            return [
                f"    if {v}.__class__ is TofuSet and fit_{index}(s := unique_elements({v})):",
                f"        {v} = s",
                f"    elif {v} is not None:",
                f"        {write}",
            ]
        case CollectionLayout(type=ListType(), blocks=None) if fit_check(layout.element):
            known[f"fit_{index}"] = fit_check(layout.element, writing=True)
            unfit = f"{v}.__class__ is not list or not fit_{index}({v})"
            return [f"    if {v} is not None and ({unfit}):", f"        {write}"]
        case CollectionLayout(type=MapType(), blocks=None) if fit_check(layout.element):
            known[f"step_{index}"] = step
            known[f"element_{index}"] = deferred(known, f"element_{index}", factory(layout.element))
            return _map_lines(index, layout.element, write)
        case (
            PrimitiveLayout()
            | TupleLayout()
            | ObjectLayout(empty=None)
            | CollectionLayout(blocks=None)
        ):
            return [f"    if {v} is not None:", f"        {write}"]
        case _:
            return [f"    {write}"]


def _map_lines(index: int, element: Layout, write: str) -> list[str]:
    """The lines that write a map of leaves: most have few elements, and some of these unknown."""
    v = f"v{index}"
    return [
        f"    if {v}.__class__ is dict and (not {v} or all_strings({v})):",
        "        r = {}",
        f"        for k in sorted({v}):",
        f"            e = {v}[k]",
        f"            if e is not None and ({WRITE_UNLESS[element.type].format('e')}):",
        "                try:",
        f"                    e = element_{index}(e)",
        "                except Invalid as error:",
        f"                    raise error.at(Key(k)).at(step_{index}) from None",
        "            r[k] = e",
        f"        {v} = r",
        f"    elif {v} is not None:",
        f"        {write}",
    ]


def _made(writer: Writer, target: Writing, layout: Layout) -> Callable[[], Compiled]:
    if isinstance(layout, PrimitiveLayout):  # null is written in place
        return partial(target.leaf, layout.type)
    return partial(writer, layout, target)


def _models_lines(index: int, layout: CollectionLayout, write: str) -> list[str]:
    """The lines that write a list or a set of objects."""
    v, is_set = f"v{index}", isinstance(layout.type, SetType)
    null = "" if layout.blocks is not None else f"{v} is not None and "
    return [
        f"    if {v}.__class__ is {'TofuSet' if is_set else 'list'}:",
        *([f"        {v} = parsed_elements({v})"] if is_set else []),
        f"        if {v}:",
        "            r = []",
        "            try:",
        f"                for e in {v}:",
        f"                    r.append(element_{index}(e))",
        "            except Invalid as error:",
        f"                raise error.at(Index(len(r))).at(step_{index}) from None",
        f"            {v} = {f'sorted_{index}({v}, r)' if is_set else 'r'}",
        f"    elif {null}True:",
        f"        {write}",
    ]


def _located(
    unknown_form: Callable[[Unknown], object], make: Callable[[], Compiled], step: AttributeStep
) -> Compiled:
    write = make()

    def write_located(value: Any) -> object:
        try:
            return unknown_form(UNKNOWN) if value is UNKNOWN else write(value)
        except InvalidValueError as error:
            raise error.at(step) from None

    return write_located


def _missing(layout: ObjectLayout, attributes: Mapping[str, object]) -> InvalidValueError:
    """The error for an instance that was made without all of its attributes."""
    names = [field.name for field in layout.fields if field.python_name not in attributes]
    return missing_attribute(names[0])


def _not_exactly(
    layout: ObjectLayout, model: ModelHooks, target: Writing, value: object
) -> tuple[object, object]:
    """What stands for a value that is not exactly of the class: an instance, or else a form."""
    if value is None:
        if layout.empty is None:
            return None, None
        return layout.empty(), None
    if is_mapping(value):
        value = model.validate({map_key(name): item for name, item in value.items()})
    if isinstance(value, model.cls):
        return value, None
    return None, target.write_other(value, layout.type)
