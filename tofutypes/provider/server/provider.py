"""The provider: what it offers, and how it is configured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic

from typing_extensions import TypeVar

from tofutypes.errors import TofuTypesError
from tofutypes.models import ProviderConfig
from tofutypes.provider.server.handlers import model_in, refuse_keywords
from tofutypes.provider.service.diagnostics import ProviderError

if TYPE_CHECKING:
    from tofutypes.models import ProviderFunction, ProviderMeta
    from tofutypes.provider.server.config_validators import ConfigValidator
    from tofutypes.provider.server.context import ConfigureContext, ValidateContext
    from tofutypes.provider.server.handlers import (
        ActionHandler,
        DataSourceHandler,
        EphemeralResourceHandler,
        ResourceHandler,
        Result,
    )
    from tofutypes.provider.server.list_handlers import ListHandler
    from tofutypes.provider.server.state_store_handler import StateStoreHandler

C = TypeVar("C", bound=ProviderConfig, default=ProviderConfig)


class NoConfig(ProviderConfig, description=""):
    """The configuration of a provider that has none."""


class Provider(Generic[C]):
    """A provider: its address, its handlers and its functions.

        class Nimbus(Provider[NimbusConfig]):
            address = "registry.opentofu.org/example/nimbus"
            resources = (Servers, Networks)

    Attributes:
        address: The provider address.
        resources: The handlers of the resources.
        data_sources: The handlers of the data sources.
        ephemeral_resources: The handlers of the ephemeral resources.
        actions: The handlers of the actions.
        list_resources: The handlers of the list resources.
        state_stores: The handlers of the state stores; only protocol 6 has them.
        functions: The functions, with their implementations.
        config: The class of the provider configuration, taken from the brackets; without
            brackets the provider has no configuration.
        provider_meta: The class of the block `provider_meta` in the `terraform` block of modules;
            calls for resources and data sources have its values in `context.provider_meta`.
        validators: Checks of several attributes of the provider configuration.

    Raises:
        SchemaError: If a schema breaks a rule of the protocol, or two handlers have one type name.
    """

    address: ClassVar[str]
    resources: ClassVar[Sequence[type[ResourceHandler[Any, Any]]]] = ()
    data_sources: ClassVar[Sequence[type[DataSourceHandler[Any, Any]]]] = ()
    ephemeral_resources: ClassVar[Sequence[type[EphemeralResourceHandler[Any, Any]]]] = ()
    actions: ClassVar[Sequence[type[ActionHandler[Any, Any]]]] = ()
    list_resources: ClassVar[Sequence[type[ListHandler[Any, Any, Any]]]] = ()
    state_stores: ClassVar[Sequence[type[StateStoreHandler[Any, Any]]]] = ()
    functions: ClassVar[Sequence[ProviderFunction[..., Any]]] = ()
    config: ClassVar[type[ProviderConfig]] = NoConfig
    provider_meta: ClassVar[type[ProviderMeta] | None] = None
    validators: ClassVar[Sequence[ConfigValidator]] = ()

    def __init_subclass__(cls, **keywords: object) -> None:
        refuse_keywords(cls, keywords)
        super().__init_subclass__()
        model = model_in(cls, Provider)
        if model is not None and issubclass(model, ProviderConfig):
            cls.config = model

    def validate(self, config: C, context: ValidateContext) -> Result[None]:
        """Check the configuration of the provider beyond its schema. Anything may be unknown."""
        return None

    def configure(self, config: C, context: ConfigureContext) -> Result[None]:
        """Take the configuration. In plans, values may still be unknown.

        Core calls this method once in the life of a process; never if it only validates, calls
        functions, or upgrades and moves state; and several times while a provider is debugged.
        """
        return None


def provider_of(given: Provider[Any] | type[Provider[Any]]) -> Provider[Any]:
    """Return the provider, or an instance of its class."""
    return given() if isinstance(given, type) else given


class FaultyProvider(Provider):
    """Stands for a provider that cannot be made, and reports why.

    If the process ended instead, Core could only guess what is wrong with the program.

    Args:
        error: The exception, reported when Core asks for the schemas.
    """

    address = "faulty"

    def __init__(self, error: Exception) -> None:
        self.error = error if isinstance(error, TofuTypesError) else _told(error)


_HARMLESS: Final = (AttributeError, ImportError, NameError, SyntaxError, TypeError)
"""Errors whose messages name things of the program, and hold no value."""


def _told(error: Exception) -> ProviderError:
    from tofutypes.provider.server.reporting import place_of

    place, message = place_of(error), str(error)
    if isinstance(error, SyntaxError):
        place, message = f" ({error.filename}, line {error.lineno})", error.msg
    said = f": {message}" if isinstance(error, _HARMLESS) else ""
    return ProviderError("The provider cannot start", f"{type(error).__name__}{place}{said}")
