"""A part of a provider: a set of handlers, or another provider's executable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, cast

from tofutypes.provider.client.connection import UnsupportedCallError
from tofutypes.provider.mux.kinds import KINDS
from tofutypes.provider.service import responses
from tofutypes.provider.service.closing import close_iterator
from tofutypes.provider.service.diagnostics import PluginError, ProviderError
from tofutypes.provider.service.service import ProviderService
from tofutypes.schema import ProviderSchema

_PART_OF: Final = "It is a part of this provider, and is not started again."


@dataclass(frozen=True)
class Part:
    """A part of a provider.

    Attributes:
        name: The name of the part in messages.
        service: What answers its calls.
        without: What the part has and the provider takes from another part: `nimbus_server`,
            `data.nimbus_region`.
        takes_config: Whether the part gets the provider configuration. A part without a schema
            for it gets an empty one.
        is_executable: Whether the author can leave out what other parts have.
    """

    name: str
    service: ProviderService
    without: frozenset[str] = frozenset()
    takes_config: bool = True
    is_executable: bool = False

    def call(self, method: str, *arguments: Any) -> Any:
        """Call a method of the service.

        Raises:
            UnsupportedCallError: If the part does not support the call.
            ProviderError: If the part cannot answer. The message has its name.
        """
        try:
            answer = getattr(self.service, method)(*arguments)
        except UnsupportedCallError:
            raise
        except PluginError as error:
            raise self.failure(error) from None
        return _Stream(self, cast("Iterator[Any]", answer)) if _is_stream(answer) else answer

    @cached_property
    def metadata(self) -> responses.MetadataResponse:
        """The names of what the part has, read once.

        Raises:
            ProviderError: If the part cannot answer.
        """
        try:
            response: responses.MetadataResponse = self.call("get_metadata")
        except UnsupportedCallError:  # the call came with protocol 5.5 and 6.5
            return self._metadata_of_schema()
        return response

    def functions(self) -> responses.FunctionsResponse:
        """The signatures of its functions."""
        try:
            response: responses.FunctionsResponse = self.call("get_functions")
        except UnsupportedCallError:
            answer = self.schema()
            schema = answer.schema or ProviderSchema()
            return responses.FunctionsResponse(schema.functions, answer.diagnostics)
        return response

    def identities(self) -> responses.IdentitySchemasResponse:
        """The identity schemas of its resources."""
        try:
            response: responses.IdentitySchemasResponse = self.call("get_resource_identity_schemas")
        except UnsupportedCallError:
            return responses.IdentitySchemasResponse({})
        return response

    def schema(self) -> responses.ProviderSchemaResponse:
        """The schemas of the part."""
        response: responses.ProviderSchemaResponse = self.call("get_provider_schema")
        return response

    def _metadata_of_schema(self) -> responses.MetadataResponse:
        response = self.schema()
        names = {kind: tuple(getattr(response.schema, kind, ())) for kind in KINDS}
        return responses.MetadataResponse(
            response.server_capabilities, response.diagnostics, **names
        )

    def failure(self, error: PluginError) -> ProviderError:
        """The error for a call that the part cannot answer."""
        return ProviderError(f"{self.name} cannot answer", f"{error}. {_PART_OF}")


def _is_stream(answer: object) -> bool:
    return isinstance(answer, Iterator)


class _Stream:
    """The responses of a call that has several, with the errors of its part."""

    def __init__(self, part: Part, records: Iterator[Any]) -> None:
        self._part = part
        self._records = records

    def __iter__(self) -> _Stream:
        return self

    def __next__(self) -> Any:
        try:
            return next(self._records)
        except PluginError as error:
            raise self._part.failure(error) from None

    def close(self) -> None:
        close_iterator(self._records)
