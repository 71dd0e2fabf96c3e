"""Readers of models: code written for a class, once; then straight-line code for each value.

The mirror image of `model_writing`. Leaves that are fit as they are (by far the most) cost one test
each; all others go through the readers of `reading`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeAlias

from tofutypes.errors import IndexStep, InvalidValueError, KeyStep, Step
from tofutypes.sets import set_of_parsed
from tofutypes.types import ListType, MapType, SetType
from tofutypes.unknown import UNKNOWN
from tofutypes.wire.checks import (
    check_count,
    in_order,
    is_unset,
    names_that_may_miss,
    null_error,
)
from tofutypes.wire.compiling import READ_UNLESS, all_strings, compile_function, deferred, fit_check
from tofutypes.wire.format import Reading
from tofutypes.wire.layout import (
    BlockCount,
    CollectionLayout,
    Compiled,
    FieldLayout,
    Layout,
    ModelHooks,
    ObjectLayout,
    PrimitiveLayout,
    TupleLayout,
)

Reader: TypeAlias = Callable[[Layout, Reading], Compiled]
"""`tofutypes.wire.reading.reader`."""


def model_reader(
    layout: ObjectLayout, model: ModelHooks, source: Reading, reader: Reader
) -> Compiled:
    """Of an object that becomes an instance.

    The dict that the parser made becomes its `__dict__`: it has the same keys, and a second dict
    of the same size is what would cost most.
    """
    known: dict[str, Any] = {
        "NAMES": tuple(field.name for field in layout.fields),
        "MAY_MISS": names_that_may_miss(layout, source),
        "COUNT": len(layout.fields),
        "MODEL": model.cls,
        "set_dict": _dict_setter(model.cls),
        "construct": model.construct,
        "other": partial(_not_a_dict, layout, source),
        **_HELPERS,
    }
    lines = [
        "def read(value):",
        "    if value.__class__ is not dict:",
        "        return other(value)",
        "    if len(value) != COUNT:",
        "        value = in_order(value, NAMES, MAY_MISS)",
    ]
    if layout.fields:
        # As many as there should be, and all of them there: then there are no others.
        lines += ["    try:"]
        lines += [f"        v{i} = value[{field.name!r}]" for i, field in enumerate(layout.fields)]
        lines += ["    except KeyError:", "        return read(in_order(value, NAMES, MAY_MISS))"]
    for index, field in enumerate(layout.fields):
        lines += _field_lines(index, field, partial(_made, reader, source), known)
    # All out before the first goes back in: a Python name may be another attribute's own name.
    renamed = [field for field in layout.fields if field.python_name != field.name]
    lines += [f"    r{index} = value.pop({item.name!r})" for index, item in enumerate(renamed)]
    lines += [f"    value[{item.python_name!r}] = r{index}" for index, item in enumerate(renamed)]
    if model.construct is not None:
        lines.append("    return construct(value)")
    else:
        lines += [
            "    instance = new(MODEL)",
            "    set_dict(instance, value)",
            "    return instance",
        ]
    read = compile_function("read", lines, known, f"{model.cls.__name__} from {source.name}")
    if layout.empty is None:
        return read
    return partial(_group_reader, read, layout, source)


_HELPERS: Final[dict[str, Any]] = {
    "in_order": in_order,
    "Invalid": InvalidValueError,
    "Index": IndexStep,
    "Key": KeyStep,
    "new": object.__new__,
    "as_set": set_of_parsed,
    "all_strings": all_strings,
}


def _dict_setter(cls: type) -> Callable[[object, dict[str, object]], None]:
    """What gives an instance its `__dict__`, as `object.__setattr__` does after a search for it."""
    [owner, *_] = (item for item in cls.__mro__ if "__dict__" in vars(item))
    setter: Callable[[object, dict[str, object]], None] = vars(owner)["__dict__"].__set__
    return setter


def _field_lines(
    index: int,
    field: FieldLayout,
    factory: Callable[[Layout], Callable[[], Compiled]],
    known: dict[str, Any],
) -> list[str]:
    """The lines that read one attribute: the most frequent cases in place, the others by a call."""
    layout, v, step = field.layout, f"v{index}", field.step
    located = partial(_located, factory(layout), step)
    known[f"read_{index}"] = deferred(known, f"read_{index}", located)
    item = f"value[{field.name!r}]"
    read = f"{item} = read_{index}({v})"
    match layout:
        case PrimitiveLayout(type=type_, nullable=nullable) if type_ in READ_UNLESS:
            unfit = READ_UNLESS[type_].format(v)
            return [f"    if {_unless_null(v, nullable)}({unfit}):", f"        {read}"]
        case CollectionLayout(
            type=ListType() | SetType(), element=ObjectLayout(model=ModelHooks())
        ):
            known[f"step_{index}"] = step
            known[f"element_{index}"] = deferred(known, f"element_{index}", factory(layout.element))
            known[f"check_{index}"] = partial(_check_count_at, step, layout.blocks or BlockCount())
            return _models_lines(index, layout, item, read)
        case CollectionLayout(type=SetType(), blocks=None) if fit_check(layout.element):
            known[f"fit_{index}"] = fit_check(layout.element)
            return [
                f"    if {v}.__class__ is list and (not {v} or fit_{index}({v})):",
                f"        {item} = as_set({v})",
                f"    elif {_unless_null(v, layout.nullable)}True:",
                f"        {read}",
            ]
        case CollectionLayout(type=ListType(), blocks=None) if fit_check(layout.element):
            known[f"fit_{index}"] = fit_check(layout.element)
            unfit = f"{v}.__class__ is not list or not fit_{index}({v})"
            return [f"    if {_unless_null(v, layout.nullable)}({unfit}):", f"        {read}"]
        case CollectionLayout(type=MapType(), blocks=None) if fit_check(layout.element):
            known[f"step_{index}"] = step
            known[f"element_{index}"] = deferred(known, f"element_{index}", factory(layout.element))
            return _map_lines(index, layout, read)
        case (
            PrimitiveLayout()
            | TupleLayout()
            | ObjectLayout(empty=None)
            | CollectionLayout(blocks=None)
        ):
            return [f"    if {_unless_null(v, layout.nullable)}True:", f"        {read}"]
        case _:
            return [f"    {read}"]


def _made(reader: Reader, source: Reading, layout: Layout) -> Callable[[], Compiled]:
    if isinstance(layout, PrimitiveLayout) and layout.nullable and not layout.whole:
        # Null stands for itself.
        return partial(source.leaf, layout.type)
    return partial(reader, layout, source)


def _unless_null(v: str, nullable: bool) -> str:
    return f"{v} is not None and " if nullable else ""


def _map_lines(index: int, layout: CollectionLayout, read: str) -> list[str]:
    """The lines that read a map of leaves: most have few elements, and some of these unknown."""
    v, element = f"v{index}", layout.element
    unfit = READ_UNLESS[element.type].format("e")
    return [
        f"    if {v}.__class__ is dict and (not {v} or all_strings({v})):",
        "        try:",
        f"            for k, e in {v}.items():",
        f"                if {_unless_null('e', element.nullable)}({unfit}):",
        f"                    {v}[k] = element_{index}(e)",
        "        except Invalid as error:",
        f"            raise error.at(Key(k)).at(step_{index}) from None",
        f"    elif {_unless_null(v, layout.nullable)}True:",
        f"        {read}",
    ]


def _models_lines(index: int, layout: CollectionLayout, item: str, read: str) -> list[str]:
    """The lines that read a list or a set of objects."""
    v = f"v{index}"
    lines = [
        f"    if {v}.__class__ is list:",
        f"        if {v}:",
        "            n = 0",
        "            try:",
        f"                for n, e in enumerate({v}):",
        f"                    {v}[n] = element_{index}(e)",
        "            except Invalid as error:",
        f"                raise error.at(Index(n)).at(step_{index}) from None",
    ]
    if layout.blocks is not None and layout.blocks != BlockCount():
        most = f" <= {layout.blocks.most}" if layout.blocks.most else ""
        lines.append(f"        if not {layout.blocks.least} <= len({v}){most}:")
        lines.append(f"            check_{index}({v})")
    if isinstance(layout.type, SetType):
        lines.append(f"        {item} = as_set({v})")
    null = layout.nullable and layout.blocks is None
    return [*lines, f"    elif {_unless_null(v, null)}True:", f"        {read}"]


def _check_count_at(step: Step, blocks: BlockCount, value: list[object]) -> None:
    try:
        check_count(value, blocks)
    except InvalidValueError as error:
        raise error.at(step) from None


def _located(make: Callable[[], Compiled], step: Step) -> Compiled:
    read = make()

    def read_located(value: Any) -> object:
        if value is UNKNOWN:
            return value
        try:
            return read(value)
        except InvalidValueError as error:
            raise error.at(step) from None

    return read_located


def _not_a_dict(layout: ObjectLayout, source: Reading, value: object) -> object:
    if value is None:
        if layout.empty is not None:
            return layout.empty()
        if layout.nullable:
            return None
        raise null_error()
    return source.read_other(value, layout.type)


def _group_reader(read: Compiled, layout: ObjectLayout, source: Reading, value: Any) -> object:
    """Of a GROUP block: an absent one arrives as a block in which nothing is set.

    What is required inside is not enforced then. (Observed, Terraform
    1.15.5.)
    """
    if value.__class__ is dict and is_unset(value, layout, source):
        assert layout.empty is not None
        return layout.empty()
    return read(value)
