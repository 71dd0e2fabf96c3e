"""What an author joins to one provider: `Mux` and `Executable`.

Imports nothing of the client until the service is made, so that a provider starts quickly.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tofutypes.errors import SchemaError, describe
from tofutypes.provider.server.provider import NoConfig, Provider, provider_of
from tofutypes.provider.service.source import ServiceSource

if TYPE_CHECKING:
    from tofutypes.provider.mux.parts import Part
    from tofutypes.provider.service.service import ProviderService


class Executable:
    """Another provider's executable, in any language, as a part of a provider.

        Executable(
            Path(__file__).parent / "nimbus-go",
            without=["nimbus_server", "data.nimbus_region"],
        )

    The executable runs as long as the provider does. It gets the same calls, and the same
    configuration, as under Core. If it ends before, calls for its resources fail; it is not
    started again, because it would not be configured.

    Args:
        path: The executable. Must be absolute: Core starts providers in the folder of the
            configuration.
        without: What other parts take over from this executable: resources by their type names,
            everything else with a prefix: `data.`, `ephemeral.`, `list.`, `action.`,
            `state_store.`, `function.`

    Raises:
        SchemaError: If the path is not absolute.
    """

    def __init__(self, path: str | os.PathLike[str], *, without: Collection[str] = ()) -> None:
        self.path = Path(path)
        if isinstance(without, str):
            raise SchemaError(
                f'Executable: without: expected a list of names, such as ["{without}"]'
            )
        self.without = frozenset(without)
        if not self.path.is_absolute():
            raise SchemaError(
                f"Executable: {self.path}: expected an absolute path, because Core starts "
                "providers in the folder of the configuration; write "
                f'`Path(__file__).parent / "{self.path}"`'
            )

    def __repr__(self) -> str:
        return f"Executable({str(self.path)!r})"


class Mux(ServiceSource):
    """Several sets of handlers and executables as one provider. (terraform-plugin-mux)

        serve(Mux(Nimbus, Executable(GO_PROVIDER, without=["nimbus_server"])))

    Each resource, data source, function… comes from the one part that has it. All parts get the
    provider configuration, and must have the same schema for it (descriptions, deprecations and
    numbers of nested blocks may differ); only a set of handlers without a configuration can stand
    beside parts that have one.

    Args:
        parts: The parts: providers of handlers, or their classes, and executables.
        address: The provider address; by default that of the first provider of handlers.

    Raises:
        SchemaError: If a part is something else, there is no part, or no address.
    """

    def __init__(
        self, *parts: Provider[Any] | type[Provider[Any]] | Executable, address: str | None = None
    ) -> None:
        if not parts:
            raise SchemaError("Mux: expected at least one part")
        for part in parts:
            if not _is_part(part):
                raise SchemaError(
                    f"Mux: expected a provider, its class or an Executable, got {describe(part)}"
                )
        self.parts = parts
        addresses = (getattr(part, "address", "") for part in parts)
        self.address = address or next(filter(None, addresses), "")
        if not self.address:
            raise SchemaError(
                'Mux: no address; write `Mux(…, address="registry.opentofu.org/example/nimbus")`'
            )

    def make_service(self) -> ProviderService:
        """Make the service that answers calls; its executables are started at once."""
        from tofutypes.provider.mux.remote import started_part
        from tofutypes.provider.mux.service import MuxService

        with ExitStack() as stack:
            executables = {
                part: started_part(part.path, part.without)
                for part in self.parts
                if isinstance(part, Executable)
            }
            for executable in executables.values():
                stack.callback(executable.service.close)
            parts = [
                executables[part] if isinstance(part, Executable) else _handler_part(part)
                for part in self.parts
            ]
            stack.pop_all()
            return MuxService(parts).service


def _is_part(part: object) -> bool:
    return isinstance(part, Provider | Executable) or (
        isinstance(part, type) and issubclass(part, Provider)
    )


def _handler_part(given: Provider[Any] | type[Provider[Any]]) -> Part:
    from tofutypes.provider.mux.parts import Part
    from tofutypes.provider.server.service import HandlerService

    provider = provider_of(given)
    return Part(
        name=type(provider).__name__,
        service=HandlerService(provider),
        takes_config=provider.config is not NoConfig,
    )
