"""The fields of a model that its repr shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from tofutypes.models.field_spec import FieldSpec
from tofutypes.models.secrets import MARKS, SECRET, masked
from tofutypes.sets import TofuSet


def shown_fields(instance: BaseModel) -> Iterator[tuple[str, Any]]:
    """The fields that are set, with `(sensitive)` for the values of sensitive ones."""
    marks: Any = instance.__dict__.get(MARKS)
    for name, field in type(instance).model_fields.items():
        spec, value = FieldSpec.of(field), instance.__dict__.get(name)
        if value is None or (spec.block_nesting is not None and _is_empty_block(value)):
            continue
        mark = marks and marks.get(spec.wire_name(name))
        yield name, SECRET if spec.secret else masked(value, mark)


def _is_empty_block(value: object) -> bool:
    """Whether there are no blocks, or one block without a set field."""
    if isinstance(value, BaseModel):
        return next(shown_fields(value), None) is None
    return isinstance(value, list | dict | TofuSet) and not value
