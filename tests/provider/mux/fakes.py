"""Services that remember what they were asked, as parts of a provider."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from tofutypes.provider.mux.parts import Part
from tofutypes.provider.mux.service import MuxService
from tofutypes.provider.service import responses
from tofutypes.provider.service.service import ProviderService
from tofutypes.schema import Block, ProviderSchema, Schema

CAPABLE = responses.ServerCapabilities(True, True, True, True)


class Fake:
    """A service that answers calls from a table, and remembers them.

    Args:
        metadata: What it has.
        answers: The answers by method, or what makes them.
    """

    def __init__(
        self,
        metadata: responses.MetadataResponse | None = None,
        answers: Mapping[str, object] | None = None,
    ) -> None:
        self.calls: list[tuple[str, Any]] = []
        self._answers = {
            "get_metadata": metadata or responses.MetadataResponse(CAPABLE),
            "get_provider_schema": responses.ProviderSchemaResponse(
                ProviderSchema(provider=Schema(Block())), CAPABLE
            ),
            "get_resource_identity_schemas": responses.IdentitySchemasResponse({}),
            "stop_provider": responses.StopProviderResponse(),
            "close": None,
            **(answers or {}),
        }

    def __getattr__(self, method: str) -> Callable[..., Any]:
        def answer(*arguments: Any) -> Any:
            self.calls.append((method, *arguments))
            answer = self._answers.get(method, f"answer to {method}")
            if isinstance(answer, Exception):
                raise answer
            return answer(*arguments) if callable(answer) else answer

        return answer

    def part(self, name: str, *without: str, takes_config: bool = True) -> Part:
        """This service as a part; `C` is an executable."""
        service = cast("ProviderService", self)
        return Part(name, service, frozenset(without), takes_config, is_executable=name == "C")


def joined(*fakes: Fake) -> ProviderService:
    """The services as parts `A`, `B`… of one."""
    return MuxService([fake.part(name) for name, fake in zip("ABC", fakes, strict=False)]).service
