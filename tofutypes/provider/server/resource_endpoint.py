"""A managed resource as calls find it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, TypeAlias

from tofutypes.errors import DecodeError
from tofutypes.models import Resource, ResourceIdentity
from tofutypes.models.field_behavior import RequiresReplace
from tofutypes.provider.objchange.effective import respelled
from tofutypes.provider.objchange.planning import unset_write_only
from tofutypes.provider.objchange.schema_parts import Names
from tofutypes.provider.server.endpoint import Endpoint
from tofutypes.provider.server.handlers import ResourceHandler
from tofutypes.provider.server.runner import Runner
from tofutypes.provider.service.diagnostics import ProviderError
from tofutypes.provider.service.wire_value import WireValue

AnyResourceHandler: TypeAlias = ResourceHandler[Any, Any]


class ResourceEndpoint(Endpoint[Resource]):
    """A managed resource of the provider.

    Attributes:
        handler: The author's handler.
    """

    def __init__(self, name: str, handler: AnyResourceHandler, run: Runner):
        super().__init__(name, handler, handler.model, run)
        self.handler = handler

    @cached_property
    def kept(self) -> frozenset[Names]:
        """The computed attributes that keep their prior value."""
        declared = [names for names, rule in self.rules.items() if rule.behavior.keep]
        return frozenset([*map(_names, self.handler.keep), *declared])

    @cached_property
    def replaced(self) -> Mapping[Names, RequiresReplace]:
        """The attributes whose change replaces the object: all if there is no `update`."""
        declared: dict[Names, RequiresReplace] = {
            names: rule.behavior.requires_replace
            for names, rule in self.rules.items()
            if rule.behavior.requires_replace is not False
        }
        listed: dict[Names, RequiresReplace] = {
            _names(path): True for path in self.handler.replace_on
        }
        if self.has("update"):
            return declared | listed
        everything: dict[Names, RequiresReplace] = {(part.name,): True for part in self.parts}
        return everything | declared | listed

    def respelled(self, reference: WireValue, value: Resource, *, whole: bool = False) -> Resource:
        """Return an object with the spelling of another one where both mean the same."""
        if not self._has_equality:
            return value
        other = self.decode_optional(reference)
        spelled = respelled(self.parts, self.rules, other, value, whole=whole)
        return value if spelled is value else self.model.model_validate(spelled)

    @cached_property
    def _has_equality(self) -> bool:
        return any(rule.values.has_equality for rule in self.rules.values())

    def has(self, method: str) -> bool:
        """Whether the author wrote a method."""
        own: object = getattr(type(self.handler), method)
        return own is not getattr(ResourceHandler, method)

    def storable(self, value: Resource) -> Resource:
        """Return an object as plans and state hold it: write-only attributes are null."""
        changed = unset_write_only(self.parts, value)
        return value if changed is value else self.model.model_validate(changed)

    def identity(self, value: WireValue | None) -> ResourceIdentity | None:
        """Decode an identity from Core; None if the resource has no identities."""
        model = self.handler.identity
        if model is None or value is None:
            return None
        try:
            return value.read(model)
        except DecodeError as error:
            raise ProviderError(f"The identity of {self.name} does not fit", str(error)) from None

    def identify(self, state: Resource) -> WireValue | None:
        """Return the identity of an object; None if the resource has no identities."""
        if self.handler.identity is None:
            return None
        return WireValue.of(self.handler.identify(state))


def _names(path: str) -> Names:
    return tuple(path.split("."))
