"""Why a provider puts a call off. Source: the protocol, `Deferred`."""

from __future__ import annotations

from enum import Enum

from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6


class DeferredReason(Enum):
    """Why something cannot be done yet (protocol: `Deferred.Reason`)."""

    RESOURCE_CONFIG_UNKNOWN = tfplugin6.Deferred.RESOURCE_CONFIG_UNKNOWN
    PROVIDER_CONFIG_UNKNOWN = tfplugin6.Deferred.PROVIDER_CONFIG_UNKNOWN
    ABSENT_PREREQUISITE = tfplugin6.Deferred.ABSENT_PREREQ

    def to_message(self) -> tfplugin6.Deferred:
        """The reason as the protocol carries it."""
        return tfplugin6.Deferred(reason=self.value)
