"""A provider service that is made when it is needed.

A provider prints its handshake before it imports what only calls need. That halves the time until
Terraform Core or OpenTofu can connect; the imports go on meanwhile.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from tofutypes.provider.service.service import ProviderService


class LazyService:
    """A service that is made at its first call.

    Args:
        make: Makes the service. Called once. Must not raise.
    """

    def __init__(self, make: Callable[[], ProviderService]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._service: ProviderService | None = None

    @property
    def service(self) -> ProviderService:
        """This object, as what its methods make it."""
        return cast("ProviderService", self)

    def load(self) -> ProviderService:
        """Make the service, if it is not there yet."""
        with self._lock:
            if self._service is None:
                self._service = self._make()
            return self._service

    def __getattr__(self, name: str) -> Any:
        return getattr(self.load(), name)
