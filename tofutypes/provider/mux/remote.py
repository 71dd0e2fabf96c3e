"""Executables as parts, started while this process goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from tofutypes.provider.client.launching import launch_service
from tofutypes.provider.mux.parts import Part
from tofutypes.provider.server.logs import core_stream
from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.provider.service.service import ProviderService


class StartingService:
    """A service that is made on another thread. Calls wait for it.

    Args:
        make: Makes the service.

    Raises:
        PluginError: If the service could not be made. Every call raises it.
    """

    def __init__(self, make: Callable[[], ProviderService]) -> None:
        self._made: Future[ProviderService] = Future()
        threading.Thread(
            target=self._run, args=(make,), name="tofutypes launch", daemon=True
        ).start()

    def _run(self, make: Callable[[], ProviderService]) -> None:
        try:
            self._made.set_result(make())
        except BaseException as error:  # noqa: BLE001  # or calls would wait forever
            self._made.set_exception(error)

    def __getattr__(self, method: str) -> Any:
        return getattr(self._made.result(), method)

    def close(self) -> None:
        """Close the service, if it was made."""
        with suppress(PluginError):
            self._made.result().close()


def started_part(path: Path, without: frozenset[str]) -> Part:
    """Start an executable and return it as a part, before it is ready."""
    starting = StartingService(lambda: launch_service(path, log_to=core_stream()))
    return Part(path.name, cast("ProviderService", starting), without, is_executable=True)
