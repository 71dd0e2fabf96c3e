"""The provider protocol (5 and 6): providers in Python, and clients of any provider.

Needs the extra `tofutypes[provider]`.
"""

from importlib.util import find_spec

if find_spec("grpc") is None:
    raise ModuleNotFoundError(
        "tofutypes.provider needs more: pip install 'tofutypes[provider]'", name="grpc"
    )

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
from tofutypes.provider.service.diagnostics import Diagnostic, PluginError, ProviderError, Severity

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
