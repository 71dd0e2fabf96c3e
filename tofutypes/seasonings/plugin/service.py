"""The calls of a plugin's host: what answers each method, and when it may be called."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from tofutypes.errors import DecodeError, TofuTypesError
from tofutypes.narrowing import is_list
from tofutypes.seasonings.errors import CallError, ErrorCode, no_such_method
from tofutypes.seasonings.plugin.author import error_of, run_author
from tofutypes.seasonings.plugin.definition import PluginDefinition
from tofutypes.seasonings.plugin.hooks import ResourceHooks
from tofutypes.seasonings.plugin.storage import StorageCalls
from tofutypes.seasonings.protocol.methods import (
    CANCEL,
    FUNCTIONS,
    INIT,
    PING,
    PROTOCOL_VERSION,
    RESOURCES,
    SHUTDOWN,
    STORAGE,
    HookPoint,
    StagePoint,
    canonical_method,
    hook_capability,
    hook_method,
    major_of,
)
from tofutypes.seasonings.protocol.values import of_inline
from tofutypes.seasonings.rpc.handlers import Call, Handler
from tofutypes.seasonings.rpc.messages import Params

if TYPE_CHECKING:
    from tofutypes.models import ProviderConfig

_log: Final = logging.getLogger("tofutypes.seasonings")

_HOOKS: Final[Mapping[str, HookPoint | StagePoint]] = {
    hook_method(point): point for point in (*HookPoint, *StagePoint)
}


class PluginService:
    """Serves a plugin to one host.

    Args:
        plugin: what is served.
        ending: is called when the host asks the plugin to end.

    Attributes:
        host_capabilities: what the host can do, once it has said it.
    """

    def __init__(self, plugin: PluginDefinition[Any], ending: Callable[[], None]) -> None:
        self._plugin = plugin
        self._ending = ending
        self._greeted = False
        """Whether `init` was called."""
        self._initialized = False
        """Whether it succeeded."""
        self._init_done = threading.Event()
        self._ended = False
        self.host_capabilities: frozenset[str] = frozenset()
        self._always = {
            INIT: Handler(self._init),
            PING: Handler(lambda _params, _call: {"status": "ok"}, inline=True),
            SHUTDOWN: Handler(self._shutdown, inline=True),
        }
        self._methods: Mapping[str, Handler] = {
            method: Handler(function) for method, function in self._offered().items()
        }

    @property
    def capabilities(self) -> Sequence[str]:
        """What the plugin declares."""
        plugin = self._plugin
        return [
            *(hook_capability(hooks.point) for hooks in plugin.hooks if hooks),
            *([FUNCTIONS] if plugin.functions else ()),
            *([STORAGE] if plugin.storage_kept is not None else ()),
            *([RESOURCES] if plugin.provider_served is not None else ()),
            CANCEL,
        ]

    def serve(self, method: str) -> Handler:
        """What answers a method.

        Raises:
            CallError: If nothing does, or not before `init` or after `shutdown`.
        """
        method = canonical_method(method)
        handler = self._always.get(method)
        if handler is None and not self._greeted:
            raise CallError(ErrorCode.NOT_INITIALIZED, f"{method!a}: call init first")
        if method == INIT:
            if self._greeted:
                raise CallError(ErrorCode.INVALID_REQUEST, "init: was called before")
            self._greeted = True
        handler = handler or self._methods.get(method)
        if handler is None:
            if method in _HOOKS:
                raise no_such_method(f"{method} (not declared as a capability)")
            raise no_such_method(method)
        if self._ended and method != PING:
            raise CallError(ErrorCode.INVALID_REQUEST, f"{method}: the plugin is ending")
        return handler if self._initialized or method in self._always else self._later(handler)

    def _later(self, handler: Handler) -> Handler:
        """A handler that waits for the end of `init`: a host need not wait for the answer."""

        def wait(params: Params, call: Call) -> object:
            self._init_done.wait()
            if not self._initialized:
                raise CallError(ErrorCode.NOT_INITIALIZED, f"{call.method}: init has failed")
            return handler.function(params, call)

        return Handler(wait)

    def notified(self, method: str, _params: Params) -> None:
        """Take a notification. `shutdown` may be one."""
        if canonical_method(method) == SHUTDOWN:
            self._end()
        else:
            _log.info("ignored the notification %a", method)

    def _offered(self) -> Mapping[str, Callable[[Params, Call], Any]]:
        plugin = self._plugin
        methods: dict[str, Callable[[Params, Call], Any]] = {
            hook_method(hooks.point): hooks.call for hooks in plugin.hooks if hooks
        }
        if plugin.functions:
            methods["functions/getSchema"] = plugin.functions.get_schema
            methods["functions/call"] = plugin.functions.call
        if plugin.storage_kept is not None:
            methods.update(StorageCalls(plugin.storage_kept).methods)
        if plugin.provider_served is not None:
            # Plugins without resources do not need the extra `provider`.
            from tofutypes.seasonings.resources.serving import ResourceCalls, service_of

            methods.update(ResourceCalls(service_of(plugin.provider_served)).methods)
        return methods

    def _init(self, params: Params, call: Call) -> Mapping[str, object]:
        try:
            return self._greet(params, call)
        finally:
            self._greeted = self._initialized
            self._init_done.set()

    def _greet(self, params: Params, call: Call) -> Mapping[str, object]:
        if major_of(params.get("protocol_version", PROTOCOL_VERSION)) is None:
            raise CallError(ErrorCode.INVALID_PARAMS, "protocol_version: expected a version: 1.0")
        self._configure(params.get("config"), call)
        capabilities = params.get("capabilities")
        self.host_capabilities = frozenset(map(str, capabilities if is_list(capabilities) else ()))
        self._initialized = True
        plugin, model = self._plugin, self._plugin.config_model
        answer: dict[str, object] = {
            "protocol_version": PROTOCOL_VERSION,
            "plugin": {"name": plugin.name, "version": plugin.version},
            "capabilities": self.capabilities,
        }
        resource_types = {
            hooks.point.value: {"resource_types": hooks.resource_types}
            for hooks in plugin.hooks
            if isinstance(hooks, ResourceHooks) and hooks and hooks.resource_types is not None
        }
        if resource_types:
            answer["hooks"] = resource_types
        if model is not None:
            from tofutypes.models import schema_of
            from tofutypes.schema.document import write_part

            answer["config_schema"] = write_part(schema_of(model))["block"]
        return answer

    def _configure(self, form: object, call: Call) -> None:
        plugin, model = self._plugin, self._plugin.config_model
        if model is None:
            if form is not None:
                _log.warning("ignored the configuration: plugin %s has none", plugin.name)
            return
        try:
            plugin.config = _config(form, model)
        except TofuTypesError as error:
            raise CallError(ErrorCode.INVALID_PARAMS, f"config: {error}") from None
        for function in plugin.configured:
            try:
                run_author(call, function, plugin.config)
            except BaseException as raised:  # noqa: BLE001  # whatever the author's code raises
                raise error_of(raised, "configure") from None

    def _shutdown(self, _params: Params, _call: Call) -> Mapping[str, object]:
        self._end()
        return {}

    def _end(self) -> None:
        if not self._ended:
            self._ended = True
            self._ending()


def _config(form: object, model: type[ProviderConfig]) -> ProviderConfig:
    """The configuration: a dynamically typed object in a message, as an instance."""
    from tofutypes.dynamic import Dynamic
    from tofutypes.types import DYNAMIC
    from tofutypes.unknown import Unknown
    from tofutypes.wire import decode_msgpack

    dynamic = None if form is None else decode_msgpack(of_inline(form), DYNAMIC)
    value = dynamic.value if isinstance(dynamic, Dynamic) else dynamic
    if isinstance(value, Unknown):
        raise DecodeError("expected a known value")
    return model.model_validate({} if value is None else value)
