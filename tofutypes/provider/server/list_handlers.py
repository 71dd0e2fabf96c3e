"""What the author of a provider writes for a list resource."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterable, Iterable
from dataclasses import dataclass
from typing import ClassVar, Generic

from typing_extensions import TypeVar

from tofutypes.errors import SchemaError
from tofutypes.models import ListResource, Resource, ResourceIdentity
from tofutypes.provider.server.context import ListContext, ValidateListContext
from tofutypes.provider.server.handlers import Handler, P, R, Result, model_in, type_name_of
from tofutypes.provider.server.source_places import place_in

L = TypeVar("L", bound=ListResource, default=ListResource)
R_co = TypeVar("R_co", bound=Resource, default=Resource, covariant=True)


@dataclass(frozen=True, slots=True)
class Listed(Generic[R_co]):
    """An object that a list resource lists.

        Listed("web", resource=server)

    Attributes:
        display_name: What to call the object, for people.
        identity: The identity of the object. None if the resource is there: the method `identify`
            of its handler returns the identity then.
        resource: The object itself. Not sent if nobody wants it (`context.include_resource`).
    """

    display_name: str
    identity: ResourceIdentity | None = None
    resource: R_co | None = None


class ListHandler(Handler[P], ABC, Generic[R, P, L]):
    """A list resource: it lists objects of a managed resource that has identities.

        class ServerList(ListHandler[Server, Nimbus]):
            def list_objects(
                self, config: ListResource, context: ListContext
            ) -> Iterator[Listed[Server]]:
                for server in self.provider.api.servers():
                    yield Listed(server.name, resource=server)

    The classes in the brackets are that of the managed resource, that of the provider, and that of
    the configuration of the list, if it has one: `ListHandler[Server, Nimbus, ServerFilter]`.

    Users list objects by `terraform query`. OpenTofu has no list resources yet.

    Attributes:
        model: The class of the configuration; without one in the brackets, nothing can be set.
        resource: The class of the managed resource, taken from the brackets.
    """

    resource: ClassVar[type[Resource]]

    def __init_subclass__(cls, **keywords: object) -> None:
        super().__init_subclass__(**keywords)
        resource = model_in(cls, ListHandler)
        if resource is None:
            return
        config = model_in(cls, ListHandler, 2)
        if issubclass(resource, Resource):
            cls.resource = resource
            if config is None or config is ListResource:  # which is the default
                config = _without_settings(resource)
            cls.model = config
        elif "resource" not in vars(cls):
            raise SchemaError(
                f"{cls.__name__}: expected the managed resource first, as in "
                f"`ListHandler[Server, Nimbus, {resource.__name__}]`{place_in(cls)}"
            )

    @classmethod
    def type_name(cls) -> str:
        """Return the type name of the managed resource."""
        return type_name_of(cls, getattr(cls, "resource", None))

    def validate(self, config: L, context: ValidateListContext) -> Result[None]:
        """Check a configuration beyond its schema. Anything may be unknown."""
        return None

    @abstractmethod
    def list_objects(
        self, config: L, context: ListContext
    ) -> Result[Iterable[Listed[R]] | AsyncIterable[Listed[R]]]:
        """Return the objects, best by `yield`: those that nobody wants are then never made.

        The library stops at `context.limit`. Warnings and errors of the context go along with the
        next object.
        """


def _without_settings(resource: type[Resource]) -> type[ListResource]:
    """The configuration of a list resource that has none."""

    class Settings(
        ListResource,
        type_name=resource.__tofu_info__.type_name,
        description=f"Lists objects of {resource.__tofu_info__.type_name}.",
    ):
        pass

    return Settings
