"""What a plugin offers: its functions, hooks and storage."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Generic, ParamSpec, TypeVar, cast, overload

from typing_extensions import TypeVar as DefaultTypeVar

from tofutypes.seasonings.plugin.functions import Functions
from tofutypes.seasonings.plugin.hooks import ResourceHooks, StageHooks
from tofutypes.seasonings.plugin.storage import Storage
from tofutypes.seasonings.protocol.methods import HookPoint, StagePoint
from tofutypes.seasonings.rpc.limits import DEFAULT_LIMITS, MessageLimits

if TYPE_CHECKING:
    from tofutypes.models import ProviderConfig, ProviderFunction

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
S = TypeVar("S", bound=Storage | type[Storage])
C = DefaultTypeVar("C", bound="ProviderConfig", default="ProviderConfig")


class PluginDefinition(Generic[C]):
    """What a plugin offers, without the way it runs.

    Attributes:
        name, version: who the plugin is.
        pre_plan, post_plan, pre_apply, post_apply, pre_refresh, post_refresh: decorators of hooks
            that are called about resources.
        init_stage_start, …: decorators of hooks that are called about a whole command.

    Args:
        name: what messages call the plugin.
        version: of the plugin.
        config: the model of its configuration.
        limits: how large messages may be, and how many calls may run at the same time.
    """

    def __init__(
        self,
        name: str,
        version: str = "0.0.0",
        *,
        config: type[C] | None = None,
        limits: MessageLimits = DEFAULT_LIMITS,
    ) -> None:
        self.name: Final = name
        self.version: Final = version
        self.limits: Final = limits
        self.config_model: Final = config
        self.functions: Final = Functions()
        self.storage_kept: Storage | None = None
        self.configured: list[Callable[[C], object]] = []
        self.provider_served: object = None
        self._config: C | None = None

        self.pre_plan: Final = ResourceHooks(HookPoint.PRE_PLAN)
        self.post_plan: Final = ResourceHooks(HookPoint.POST_PLAN)
        self.pre_apply: Final = ResourceHooks(HookPoint.PRE_APPLY)
        self.post_apply: Final = ResourceHooks(HookPoint.POST_APPLY)
        self.pre_refresh: Final = ResourceHooks(HookPoint.PRE_REFRESH)
        self.post_refresh: Final = ResourceHooks(HookPoint.POST_REFRESH)
        self.init_stage_start: Final = StageHooks(StagePoint.INIT_START)
        self.init_stage_complete: Final = StageHooks(StagePoint.INIT_COMPLETE)
        self.init_stage_fail: Final = StageHooks(StagePoint.INIT_FAIL)
        self.plan_stage_start: Final = StageHooks(StagePoint.PLAN_START)
        self.plan_stage_complete: Final = StageHooks(StagePoint.PLAN_COMPLETE)
        self.plan_stage_fail: Final = StageHooks(StagePoint.PLAN_FAIL)
        self.apply_stage_start: Final = StageHooks(StagePoint.APPLY_START)
        self.apply_stage_complete: Final = StageHooks(StagePoint.APPLY_COMPLETE)
        self.apply_stage_fail: Final = StageHooks(StagePoint.APPLY_FAIL)

    def __repr__(self) -> str:
        return f"<plugin {self.name} {self.version}>"

    @property
    def hooks(self) -> Sequence[ResourceHooks | StageHooks]:
        """All hooks, with functions or without."""
        return [
            member
            for member in vars(self).values()
            if isinstance(member, ResourceHooks | StageHooks)
        ]

    @property
    def config(self) -> C:
        """The configuration, once the host has sent it.

        Raises:
            RuntimeError: If the plugin has no configuration, or not yet.
        """
        if self._config is None:
            raise RuntimeError(f"plugin {self.name} is not configured")
        return self._config

    @config.setter
    def config(self, config: C) -> None:
        self._config = config

    @overload
    def function(self, declared: Callable[P, Awaitable[R]]) -> ProviderFunction[P, R]: ...
    @overload
    def function(self, declared: Callable[P, R]) -> ProviderFunction[P, R]: ...
    @overload
    def function(
        self,
        *,
        name: str | None = None,
        summary: str | None = None,
        description: str | None = None,
        deprecation_message: str | None = None,
    ) -> Callable[[Callable[P, R]], ProviderFunction[P, R]]: ...
    def function(
        self, declared: Callable[..., Any] | None = None, **options: Any
    ) -> ProviderFunction[..., Any] | Callable[..., ProviderFunction[..., Any]]:
        """Offer a function of Python, typed by its annotations, described by its docstring.

        What the annotations mean, and the options, see
        [`tofutypes.function`][tofutypes.models.functions.function]. A function that was declared
        with it can be offered as it is.

        Raises:
            SchemaError: If an annotation is missing or stands for no type.
        """
        from tofutypes.models import ProviderFunction
        from tofutypes.models import function as declare_function

        def offer(declared: Callable[..., Any]) -> ProviderFunction[..., Any]:
            function: ProviderFunction[..., Any] = (
                cast("ProviderFunction[..., Any]", declared)
                if isinstance(declared, ProviderFunction)
                else declare_function(**options)(declared)
            )
            self.functions.add(function)
            return function

        return offer if declared is None else offer(declared)

    def storage(self, storage: S) -> S:
        """Keep state in a storage, as a decorator of its class or a call with an instance."""
        self.storage_kept = storage() if isinstance(storage, type) else storage
        return storage

    def provider(self, provider: T) -> T:
        """Offer the resources and functions of a [`Provider`][tofutypes.provider.Provider].

        Its handlers run here as they do under gRPC. A decorator of its class, or a call with an
        instance.
        """
        self.provider_served = provider
        functions: Sequence[ProviderFunction[..., Any]] = getattr(provider, "functions", ())
        for function in functions:
            self.functions.add(function)
        return provider

    def configure(self, function: Callable[[C], object]) -> Callable[[C], object]:
        """Call a function with the configuration when the host has sent it, as a decorator.

        What the function raises is the answer to the host, which then ends the plugin.
        """
        self.configured.append(function)
        return function
