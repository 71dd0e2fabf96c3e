"""A client of providers, to test them from Python: what the core does, one call at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final, ParamSpec, TypeVar

from google.protobuf.timestamp_pb2 import Timestamp

from tofutypes.errors import IndexStep, Path, describe
from tofutypes.models import (
    DataSource,
    EphemeralResource,
    ProviderConfig,
    ProviderFunction,
    Resource,
)
from tofutypes.models.bases import SchemaModel
from tofutypes.provider.client.connection import Connection
from tofutypes.provider.client.conversion import (
    read_by_type,
    read_deferred,
    warnings_of,
    write_by_type,
)
from tofutypes.provider.client.resources import ResourceCalls
from tofutypes.provider.client.results import Opened
from tofutypes.provider.client.session import Session, type_name
from tofutypes.provider.messages.dynamic_value import NULL, read_value, write_value
from tofutypes.provider.messages.protocol import Protocol
from tofutypes.provider.objchange.schema_parts import parts_of
from tofutypes.provider.objchange.traversal import empty_object
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6
from tofutypes.provider.service.diagnostics import Diagnostic, PluginError, ProviderError
from tofutypes.schema import Block, ProviderSchema, implied_type
from tofutypes.types import Type
from tofutypes.wire import encode_msgpack

P = ParamSpec("P")
T = TypeVar("T")
D = TypeVar("D", bound=DataSource)
E = TypeVar("E", bound=EphemeralResource)
M = TypeVar("M", bound=SchemaModel)

CORE_VERSION: Final = "1.13.0"
"""The version of the core that the client claims to be, as OpenTofu does."""

_VALIDATE: Final[Mapping[type[SchemaModel], str]] = {
    Resource: "ValidateResourceConfig",
    DataSource: "ValidateDataResourceConfig",
    EphemeralResource: "ValidateEphemeralResourceConfig",
    ProviderConfig: "ValidateProviderConfig",
}


class Client(ResourceCalls):
    """Talks to a provider as the core does. Made by `launch`, `attach` or `connect`.

    What a provider refuses is a `ProviderError`, what goes wrong with the provider itself a
    `PluginError`, and what it answers that is not of its schema a `DecodeError`. Threads may share
    a client.

    Args:
        connection: the connection to the provider.
        close: ends it, and what else there is to end.
        deferral_allowed: whether the provider may put calls off, as with some versions of
            Terraform.
    """

    def __init__(
        self,
        connection: Connection,
        close: Callable[[], None] | None = None,
        *,
        deferral_allowed: bool = False,
    ) -> None:
        super().__init__(Session(connection), deferral_allowed=deferral_allowed)
        self._close = connection.close if close is None else close

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connection, and the provider if `launch` started it."""
        self._close()

    @property
    def protocol(self) -> Protocol:
        """The major of the protocol that they speak."""
        return self._session.connection.protocol

    @property
    def schema(self) -> ProviderSchema:
        """The schemas of the provider, read once.

        Raises:
            SchemaError: they are not valid.
        """
        return self._session.schema

    def configure(self, config: ProviderConfig | None = None) -> tuple[Diagnostic, ...]:
        """Configure the provider, as the core does before it plans or reads anything.

        Args:
            config: its configuration; None for one in which nothing is set.

        Returns:
            The warnings.
        """
        request = tfplugin6.ConfigureProvider.Request(
            terraform_version=CORE_VERSION,
            config=self._empty_configuration() if config is None else write_value(config),
            client_capabilities=self._capable,
        )
        return warnings_of(self._session.call("ConfigureProvider", request).diagnostics)

    def _empty_configuration(self) -> tfplugin6.DynamicValue:
        provider = self.schema.provider
        block = Block() if provider is None else provider.block
        return write_by_type(empty_object(parts_of(block)), implied_type(block))

    def validate(
        self, config: Resource | DataSource | EphemeralResource | ProviderConfig
    ) -> tuple[Diagnostic, ...]:
        """Have a configuration checked, in which anything may be unknown.

        Returns:
            The warnings.
        """
        name = next((call for kind, call in _VALIDATE.items() if isinstance(config, kind)), None)
        if name is None:
            raise PluginError(f"there is no validation of {describe(config)}")
        # Four classes of the same fields, but for what one or the other does not need.
        request: Any = self.protocol.calls[name].request(config=write_value(config))
        fields = request.DESCRIPTOR.fields_by_name
        if "type_name" in fields:
            request.type_name = type_name(type(config))
        if "client_capabilities" in fields:
            request.client_capabilities.CopyFrom(self._capable)
        return warnings_of(self._session.call(name, request).diagnostics)

    def read_data(self, config: D, *, warnings: list[Diagnostic] | None = None) -> D:
        """Read a data source.

        Args:
            config: its configuration, with nothing unknown.
            warnings: a list that takes the warnings.

        Returns:
            The same with all that is computed.
        """
        request = tfplugin6.ReadDataSource.Request(
            type_name=type_name(type(config)),
            config=write_value(config),
            client_capabilities=self._capable,
        )
        answer: tfplugin6.ReadDataSource.Response = self._session.call("ReadDataSource", request)
        said = warnings_of(answer.diagnostics)
        if warnings is not None:
            warnings += said
        return _must_read(type(config), answer, answer.state)

    def open_ephemeral(self, config: E) -> Opened[E]:
        """Open an ephemeral resource.

        Args:
            config: its configuration, with nothing unknown.
        """
        request = tfplugin6.OpenEphemeralResource.Request(
            type_name=type_name(type(config)),
            config=write_value(config),
            client_capabilities=self._capable,
        )
        answer: tfplugin6.OpenEphemeralResource.Response = self._session.call(
            "OpenEphemeralResource", request
        )
        warnings = warnings_of(answer.diagnostics)
        value = _must_read(type(config), answer, answer.result)
        return Opened(value, _private(answer), _renew_at(answer), warnings)

    def renew_ephemeral(self, opened: Opened[E]) -> Opened[E]:
        """Make it last longer; at `opened.renew_at`.

        Returns:
            The same with what is to be given back from now on, and when to renew it again.
        """
        request = tfplugin6.RenewEphemeralResource.Request(
            type_name=type_name(type(opened.value)), private=opened.private
        )
        answer: tfplugin6.RenewEphemeralResource.Response = self._session.call(
            "RenewEphemeralResource", request
        )
        warnings = warnings_of(answer.diagnostics)
        return Opened(opened.value, _private(answer), _renew_at(answer), warnings)

    def close_ephemeral(self, opened: Opened[E]) -> tuple[Diagnostic, ...]:
        """End it.

        Returns:
            The warnings.
        """
        request = tfplugin6.CloseEphemeralResource.Request(
            type_name=type_name(type(opened.value)), private=opened.private
        )
        return warnings_of(self._session.call("CloseEphemeralResource", request).diagnostics)

    def call(self, function: ProviderFunction[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function of the provider, by its declaration.

        Raises:
            ProviderError: the function refuses; with the position of the argument, if it is one.
            EncodeError: an argument is not of its type.
        """
        request = tfplugin6.CallFunction.Request(
            name=function.name,
            arguments=[
                tfplugin6.DynamicValue(msgpack=each) for each in function.arguments(*args, **kwargs)
            ],
        )
        answer: tfplugin6.CallFunction.Response = self._session.call("CallFunction", request)
        if answer.HasField("error"):
            error = answer.error
            about = error.HasField("function_argument")
            path = Path((IndexStep(error.function_argument),)) if about else Path()
            raise ProviderError(error.text, path=path)
        return function.result(_as_msgpack(answer.result, function.schema.return_type))

    def stop(self) -> None:
        """Ask the provider to end what it does in other calls early; they answer nevertheless.

        Raises:
            ProviderError: it cannot.
        """
        answer: tfplugin6.StopProvider.Response = self._session.call(
            "StopProvider", tfplugin6.StopProvider.Request()
        )
        if answer.Error:
            raise ProviderError("The provider cannot be stopped", answer.Error)


def _must_read(
    model: type[M],
    answer: tfplugin6.ReadDataSource.Response | tfplugin6.OpenEphemeralResource.Response,
    message: tfplugin6.DynamicValue,
) -> M:
    """The value of an answer that must have one."""
    found = read_value(model, message)
    if found is not None:
        return found
    reason = read_deferred(answer)
    why = "nothing" if reason is None else f"that it cannot yet ({reason.name})"
    raise PluginError(f"{type_name(model)}: the provider answered {why}")


def _private(
    answer: tfplugin6.OpenEphemeralResource.Response | tfplugin6.RenewEphemeralResource.Response,
) -> bytes | None:
    return answer.private if answer.HasField("private") else None


def _renew_at(
    answer: tfplugin6.OpenEphemeralResource.Response | tfplugin6.RenewEphemeralResource.Response,
) -> datetime | None:
    if not answer.HasField("renew_at"):
        return None
    moment: Timestamp = answer.renew_at
    try:
        return moment.ToDatetime(UTC)
    except (ValueError, OverflowError):
        raise PluginError("the provider wants to renew at an invalid time") from None


def _as_msgpack(message: tfplugin6.DynamicValue, type_: Type) -> bytes:
    if message.msgpack or not message.json:
        return message.msgpack or NULL
    return encode_msgpack(read_by_type(message, type_), type_)
