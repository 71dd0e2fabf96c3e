"""Fixtures for pytest. Load them in `conftest.py`:

pytest_plugins = ["tofutypes.testing.pytest_plugin"]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import pytest

from tofutypes.models import ProviderConfig
from tofutypes.provider import Provider
from tofutypes.provider.client import Client, host
from tofutypes.testing.acceptance import Step, find_core, run_steps
from tofutypes.testing.property_kit import AnyProvider


class RunSteps(Protocol):
    """The fixture `acceptance`: `run_steps` in the temporary folder of the test."""

    def __call__(
        self,
        provider: AnyProvider,
        *steps: Step,
        address: str | None = None,
        check_destroyed: Callable[[], object] | None = None,
    ) -> None:
        """Run the steps; see `run_steps`."""
        ...


class HostProvider(Protocol):
    """The fixture `hosted`: hosts a provider and configures it."""

    def __call__(
        self,
        provider: type[Provider[Any]] | Provider[Any],
        config: ProviderConfig | None = None,
    ) -> Client:
        """Host a provider until the test ends.

        Args:
            provider: The provider, or its class.
            config: Its configuration.
        """
        ...


@pytest.fixture
def acceptance(tmp_path: Path) -> RunSteps:
    """Run acceptance tests with OpenTofu or Terraform; skips the test if there is neither."""
    core = find_core()
    if core is None:
        pytest.skip("neither tofu nor terraform is on the PATH, and TOFUTYPES_CORE is not set")
    folder = tmp_path / "acceptance"
    folder.mkdir()
    return partial(run_steps, folder=folder, core=core)


@pytest.fixture
def hosted() -> Iterator[HostProvider]:
    """Host providers in this process, each with a client."""
    with ExitStack() as stack:

        def open_client(
            provider: type[Provider[Any]] | Provider[Any], config: ProviderConfig | None = None
        ) -> Client:
            client = stack.enter_context(host(provider))
            client.configure(config)
            return client

        yield open_client
