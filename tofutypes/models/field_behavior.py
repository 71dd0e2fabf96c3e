"""What a declaration says for the provider alone: defaults, replacement, values that are kept.

The schema says none of it. `tofutypes.provider` plans by it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pydantic.fields import FieldInfo

DefaultFactory: TypeAlias = Callable[[Any], object]
"""Computes a default from the object of the configuration that has the attribute."""

RequiresReplace: TypeAlias = bool | Literal["if_configured"] | Callable[[Any, Any], bool]
"""Whether a change replaces the object: always, if the configuration sets the attribute, or by a
function of the prior and the planned value."""


@dataclass(frozen=True, slots=True)
class FieldBehavior:
    """How a provider plans an attribute.

    Attributes:
        default_factory: Computes the default, if there is one.
        requires_replace: Whether a change replaces the object.
        keep: The attribute keeps its prior value unless the configuration sets it.
    """

    default_factory: DefaultFactory | None = None
    requires_replace: RequiresReplace = False
    keep: bool = False

    @classmethod
    def of(cls, field: FieldInfo) -> FieldBehavior:
        """Return the behavior that a field of pydantic carries."""
        return next((entry for entry in field.metadata if isinstance(entry, cls)), NO_BEHAVIOR)


NO_BEHAVIOR = FieldBehavior()
