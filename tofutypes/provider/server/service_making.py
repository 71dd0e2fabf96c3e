"""The service of whatever an author can serve."""

from __future__ import annotations

from typing import Any, TypeAlias

from tofutypes.provider.server.provider import Provider, provider_of
from tofutypes.provider.server.service import HandlerService
from tofutypes.provider.service.service import ProviderService
from tofutypes.provider.service.source import ServiceSource

Servable: TypeAlias = Provider[Any] | type[Provider[Any]] | ServiceSource
"""A provider of handlers, or its class, or what makes its service itself."""


def service_of(given: Servable) -> tuple[ProviderService, str]:
    """Make the service of a provider.

    Returns:
        The service, which the caller closes, and the provider's address.

    Raises:
        SchemaError: If the parts of the provider contradict each other.
    """
    if isinstance(given, ServiceSource):
        return given.make_service(), given.address
    provider = provider_of(given)
    return HandlerService(provider), provider.address
