"""The layout of a model: what its class says to the codecs."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import pydantic
import pydantic_core

from tofutypes.errors import SchemaError
from tofutypes.models.errors import SeveralInvalidValuesError, invalid_values
from tofutypes.models.field_layouts import empty_attributes
from tofutypes.models.field_spec import FieldSpec
from tofutypes.types import ObjectType
from tofutypes.wire.layout import FieldLayout, ModelHooks, ObjectLayout

if TYPE_CHECKING:
    from pydantic import BaseModel

    M = TypeVar("M", bound=BaseModel)

_IN_PROGRESS: ContextVar[frozenset[type]] = ContextVar("_IN_PROGRESS", default=frozenset())
"""The classes whose layouts are being made."""

_DUMPS_BUILT_ONLY: Final = tuple(map(int, pydantic.VERSION.split(".")[:2])) < (2, 14)
"""Whether pydantic cannot dump instances of classes that it has not built yet."""


def make_layout(cls: type[BaseModel], optional: frozenset[str]) -> ObjectLayout:
    """Make the layout of a class.

    Args:
        cls: The class.
        optional: The attributes that may be missing where a value is converted to the object type.

    Raises:
        SchemaError: If a field has an annotation that is not a type of the type system, or the
            class contains itself.
    """
    fields = _make_fields(cls)
    if _DUMPS_BUILT_ONLY and not cls.__pydantic_complete__:
        cls.model_rebuild()
    validate = partial(_from_mapping, cls)
    return ObjectLayout(
        type=ObjectType({field.name: field.layout.type for field in fields}, optional),
        fields=fields,
        model=ModelHooks(cls, validate, validate if _has_own_validation(cls) else None),
        nullable=False,
    )


def variant(layout: ObjectLayout, *, nullable: bool, group: bool) -> ObjectLayout:
    """The layout of the same class where null is allowed or stands for an empty GROUP block."""
    assert layout.model is not None
    empty = partial(_make_empty, layout.model.cls, layout.fields) if group else None
    return replace(layout, nullable=nullable, empty=empty, compiled={})


def _make_fields(cls: type[BaseModel]) -> tuple[FieldLayout, ...]:
    in_progress = _IN_PROGRESS.get()
    if cls in in_progress:
        raise SchemaError(f"{cls.__name__} contains itself; recursive models are not supported")
    if not cls.__pydantic_fields_complete__:  # a class that an annotation names was defined later
        cls.model_rebuild()
    fields: list[FieldLayout] = []
    token = _IN_PROGRESS.set(in_progress | {cls})
    try:
        for name, field in cls.model_fields.items():
            spec = FieldSpec.of(field)
            try:
                layout = spec.layout(field.annotation)
            except SchemaError as error:
                raise SchemaError(f"{cls.__name__}.{name}: {error}") from None
            fields.append(FieldLayout(spec.wire_name(name), name, layout, spec.secret))
    finally:
        _IN_PROGRESS.reset(token)
    return tuple(sorted(fields, key=lambda field: field.name))


def _has_own_validation(cls: type[BaseModel]) -> bool:
    """Whether an instance must be made by pydantic: validators, private attributes, a hook."""
    decorators = cls.__pydantic_decorators__
    validators = (
        decorators.validators
        or decorators.field_validators
        or decorators.root_validators
        or decorators.model_validators
    )
    return bool(validators or cls.__private_attributes__ or cls.__pydantic_post_init__)


def _from_mapping(cls: type[M], value: Mapping[str, object]) -> M:
    try:
        instance: M = cls.__pydantic_validator__.validate_python(dict(value))
    except pydantic_core.ValidationError as error:
        errors = invalid_values(error)
        raise errors[0] if len(errors) == 1 else SeveralInvalidValuesError(errors) from None
    return instance


def _make_empty(cls: Any, fields: tuple[FieldLayout, ...]) -> object:
    instance: object = cls.__new__(cls)
    object.__setattr__(instance, "__dict__", empty_attributes(fields))
    return instance
