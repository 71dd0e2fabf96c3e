"""What has a schema, as the calls of the core find it: the author's code and its schema."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from threading import Event
from typing import Generic, TypeVar, cast

from tofutypes.errors import DecodeError
from tofutypes.models import DataSource, EphemeralResource, ProviderConfig, Resource, schema_of
from tofutypes.provider.messages.diagnostics import Diagnostic, ProviderError, Severity
from tofutypes.provider.messages.dynamic_value import read_value
from tofutypes.provider.objchange.faults import Fault
from tofutypes.provider.objchange.schema_parts import Parts, parts_of
from tofutypes.provider.proto.tfplugin6_pb2 import DynamicValue
from tofutypes.provider.server.reporting import not_of_schema
from tofutypes.provider.server.runner import Runner
from tofutypes.schema import Schema
from tofutypes.values import is_wholly_known

M = TypeVar("M", bound=Resource | DataSource | EphemeralResource | ProviderConfig)


class Endpoint(Generic[M]):
    """A resource, a data source, an ephemeral resource or the provider's configuration.

    Attributes:
        name: its type name.
        author: the name of the class that the author wrote for it.
        model: the class of its values.
        run: waits for what the author's code gives.
    """

    def __init__(self, name: str, author: object, model: type[M], run: Runner):
        self.name = name
        self.author = type(author).__name__
        self.model = model
        self.run = run

    @property
    def stopping(self) -> Event:
        """Set when the user interrupts."""
        return self.run.stopping

    @cached_property
    def schema(self) -> Schema:
        """Its schema."""
        return schema_of(cast("type[Resource]", self.model))

    @cached_property
    def parts(self) -> Parts:
        """Its attributes and nested blocks."""
        return parts_of(self.schema.block)

    def must_read(self, message: DynamicValue, what: str) -> M:
        """The object of a message that must not be null.

        Raises:
            ProviderError: it is, or is not an object of this schema.
        """
        found = self.may_read(message)
        if found is None:
            raise ProviderError(f"The {what} of {self.name} is missing")
        return found

    def may_read(self, message: DynamicValue) -> M | None:
        """The object of a message; None if it is null.

        Raises:
            ProviderError: it is not an object of this schema.
        """
        try:
            return read_value(self.model, message)
        except DecodeError as error:
            raise not_of_schema(error) from None

    def ensure_own(self, given: object, method: str) -> M:
        """What the author's code gave, if it is an object of this schema.

        Raises:
            ProviderError: it is not.
        """
        if isinstance(given, self.model):
            return given
        came = "nothing" if given is None else f"an instance of {type(given).__name__}"
        raise fault_of_provider(
            f"{self.author}.{method} must give a {self.model.__name__}, and gave {came}."
        )

    def ensure_known(self, given: object, method: str) -> M:
        """The same, if nothing in it is unknown.

        Raises:
            ProviderError: something is.
        """
        found = self.ensure_own(given, method)
        if not is_wholly_known(found):
            raise fault_of_provider(
                f"{self.author}.{method} gave a {self.model.__name__} with unknown values."
            )
        return found


def fault_of_provider(detail: str) -> ProviderError:
    """The error for what only the author of the provider can correct."""
    return ProviderError("The provider is at fault", detail)


def faults_of_provider(summary: str, faults: Iterable[Fault]) -> list[Diagnostic]:
    """What the core would call inconsistent, as errors that tell where."""
    return [
        Diagnostic(
            Severity.ERROR,
            summary,
            f"{fault}. This is a fault of the provider.",
            fault.path,
        )
        for fault in faults
    ]
