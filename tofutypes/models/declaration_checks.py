"""Checks of field declarations when a class is created.

A declaration that contradicts itself is refused: type checkers see the left side alone, and would
promise what the right side breaks.
"""

from __future__ import annotations

import types
from typing import Any, ForwardRef, get_args

from pydantic.fields import FieldInfo

from tofutypes.errors import SchemaError
from tofutypes.models.field_spec import FieldSpec
from tofutypes.schema import NestingMode


def check_declaration(field: FieldInfo) -> None:
    """Refuse a declaration whose default does not fit the rest.

    Raises:
        SchemaError: If the default is None and the type has no `| None`, if a required attribute
            has a default, or if there must be nested blocks and the default is none.
    """
    if field.is_required():
        return
    spec, default = FieldSpec.of(field), field.default
    if spec.required:
        raise SchemaError("a required attribute has no default; remove `default` or `required`")
    if default is None and spec.block_nesting is not NestingMode.GROUP:
        if not _allows_null(field.annotation):
            raise SchemaError(
                "the default is None, but the type is not nullable; add `| None` to the type, or "
                "remove the default"
            )
    elif spec.block_nesting is not None and spec.min_items and not default:
        raise SchemaError(
            f"expected at least {spec.min_items} by `min_items`, but the default has none; "
            "remove the default"
        )


def _allows_null(annotation: Any) -> bool:
    """Whether an annotation has None; what cannot be known yet counts as if it had."""
    if isinstance(annotation, str | ForwardRef):
        return True
    members = get_args(annotation)
    return types.NoneType in members or any(isinstance(m, str | ForwardRef) for m in members)
