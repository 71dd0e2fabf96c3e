"""What a program can serve beside a provider of handlers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tofutypes.provider.service.service import ProviderService


class ServiceSource(ABC):
    """A provider that is not made of handlers alone: it makes the service that answers calls.

    Attributes:
        address: The provider address.
    """

    address: str

    @abstractmethod
    def make_service(self) -> ProviderService:
        """Make the service. Whoever calls this method closes the service."""
