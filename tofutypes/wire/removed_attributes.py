"""Stored state with attributes that the schema no longer has.

Source: observed, Terraform 1.15.5: Core deletes such properties before it hands over state of
the current schema version; state of another version it hands over as it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from tofutypes.errors import AttributeStep, IndexStep, KeyStep, Path, Step
from tofutypes.narrowing import is_dict, is_list
from tofutypes.types import MapType
from tofutypes.wire.layout import (
    CollectionLayout,
    Layout,
    ObjectLayout,
    TupleLayout,
)


def drop_removed(value: object, layout: Layout) -> list[Path]:
    """Take the attributes that a layout does not have out of parsed JSON, in place.

    Dynamically typed values are left alone: they carry their own types.

    Returns:
        The places of what was taken out.
    """
    return [Path(steps) for steps in _dropped(value, layout, ())]


def _dropped(value: object, layout: Layout, steps: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
    match layout:
        case ObjectLayout(fields=fields) if is_dict(value):
            known = {field.name: field.layout for field in fields}
            for name in [name for name in value if name not in known]:
                del value[name]
                yield (*steps, AttributeStep(str(name)))
            for name, inner in known.items():
                if name in value:
                    yield from _dropped(value[name], inner, (*steps, AttributeStep(name)))
        case CollectionLayout(type=MapType(), element=element) if is_dict(value):
            for key, item in value.items():
                yield from _dropped(item, element, (*steps, KeyStep(str(key))))
        case CollectionLayout(element=element) if is_list(value):
            for position, item in enumerate(value):
                yield from _dropped(item, element, (*steps, IndexStep(position)))
        case TupleLayout(elements=parts) if is_list(value):
            for position, (item, part) in enumerate(zip(value, parts, strict=False)):
                yield from _dropped(item, part, (*steps, IndexStep(position)))
        case _:
            return
