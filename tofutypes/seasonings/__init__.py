"""Plugins on stdio, by OpenTofu's proposed plugin protocol "Seasonings". Experimental.

The protocol is a proposal (RFC "Plugin Protocol", 2025), and this room may change with it. The
bridges to OpenTofu and Terraform need the extra `tofutypes[seasonings]`.
"""

from typing import TYPE_CHECKING

from tofutypes.lazy_names import import_on_use

if TYPE_CHECKING:
    from tofutypes.locks import LockInfo
    from tofutypes.seasonings.errors import (
        CallError,
        CallTimeoutError,
        ErrorCode,
        PeerError,
        SeasoningsError,
    )
    from tofutypes.seasonings.host.client import AsyncPluginClient, PluginInfo
    from tofutypes.seasonings.host.launching import launch, launch_async
    from tofutypes.seasonings.host.sync import PluginClient
    from tofutypes.seasonings.plugin.author import ArgumentError
    from tofutypes.seasonings.plugin.changes import Change, Stage
    from tofutypes.seasonings.plugin.plugin import Plugin
    from tofutypes.seasonings.plugin.storage import LockedError, Storage
    from tofutypes.seasonings.protocol.diagnostics import Diagnostic, HookResult, Severity
    from tofutypes.seasonings.protocol.methods import HookPoint, StagePoint
    from tofutypes.seasonings.rpc.limits import MessageLimits

__all__ = [
    "ArgumentError",
    "AsyncPluginClient",
    "CallError",
    "CallTimeoutError",
    "Change",
    "Diagnostic",
    "ErrorCode",
    "HookPoint",
    "HookResult",
    "LockInfo",
    "LockedError",
    "MessageLimits",
    "PeerError",
    "Plugin",
    "PluginClient",
    "PluginInfo",
    "SeasoningsError",
    "Severity",
    "Stage",
    "StagePoint",
    "Storage",
    "launch",
    "launch_async",
]

__getattr__ = import_on_use(
    __name__,
    {
        "ArgumentError": "plugin.author",
        "AsyncPluginClient": "host.client",
        "CallError": "errors",
        "CallTimeoutError": "errors",
        "Change": "plugin.changes",
        "Diagnostic": "protocol.diagnostics",
        "ErrorCode": "errors",
        "HookPoint": "protocol.methods",
        "HookResult": "protocol.diagnostics",
        "LockInfo": "tofutypes.locks",
        "LockedError": "plugin.storage",
        "MessageLimits": "rpc.limits",
        "PeerError": "errors",
        "Plugin": "plugin.plugin",
        "PluginClient": "host.sync",
        "PluginInfo": "host.client",
        "SeasoningsError": "errors",
        "Severity": "protocol.diagnostics",
        "Stage": "plugin.changes",
        "StagePoint": "protocol.methods",
        "Storage": "plugin.storage",
        "launch": "host.launching",
        "launch_async": "host.launching",
    },
)
