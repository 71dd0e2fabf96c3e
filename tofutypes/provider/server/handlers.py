"""What the author of a provider writes: a class for each resource, with the calls of its life.

Every method may be `async`. Source of what each has to do: the protocol.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeAlias, get_args, get_origin

from typing_extensions import TypeVar

from tofutypes.errors import SchemaError
from tofutypes.models import DataSource, EphemeralResource, Model, Resource, ResourceIdentity
from tofutypes.provider.server.config_validators import ConfigValidator
from tofutypes.provider.server.context import (
    ApplyContext,
    Context,
    EphemeralContext,
    PlanContext,
    ValidateContext,
)
from tofutypes.provider.server.stored_state import StoredState
from tofutypes.provider.service.diagnostics import ProviderError

T = TypeVar("T")
R = TypeVar("R", bound=Resource)
D = TypeVar("D", bound=DataSource)
E = TypeVar("E", bound=EphemeralResource)
P = TypeVar("P", default=Any)

Result: TypeAlias = T | Awaitable[T]
"""What a method gives, at once or later."""


def model_in(cls: type, base: type) -> type[Model] | None:
    """The class between the brackets of a base: `Server`, of `ResourceHandler[Server]`.

    None if there is none, or only a type variable.
    """
    for generic in getattr(cls, "__orig_bases__", ()):
        origin = get_origin(generic)
        if isinstance(origin, type) and issubclass(origin, base):
            given = get_args(generic)[0]
            if isinstance(given, type) and issubclass(given, Model):
                return given
    return None


class Handler(Generic[P]):
    """What the handlers of resources, data sources and ephemeral resources have in common.

    Attributes:
        provider: The provider that the handler belongs to.
        validators: Checks over several attributes of a configuration, such as `exactly_one_of`.
    """

    model: ClassVar[type[Any]]
    validators: ClassVar[Sequence[ConfigValidator]] = ()

    def __init__(self, provider: P) -> None:
        self.provider = provider

    def __init_subclass__(cls, **keywords: object) -> None:
        super().__init_subclass__(**keywords)
        found = model_in(cls, Handler)
        if found is not None:
            cls.model = found

    @classmethod
    def type_name(cls) -> str:
        """The name of the resource, data source… in configurations.

        Raises:
            SchemaError: its model is not named, or has no type name.
        """
        model: type[Model] | None = getattr(cls, "model", None)
        if model is None:
            raise SchemaError(
                f"{cls.__name__} does not say what it handles, as in "
                f"`class {cls.__name__}(ResourceHandler[Server])`"
            )
        name = model.__tofu_info__.type_name
        if name is None:
            raise SchemaError(
                f"{model.__name__} has no type name, as in "
                f'`class {model.__name__}(Resource, type_name="nimbus_server")`'
            )
        return name


@dataclass(frozen=True, slots=True)
class MovedState:
    """An object of another type, or another provider, that a `moved` block makes one of this type.

    Attributes:
        provider_address: the address of its provider, `registry.opentofu.org/hashicorp/null`.
        type_name: its type.
        state: its state, with its schema version.
        private: what its provider kept beside it.
    """

    provider_address: str
    type_name: str
    state: StoredState
    private: bytes


class ResourceHandler(Handler[P], ABC, Generic[R, P]):
    """The life of a managed resource: `class Servers(ResourceHandler[Server, Nimbus])`.

    The second class, of the provider, is for type checkers only and may be left out.

    Attributes:
        model: the class of its state, taken from the brackets.
        identity: the class of its identity, if it has one.
        replace_on: attributes whose change needs a new object, by their names on the wire;
            `disk.size` in each nested block. Without `update`, every change does.
        keep: computed attributes that keep their value as long as the object lives, as an id does.
            All others are planned as unknown whenever something changes.
    """

    identity: ClassVar[type[ResourceIdentity] | None] = None
    replace_on: ClassVar[Sequence[str]] = ()
    keep: ClassVar[Sequence[str]] = ()

    def validate(self, config: R, context: ValidateContext) -> Result[None]:
        """Check a configuration beyond its schema. Anything may be unknown."""
        return None

    def plan(self, planned: R, context: PlanContext[R]) -> Result[R]:
        """Change what is planned: refine unknown values, compute known ones, set defaults.

        What the configuration sets cannot be changed. Not called if nothing changes, nor for
        deletions.
        """
        return planned

    def plan_delete(self, state: R, context: Context) -> Result[None]:
        """Warn before an object is deleted or replaced, or refuse it.

        Of a replacement that the user asks for (`-replace`, a tainted object) nobody tells.
        """
        return None

    @abstractmethod
    def create(self, planned: R, context: ApplyContext[R]) -> Result[R]:
        """Create the object, and give its state, with a value for everything unknown."""

    def read(self, state: R, context: Context) -> Result[R | None]:
        """The state as it is now; None if the object is gone. Without it nothing ever changes."""
        return state

    def update(self, planned: R, prior: R, context: ApplyContext[R]) -> Result[R]:
        """Change the object, and give its new state. Without it, changes replace the object."""
        raise NotImplementedError

    @abstractmethod
    def delete(self, state: R, context: Context) -> Result[None]:
        """Delete the object. That it is gone already is no error."""

    def import_state(self, wanted: str | ResourceIdentity, context: Context) -> Result[R]:
        """The whole state of an object that exists, by what the user calls it or its identity."""
        raise ProviderError(f"{self.type_name()} cannot be imported")

    def upgrade(self, state: StoredState, context: Context) -> Result[R]:
        """The state of an object that was stored with an older schema version."""
        raise ProviderError(
            f"State of {self.type_name()} cannot be upgraded",
            f"It was stored with schema version {state.version}, which the provider does not know.",
        )

    def move(self, source: MovedState, context: Context) -> Result[R]:
        """The state of an object that was one of another type."""
        raise ProviderError(f"{source.type_name} cannot be moved to {self.type_name()}")

    def identify(self, state: R) -> ResourceIdentity:
        """What identifies the object, if `identity` is set."""
        raise NotImplementedError


class DataSourceHandler(Handler[P], ABC, Generic[D, P]):
    """A data source: `class Images(DataSourceHandler[ImageData, Nimbus])`."""

    def validate(self, config: D, context: ValidateContext) -> Result[None]:
        """Check a configuration beyond its schema. Anything may be unknown."""
        return None

    @abstractmethod
    def read(self, config: D, context: Context) -> Result[D]:
        """The configuration with a value for all that is computed."""


class EphemeralResourceHandler(Handler[P], ABC, Generic[E, P]):
    """An ephemeral resource: `class Tokens(EphemeralResourceHandler[Token, Nimbus])`."""

    def validate(self, config: E, context: ValidateContext) -> Result[None]:
        """Check a configuration beyond its schema. Anything may be unknown."""
        return None

    @abstractmethod
    def open(self, config: E, context: EphemeralContext) -> Result[E]:
        """The configuration with a value for all that is computed."""

    def renew(self, context: EphemeralContext) -> Result[None]:
        """Make it last longer; called at `context.renew_at`. What is open keeps its value."""
        return None

    def close(self, context: EphemeralContext) -> Result[None]:
        """End it."""
        return None
