"""A managed resource as the calls of the core find it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, TypeAlias

from tofutypes.errors import DecodeError, SchemaError
from tofutypes.models import Resource, ResourceIdentity
from tofutypes.provider.messages.diagnostics import ProviderError
from tofutypes.provider.messages.dynamic_value import read_value, write_value
from tofutypes.provider.objchange.planning import Names, find_part, unset_write_only
from tofutypes.provider.proto.tfplugin6_pb2 import ResourceIdentityData
from tofutypes.provider.server.endpoint import Endpoint
from tofutypes.provider.server.handlers import ResourceHandler
from tofutypes.provider.server.runner import Runner

AnyResourceHandler: TypeAlias = ResourceHandler[Any, Any]


class ResourceEndpoint(Endpoint[Resource]):
    """A managed resource that the provider serves.

    Attributes:
        handler: the author's handler.
    """

    def __init__(self, name: str, handler: AnyResourceHandler, run: Runner):
        super().__init__(name, handler, handler.model, run)
        self.handler = handler

    @cached_property
    def kept(self) -> frozenset[Names]:
        """The computed attributes that keep their value."""
        return frozenset(self._names("keep", self.handler.keep))

    @cached_property
    def replaced(self) -> Sequence[Names]:
        """The attributes whose change needs a new object: all if it cannot be changed at all."""
        if not self.has("update"):
            return [(part.name,) for part in self.parts]
        return self._names("replace_on", self.handler.replace_on)

    def has(self, method: str) -> bool:
        """Whether the author wrote this method."""
        own: object = getattr(type(self.handler), method)
        return own is not getattr(ResourceHandler, method)

    def _names(self, where: str, paths: Iterable[str]) -> list[Names]:
        if isinstance(paths, str):
            raise SchemaError(f"{self.author}.{where}: a tuple of names is required, got a string")
        found = [tuple(path.split(".")) for path in paths]
        for names in found:
            if find_part(self.parts, names) is None:
                raise SchemaError(
                    f"{self.author}.{where}: {self.name} has no attribute or "
                    f"nested block {'.'.join(names)}"
                )
        return found

    def check(self) -> None:
        """Refuse a handler that names attributes which are not there.

        Raises:
            SchemaError: it does.
        """
        _ = self.kept, self.replaced

    def storable(self, value: Resource) -> Resource:
        """The object as plans and state hold it: without what is write-only."""
        changed = unset_write_only(self.parts, value)
        return value if changed is value else self.model.model_validate(changed)

    def identity(self, message: ResourceIdentityData) -> ResourceIdentity | None:
        """The identity that the core sent, if the resource has identities."""
        model = self.handler.identity
        try:
            return None if model is None else read_value(model, message.identity_data)
        except DecodeError as error:
            raise ProviderError(f"The identity of {self.name} does not fit", str(error)) from None

    def identify(self, state: Resource) -> ResourceIdentityData | None:
        """The identity of an object, if the resource has identities."""
        if self.handler.identity is None:
            return None
        return ResourceIdentityData(identity_data=write_value(self.handler.identify(state)))
