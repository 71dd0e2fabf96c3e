"""What the author of a provider writes: a class for each resource, with the calls of its life.

Every method may be `async`. Source of what each has to do: the protocol.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, get_args, get_origin

from typing_extensions import TypeVar

from tofutypes.errors import SchemaError
from tofutypes.models import (
    Action,
    DataSource,
    EphemeralResource,
    Model,
    Resource,
    ResourceIdentity,
)
from tofutypes.provider.server.partial_state import partial_state
from tofutypes.provider.server.source_places import place_in
from tofutypes.provider.service.diagnostics import ProviderError

if TYPE_CHECKING:
    from tofutypes.provider.server.config_validators import ConfigValidator
    from tofutypes.provider.server.context import (
        ApplyContext,
        Context,
        EphemeralContext,
        InvokeContext,
        PlanContext,
        ValidateContext,
    )
    from tofutypes.provider.server.stored_state import StoredState

T = TypeVar("T")
R = TypeVar("R", bound=Resource)
D = TypeVar("D", bound=DataSource)
E = TypeVar("E", bound=EphemeralResource)
A = TypeVar("A", bound=Action)
P = TypeVar("P", default=Any)

Result: TypeAlias = T | Awaitable[T]
"""What a method gives, at once or later."""


def model_in(cls: type, base: type, position: int = 0) -> type[Model] | None:
    """Return the class in the brackets of a base: `Server` of `ResourceHandler[Server]`.

    None if there is none at this position, or only a type variable.
    """
    for generic in vars(cls).get("__orig_bases__", ()):
        origin = get_origin(generic)
        if isinstance(origin, type) and issubclass(origin, base):
            argument = next(iter(get_args(generic)[position:]), None)
            if isinstance(argument, type) and issubclass(argument, Model):
                return argument
    return None


def refuse_keywords(cls: type, keywords: Mapping[str, object]) -> None:
    """Refuse keywords in a class statement, of which handlers and providers have none.

    Raises:
        SchemaError: If there are any.
    """
    for name in keywords:
        raise SchemaError(f"{cls.__name__}: unknown class keyword {name}{place_in(cls)}")


class Handler(Generic[P]):
    """What the handlers of resources, data sources, actions and the like have in common.

    Attributes:
        provider: The provider that the handler belongs to.
        validators: Checks over several attributes of a configuration, such as `exactly_one_of`.
    """

    model: ClassVar[type[Any]]
    validators: ClassVar[Sequence[ConfigValidator]] = ()

    def __init__(self, provider: P) -> None:
        self.provider = provider

    def __init_subclass__(cls, **keywords: object) -> None:
        refuse_keywords(cls, keywords)
        super().__init_subclass__()
        model = model_in(cls, Handler)
        if model is not None and "model" not in vars(cls):
            cls.model = model

    @classmethod
    def type_name(cls) -> str:
        """Return the type name in configurations, such as `nimbus_server`.

        Raises:
            SchemaError: If the handler names no model, or the model has no type name.
        """
        return type_name_of(cls, getattr(cls, "model", None))


def type_name_of(handler: type[Handler[Any]], model: type[Model] | None) -> str:
    """Return the type name of a handler's model.

    Raises:
        SchemaError: If there is no model, or it has no type name.
    """
    if model is None:
        raise SchemaError(
            f"{handler.__name__}: no model; write `class {handler.__name__}"
            f"({_base_of(handler)}[Server])`{place_in(handler)}"
        )
    name = model.__tofu_info__.type_name
    if name is None:
        raise SchemaError(
            f"{model.__name__}: no type name; write `class {model.__name__}"
            f'({_base_of(model)}, type_name="nimbus_server")`{place_in(model)}'
        )
    return name


def _base_of(cls: type) -> str:
    return next(each.__name__ for each in cls.__mro__ if each.__module__.startswith("tofutypes."))


@dataclass(frozen=True, slots=True)
class MovedState:
    """An object of another type or provider that a `moved` block makes one of this resource.

    Attributes:
        provider_address: The address of its provider, `registry.opentofu.org/hashicorp/null`.
        type_name: The type that it had.
        state: Its state, with the schema version.
        private: The private data that its provider stored beside the state.
    """

    provider_address: str
    type_name: str
    state: StoredState
    private: bytes


class ResourceHandler(Handler[P], ABC, Generic[R, P]):
    """The life of a managed resource.

        class Servers(ResourceHandler[Server, Nimbus]):
            def create(self, planned: Server, context: ApplyContext[Server]) -> Server: ...

    The second class in the brackets is that of the provider. It is for type checkers only and may
    be left out. Every method may be `async`.

    Attributes:
        model: The class of the state, taken from the brackets.
        identity: The class of the identity, if the resource has identities.
        replace_on: Attributes whose change replaces the object (RequiresReplace), by their names on
            the wire; `disk.size` in each nested block. Without `update`, every change does.
        keep: Computed attributes that keep their prior value (UseStateForUnknown), as an id does.
            All others are planned as unknown whenever something changes.
        import_by: The attribute, by its name in Python, that takes the id of an import.
        default_timeouts: How long `create`, `read`, `update` and `delete` may take, such as `20m`,
            unless the object has `timeouts` that say otherwise.
    """

    identity: ClassVar[type[ResourceIdentity] | None] = None
    replace_on: ClassVar[Sequence[str]] = ()
    keep: ClassVar[Sequence[str]] = ()
    import_by: ClassVar[str | None] = None
    default_timeouts: ClassVar[Mapping[str, str]] = {}

    def validate(self, config: R, context: ValidateContext) -> Result[None]:
        """Check a configuration beyond its schema. Anything may be unknown."""
        return None

    def plan(self, planned: R, context: PlanContext[R]) -> Result[R]:
        """Change what is planned: refine unknown values, compute known ones.

        Called for every plan of a creation and of an object that exists, also if nothing changes;
        `plan_delete` is called for deletions. Values of the configuration cannot be changed.
        """
        return planned

    def plan_delete(self, state: R, context: Context) -> Result[None]:
        """Warn before an object is deleted or replaced, or refuse it.

        Not called for replacements that the user requested (`-replace`, tainted objects).
        """
        return None

    @abstractmethod
    def create(self, planned: R, context: ApplyContext[R]) -> Result[R]:
        """Create the object, and return its state, in which nothing is unknown."""

    def read(self, state: R, context: Context) -> Result[R | None]:
        """Return the current state; None if the object is gone.

        Without this method, the stored state is taken for the current one.
        """
        return state

    def update(self, planned: R, prior: R, context: ApplyContext[R]) -> Result[R]:
        """Change the object, and return its new state.

        Without it, a change of any attribute replaces the object, but for those attributes whose
        `requires_replace` says otherwise: nothing but the state changes then.
        """
        return planned

    @abstractmethod
    def delete(self, state: R, context: Context) -> Result[None]:
        """Delete the object. An object that is gone already is no error."""

    def import_state(self, wanted: str | ResourceIdentity, context: Context) -> Result[R]:
        """Return the state of an existing object, by the id that the user wrote or its identity.

        With `import_by`, the state has that attribute alone, and `read` completes it
        (ImportStatePassthroughID). `partial_state` makes such a state of several attributes.
        """
        if self.import_by is None:
            raise ProviderError(f"{self.type_name()} cannot be imported")
        model: type[R] = self.model
        if isinstance(wanted, str):
            return partial_state(model, **{self.import_by: wanted})
        return partial_state(model, **dict(wanted))

    def upgrade(self, state: StoredState, context: Context) -> Result[R]:
        """Return the current form of a state that was stored with an older schema version."""
        raise ProviderError(
            f"State of {self.type_name()} cannot be upgraded",
            f"It was stored with schema version {state.version}, which the provider does not know.",
        )

    def upgrade_identity(self, identity: StoredState, context: Context) -> Result[ResourceIdentity]:
        """Return the current form of an identity that was stored with an older schema version.

        Without this method, attributes that `identity` does not have are dropped; those that it
        requires must be there.
        """
        assert self.identity is not None  # or there would be nothing to upgrade
        return identity.read(self.identity)

    def generate_config(self, state: R, context: Context) -> Result[R]:
        """Return the configuration of an imported object, for `plan -generate-config-out`.

        The default is the state without what only the provider sets, without defaults, and without
        what is deprecated. Extend it where attributes exclude each other:

            config = generated_config(state)
            config.image = None if config.snapshot else config.image
        """
        from tofutypes.provider.server.generated_config import generated_config

        return generated_config(state)

    def move(self, source: MovedState, context: Context) -> Result[R]:
        """Return the state of an object that was one of another type."""
        raise ProviderError(f"{source.type_name} cannot be moved to {self.type_name()}")

    def identify(self, state: R) -> ResourceIdentity:
        """Return the identity of an object, if `identity` is set."""
        raise NotImplementedError


class DataSourceHandler(Handler[P], ABC, Generic[D, P]):
    """A data source: `class Images(DataSourceHandler[ImageData, Nimbus])`."""

    def validate(self, config: D, context: ValidateContext) -> Result[None]:
        """Check a configuration beyond its schema. Anything may be unknown."""
        return None

    @abstractmethod
    def read(self, config: D, context: Context) -> Result[D]:
        """Return the configuration with values for all computed attributes."""


class EphemeralResourceHandler(Handler[P], ABC, Generic[E, P]):
    """An ephemeral resource: `class Tokens(EphemeralResourceHandler[Token, Nimbus])`."""

    def validate(self, config: E, context: ValidateContext) -> Result[None]:
        """Check a configuration beyond its schema. Anything may be unknown."""
        return None

    @abstractmethod
    def open(self, config: E, context: EphemeralContext) -> Result[E]:
        """Return the configuration with values for all computed attributes."""

    def renew(self, context: EphemeralContext) -> Result[None]:
        """Extend the lease, at the time of `context.renew_at`. The values stay as they are."""
        return None

    def close(self, context: EphemeralContext) -> Result[None]:
        """Close the ephemeral resource."""
        return None


class ActionHandler(Handler[P], ABC, Generic[A, P]):
    """An action: `class Reboots(ActionHandler[Reboot, Nimbus])`.

    Users invoke actions by `terraform apply -invoke=action.nimbus_reboot.web`, or by the
    `action_trigger` blocks of resources. OpenTofu has no actions yet.
    """

    def validate(self, config: A, context: ValidateContext) -> Result[None]:
        """Check a configuration beyond its schema. Anything may be unknown."""
        return None

    def plan(self, config: A, context: Context) -> Result[None]:
        """Warn before the action is invoked, or refuse it. Values may be unknown."""
        return None

    @abstractmethod
    def invoke(self, config: A, context: InvokeContext) -> Result[None]:
        """Do what the action is for. `context.progress` tells the user how far it is.

        `context.stopping` is set when the user interrupts, or the caller has gone.
        """
