"""The provider protocol (5 and 6): providers in Python, and clients of any provider.

Needs the extra `tofutypes[provider]`.

The names are imported on first use, so that `tofutypes.provider.client` does not import what only
providers need. The names that providers are written with also prepare the process, if Terraform or
OpenTofu started it (see `serve`); nothing else does.
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING

if find_spec("grpc") is None:
    raise ModuleNotFoundError(
        "tofutypes.provider needs more: pip install 'tofutypes[provider]'", name="grpc"
    )

from tofutypes.lazy_names import import_on_use

if TYPE_CHECKING:
    from tofutypes.locks import LockInfo
    from tofutypes.provider.mux.mux import Executable, Mux
    from tofutypes.provider.objchange.attribute_rules import SemanticEquality
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
        InvokeContext,
        ListContext,
        PlanContext,
        StateStoreContext,
        ValidateContext,
        ValidateListContext,
    )
    from tofutypes.provider.server.functions import ArgumentError
    from tofutypes.provider.server.handlers import (
        ActionHandler,
        DataSourceHandler,
        EphemeralResourceHandler,
        MovedState,
        ResourceHandler,
    )
    from tofutypes.provider.server.list_handlers import Listed, ListHandler
    from tofutypes.provider.server.logs import mask_log_fields, mask_log_values
    from tofutypes.provider.server.partial_state import partial_state
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
    from tofutypes.provider.server.state_store_handler import (
        LockedError,
        StateReader,
        StateStoreHandler,
    )
    from tofutypes.provider.server.stored_state import StoredState
    from tofutypes.provider.server.timeouts import Timeouts, TimeoutsAttribute
    from tofutypes.provider.service.deferral import DeferredReason
    from tofutypes.provider.service.diagnostics import (
        Diagnostic,
        PluginError,
        ProviderError,
        Severity,
    )

__all__ = [
    "ActionHandler",
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
    "Executable",
    "InvokeContext",
    "IpAddress",
    "IpNetwork",
    "JsonText",
    "ListContext",
    "ListHandler",
    "Listed",
    "LockInfo",
    "LockedError",
    "MovedState",
    "Mux",
    "PlanContext",
    "PluginError",
    "Provider",
    "ProviderError",
    "ResourceHandler",
    "SemanticEquality",
    "Severity",
    "StateReader",
    "StateStoreContext",
    "StateStoreHandler",
    "StoredState",
    "Timeouts",
    "TimeoutsAttribute",
    "Timestamp",
    "ValidateContext",
    "ValidateListContext",
    "at_least_one_of",
    "conflicting",
    "exactly_one_of",
    "mask_log_fields",
    "mask_log_values",
    "partial_state",
    "required_together",
    "serve",
]

__getattr__ = import_on_use(
    __name__,
    {
        "ActionHandler": "server.handlers",
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
        "Executable": "mux.mux",
        "InvokeContext": "server.context",
        "IpAddress": "server.semantic_types",
        "IpNetwork": "server.semantic_types",
        "JsonText": "server.semantic_types",
        "ListContext": "server.context",
        "ListHandler": "server.list_handlers",
        "Listed": "server.list_handlers",
        "LockInfo": "server.state_store_handler",
        "LockedError": "server.state_store_handler",
        "MovedState": "server.handlers",
        "Mux": "mux.mux",
        "PlanContext": "server.context",
        "PluginError": "service.diagnostics",
        "Provider": "server.provider",
        "ProviderError": "service.diagnostics",
        "ResourceHandler": "server.handlers",
        "SemanticEquality": "objchange.attribute_rules",
        "Severity": "service.diagnostics",
        "StateReader": "server.state_store_handler",
        "StateStoreContext": "server.context",
        "StateStoreHandler": "server.state_store_handler",
        "StoredState": "server.stored_state",
        "Timeouts": "server.timeouts",
        "TimeoutsAttribute": "server.timeouts",
        "Timestamp": "server.semantic_types",
        "ValidateContext": "server.context",
        "ValidateListContext": "server.context",
        "at_least_one_of": "server.config_validators",
        "conflicting": "server.config_validators",
        "exactly_one_of": "server.config_validators",
        "mask_log_fields": "server.logs",
        "mask_log_values": "server.logs",
        "partial_state": "server.partial_state",
        "required_together": "server.config_validators",
        "serve": "server.serve",
    },
    before={"server": "server.serve", "mux": "server.serve"},  # it prepares the process
)
