"""State of which only a part is there: that of an imported object before `read` completes it.

Source: the protocol, `ImportResourceState`: Core reads an object right after its import, and only
then looks at required attributes.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TypeVar

from tofutypes import wire
from tofutypes.errors import DecodeError, SchemaError
from tofutypes.models import Resource
from tofutypes.models.field_layouts import empty_attributes
from tofutypes.provider.service.wire_value import WireValue
from tofutypes.wire.layout import ObjectLayout

R = TypeVar("R", bound=Resource)


def partial_state(model: type[R], **values: object) -> R:
    """Make a state in which only some attributes are set, for `ResourceHandler.import_state`.

    All other attributes are null, also required ones: `read`, which Core calls next, completes
    the state.

        return partial_state(Server, id=wanted)

    Args:
        model: The class of the state.
        values: The attributes that are set, by their names in Python.

    Raises:
        InvalidValueError: If a value does not fit its attribute.
        SchemaError: If there is no such attribute.
    """
    fields = model.__tofu_layout__().fields
    attributes = empty_attributes(fields)
    for name, value in values.items():
        field = next((each for each in fields if each.python_name == name), None)
        if field is None:
            raise SchemaError(f"{model.__name__} has no attribute {name}")
        attributes[name] = wire.reading.reader(field.layout, wire.python_values.PYTHON)(value)
    state = model.__new__(model)
    object.__setattr__(state, "__dict__", attributes)
    object.__setattr__(state, "__pydantic_fields_set__", set(values))
    object.__setattr__(state, "__pydantic_extra__", None)
    object.__setattr__(state, "__pydantic_private__", None)
    return state


def is_partial(state: Resource) -> bool:
    """Whether an attribute that can never be null is null."""
    fields = state.__tofu_layout__().fields
    return any(not f.layout.nullable and state.__dict__[f.python_name] is None for f in fields)


def encode_partial(state: Resource) -> WireValue:
    """Encode a state in which required attributes may be null."""
    layout = _partial_layout(type(state))  # pyright: ignore[reportArgumentType]  # hashable
    return WireValue(wire.msgpack.encode(state, layout))


def decode_partial(model: type[R], value: WireValue) -> R:
    """Decode a state in which required attributes may be null.

    Raises:
        DecodeError: If the value does not fit otherwise.
    """
    layout = _partial_layout(model)  # pyright: ignore[reportArgumentType]  # hashable
    state = wire.msgpack.decode(value.msgpack, layout)
    if not isinstance(state, model):
        raise DecodeError("expected an object")
    return state


@cache
def _partial_layout(model: type[Resource]) -> ObjectLayout:
    layout = model.__tofu_layout__()
    fields = tuple(
        replace(field, layout=replace(field.layout, nullable=True, compiled={}))
        for field in layout.fields
    )
    hooks = layout.model and replace(layout.model, construct=None)  # validators want everything
    return replace(layout, fields=fields, model=hooks, compiled={})
