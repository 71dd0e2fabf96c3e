"""The provider protocol (5 and 6): providers in Python, and clients of any provider.

Needs the extra `tofutypes[provider]`.

The names are imported on first use, so that `tofutypes.provider.client` does not import what only
providers need. The names that providers are written with also prepare the process, if Terraform or
OpenTofu started it (see `serve`); nothing else does.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

if find_spec("grpc") is None:
    raise ModuleNotFoundError(
        "tofutypes.provider needs more: pip install 'tofutypes[provider]'", name="grpc"
    )

if TYPE_CHECKING:
    from tofutypes.provider.server.config_validators import (
        ConfigValidator,
        at_least_one_of,
        conflicting,
        exactly_one_of,
        required_together,
    )
    from tofutypes.provider.server.context import (
        ApplyContext,
        ConfigureContext,
        Context,
        EphemeralContext,
        PlanContext,
        ValidateContext,
    )
    from tofutypes.provider.server.functions import ArgumentError
    from tofutypes.provider.server.handlers import (
        DataSourceHandler,
        EphemeralResourceHandler,
        MovedState,
        ResourceHandler,
    )
    from tofutypes.provider.server.provider import Provider
    from tofutypes.provider.server.semantic_types import (
        CaseInsensitive,
        Duration,
        IpAddress,
        IpNetwork,
        JsonText,
        Timestamp,
    )
    from tofutypes.provider.server.serve import serve
    from tofutypes.provider.server.stored_state import StoredState
    from tofutypes.provider.service.deferral import DeferredReason
    from tofutypes.provider.service.diagnostics import (
        Diagnostic,
        PluginError,
        ProviderError,
        Severity,
    )

__all__ = [
    "ApplyContext",
    "ArgumentError",
    "CaseInsensitive",
    "ConfigValidator",
    "ConfigureContext",
    "Context",
    "DataSourceHandler",
    "DeferredReason",
    "Diagnostic",
    "Duration",
    "EphemeralContext",
    "EphemeralResourceHandler",
    "IpAddress",
    "IpNetwork",
    "JsonText",
    "MovedState",
    "PlanContext",
    "PluginError",
    "Provider",
    "ProviderError",
    "ResourceHandler",
    "SemanticEquality",
    "Severity",
    "StoredState",
    "Timestamp",
    "ValidateContext",
    "at_least_one_of",
    "conflicting",
    "exactly_one_of",
    "required_together",
    "serve",
]

_SERVE: Final = "tofutypes.provider.server.serve"
_MODULES: Final = {
    "ApplyContext": "server.context",
    "ArgumentError": "server.functions",
    "CaseInsensitive": "server.semantic_types",
    "ConfigValidator": "server.config_validators",
    "ConfigureContext": "server.context",
    "Context": "server.context",
    "DataSourceHandler": "server.handlers",
    "DeferredReason": "service.deferral",
    "Diagnostic": "service.diagnostics",
    "Duration": "server.semantic_types",
    "EphemeralContext": "server.context",
    "EphemeralResourceHandler": "server.handlers",
    "IpAddress": "server.semantic_types",
    "IpNetwork": "server.semantic_types",
    "JsonText": "server.semantic_types",
    "MovedState": "server.handlers",
    "PlanContext": "server.context",
    "PluginError": "service.diagnostics",
    "Provider": "server.provider",
    "ProviderError": "service.diagnostics",
    "ResourceHandler": "server.handlers",
    "Severity": "service.diagnostics",
    "StoredState": "server.stored_state",
    "Timestamp": "server.semantic_types",
    "ValidateContext": "server.context",
    "at_least_one_of": "server.config_validators",
    "conflicting": "server.config_validators",
    "exactly_one_of": "server.config_validators",
    "required_together": "server.config_validators",
    "serve": "server.serve",
}
"""The modules of the names, relative to this package."""


def __getattr__(name: str) -> Any:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if module.startswith("server."):
        import_module(_SERVE)
    value = getattr(import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
