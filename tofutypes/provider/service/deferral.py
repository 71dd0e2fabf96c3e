"""Why a provider defers a call. Source: the protocol, `Deferred`."""

from __future__ import annotations

from enum import Enum


class DeferredReason(Enum):
    """Why a call cannot be answered yet (protocol: `Deferred.Reason`)."""

    UNKNOWN = 0
    RESOURCE_CONFIG_UNKNOWN = 1
    PROVIDER_CONFIG_UNKNOWN = 2
    ABSENT_PREREQUISITE = 3
