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
    from tofutypes.provider.server.generated_config import generated_config
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
    "generated_config",
    "mask_log_fields",
    "mask_log_values",
    "partial_state",
    "required_together",
    "serve",
]

if not TYPE_CHECKING:  # for them, every name would be there
    __getattr__, __dir__ = import_on_use(
        __name__,
        {
            "tofutypes.provider.mux.mux": ("Executable", "Mux"),
            "tofutypes.provider.objchange.attribute_rules": ("SemanticEquality",),
            "tofutypes.provider.server.config_validators": (
                "ConfigValidator",
                "at_least_one_of",
                "conflicting",
                "exactly_one_of",
                "required_together",
            ),
            "tofutypes.provider.server.context": (
                "ApplyContext",
                "ConfigureContext",
                "Context",
                "EphemeralContext",
                "InvokeContext",
                "ListContext",
                "PlanContext",
                "StateStoreContext",
                "ValidateContext",
                "ValidateListContext",
            ),
            "tofutypes.provider.server.functions": ("ArgumentError",),
            "tofutypes.provider.server.generated_config": ("generated_config",),
            "tofutypes.provider.server.handlers": (
                "ActionHandler",
                "DataSourceHandler",
                "EphemeralResourceHandler",
                "MovedState",
                "ResourceHandler",
            ),
            "tofutypes.provider.server.list_handlers": ("ListHandler", "Listed"),
            "tofutypes.provider.server.logs": ("mask_log_fields", "mask_log_values"),
            "tofutypes.provider.server.partial_state": ("partial_state",),
            "tofutypes.provider.server.provider": ("Provider",),
            "tofutypes.provider.server.semantic_types": (
                "CaseInsensitive",
                "Duration",
                "IpAddress",
                "IpNetwork",
                "JsonText",
                "Timestamp",
            ),
            "tofutypes.provider.server.serve": ("serve",),
            "tofutypes.provider.server.state_store_handler": (
                "LockInfo",
                "LockedError",
                "StateReader",
                "StateStoreHandler",
            ),
            "tofutypes.provider.server.stored_state": ("StoredState",),
            "tofutypes.provider.server.timeouts": ("Timeouts", "TimeoutsAttribute"),
            "tofutypes.provider.service.deferral": ("DeferredReason",),
            "tofutypes.provider.service.diagnostics": (
                "Diagnostic",
                "PluginError",
                "ProviderError",
                "Severity",
            ),
        },
        # It prepares the process.
        before={
            "tofutypes.provider.server": "tofutypes.provider.server.serve",
            "tofutypes.provider.mux": "tofutypes.provider.server.serve",
        },
    )
