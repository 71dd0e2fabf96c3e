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

if not TYPE_CHECKING:  # for them, every name would be there
    __getattr__, __dir__ = import_on_use(
        __name__,
        {
            "tofutypes.locks": ("LockInfo",),
            "tofutypes.seasonings.errors": (
                "CallError",
                "CallTimeoutError",
                "ErrorCode",
                "PeerError",
                "SeasoningsError",
            ),
            "tofutypes.seasonings.host.client": ("AsyncPluginClient", "PluginInfo"),
            "tofutypes.seasonings.host.launching": ("launch", "launch_async"),
            "tofutypes.seasonings.host.sync": ("PluginClient",),
            "tofutypes.seasonings.plugin.author": ("ArgumentError",),
            "tofutypes.seasonings.plugin.changes": ("Change", "Stage"),
            "tofutypes.seasonings.plugin.plugin": ("Plugin",),
            "tofutypes.seasonings.plugin.storage": ("LockedError", "Storage"),
            "tofutypes.seasonings.protocol.diagnostics": ("Diagnostic", "HookResult", "Severity"),
            "tofutypes.seasonings.protocol.methods": ("HookPoint", "StagePoint"),
            "tofutypes.seasonings.rpc.limits": ("MessageLimits",),
        },
    )
