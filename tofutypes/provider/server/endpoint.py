"""What has a schema, as calls find it: the author's handler and its model."""

from __future__ import annotations

from functools import cached_property
from threading import Event
from typing import Generic, TypeVar, cast

from tofutypes.comparison import is_wholly_known
from tofutypes.errors import DecodeError, TofuTypesError
from tofutypes.models import Resource, schema_of
from tofutypes.models.bases import SchemaModel
from tofutypes.provider.objchange.attribute_rules import Rules, rules_of
from tofutypes.provider.objchange.schema_parts import Parts, parts_of
from tofutypes.provider.objchange.traversal import empty_object
from tofutypes.provider.server.provider_bugs import provider_bug
from tofutypes.provider.server.reporting import not_of_schema
from tofutypes.provider.server.runner import Runner
from tofutypes.provider.service.diagnostics import ProviderError
from tofutypes.provider.service.wire_value import WireValue
from tofutypes.schema import Schema

M = TypeVar("M", bound=SchemaModel)


class Endpoint(Generic[M]):
    """A resource, a data source, an action and the like, or the configuration of the provider.

    Attributes:
        name: The type name.
        author: The name of the class that the author wrote.
        model: The class of the values.
        run: Runs the author's code.
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
        """The schema."""
        return schema_of(cast("type[Resource]", self.model))

    @cached_property
    def parts(self) -> Parts:
        """The attributes and nested blocks of the schema."""
        return parts_of(self.schema.block)

    @cached_property
    def rules(self) -> Rules:
        """What the model says of its attributes for the provider alone."""
        return rules_of(self.model)

    def decode(self, value: WireValue, what: str) -> M:
        """Decode an object that must not be null.

        Args:
            value: The object.
            what: What it is, for the error: "prior state".

        Raises:
            ProviderError: If it is null or does not fit the schema.
        """
        decoded = self.decode_optional(value)
        if decoded is None:
            raise ProviderError(f"The {what} of {self.name} is missing")
        return decoded

    def decode_known(self, value: WireValue) -> M:
        """Decode a configuration in which nothing may be unknown any more.

        Raises:
            ProviderError: If it is null, does not fit the schema or has unknown values.
        """
        config = self.decode(value, "configuration")
        if not is_wholly_known(config):
            raise ProviderError(f"The configuration of {self.name} has unknown values")
        return config

    def decode_optional(self, value: WireValue) -> M | None:
        """Decode an object; None if it is null.

        Raises:
            ProviderError: If it does not fit the schema.
        """
        try:
            return value.read(self.model)
        except DecodeError as error:
            raise not_of_schema(error) from None

    def ensure_own(self, returned: object, method: str) -> M:
        """Return what a method of the author returned, if it is an object of this schema.

        Raises:
            ProviderError: If it is not.
        """
        if isinstance(returned, self.model):
            return returned
        got = "None" if returned is None else f"an instance of {type(returned).__name__}"
        raise provider_bug(
            f"{self.author}.{method} must return {self.model.__name__}, but returned {got}."
        )

    def ensure_known(self, returned: object, method: str) -> M:
        """Return what a method of the author returned, if it is an object without unknown values.

        Raises:
            ProviderError: If it is not.
        """
        value = self.ensure_own(returned, method)
        if not is_wholly_known(value):
            raise provider_bug(
                f"{self.author}.{method} returned {self.model.__name__} with unknown values."
            )
        return value


class ConfigBlockEndpoint(Endpoint[M]):
    """An action or a list resource, whose configuration is in a block `config`.

    Source: Terraform 1.15: without the block, the configuration is null.
    """

    def decode_optional(self, value: WireValue) -> M | None:
        """Decode a configuration; nothing is set in it if it is null.

        Returns:
            The configuration; None if it is null, and attributes are required.

        Raises:
            ProviderError: If it does not fit the schema.
        """
        config = super().decode_optional(value)
        if config is not None:
            return config
        try:
            return self.model.model_validate(empty_object(self.parts))
        except TofuTypesError:
            return None
