"""Configurations of imported objects."""

from __future__ import annotations

from typing import TypeVar

from tofutypes.models import Resource, schema_of
from tofutypes.provider.objchange import generated
from tofutypes.provider.objchange.attribute_rules import rules_of
from tofutypes.provider.objchange.schema_parts import parts_of

R = TypeVar("R", bound=Resource)


def generated_config(state: R) -> R:
    """Return the configuration that a user would write for an object.

    Left out are attributes that only the provider sets, attributes that have their default, and
    whatever is deprecated and not required.

    Args:
        state: The state of the object.
    """
    model = type(state)
    config = generated.generated_config(parts_of(schema_of(model).block), rules_of(model), state)
    return model.model_validate(config)
