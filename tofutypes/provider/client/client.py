"""A client of one provider: the calls of Terraform Core and OpenTofu, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final, ParamSpec, TypeVar

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from tofutypes.errors import IndexStep, Path, describe
from tofutypes.models import (
    Action,
    DataSource,
    EphemeralResource,
    ListResource,
    ProviderConfig,
    ProviderFunction,
    Resource,
    StateStore,
)
from tofutypes.models.bases import SchemaModel
from tofutypes.provider.client.actions import ActionCalls
from tofutypes.provider.client.connection import Connection
from tofutypes.provider.client.conversion import (
    raise_errors,
    read_by_type,
    read_deferred,
    write_by_type,
)
from tofutypes.provider.client.lists import ListCalls
from tofutypes.provider.client.resources import ResourceCalls
from tofutypes.provider.client.results import Data, Opened, Outcome
from tofutypes.provider.client.session import Session, type_name
from tofutypes.provider.client.state_stores import StateStoreCalls
from tofutypes.provider.messages.dynamic_value import NULL, read_value, write_value
from tofutypes.provider.messages.protocol import Protocol
from tofutypes.provider.objchange.schema_parts import parts_of
from tofutypes.provider.objchange.traversal import empty_object
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6
from tofutypes.provider.service.diagnostics import PluginError, ProviderError
from tofutypes.schema import Block, ProviderSchema, implied_type
from tofutypes.types import Type
from tofutypes.wire import encode_msgpack

P = ParamSpec("P")
T = TypeVar("T")
D = TypeVar("D", bound=DataSource)
E = TypeVar("E", bound=EphemeralResource)
M = TypeVar("M", bound=SchemaModel)

CORE_VERSION: Final = "1.13.0"
"""The Terraform version that the client reports to providers, as OpenTofu does."""

_VALIDATE: Final[Mapping[type[SchemaModel], str]] = {
    Resource: "ValidateResourceConfig",
    DataSource: "ValidateDataResourceConfig",
    EphemeralResource: "ValidateEphemeralResourceConfig",
    ListResource: "ValidateListResourceConfig",
    Action: "ValidateActionConfig",
    ProviderConfig: "ValidateProviderConfig",
    StateStore: "ValidateStateStoreConfig",
}


class Client(ResourceCalls, ActionCalls, ListCalls, StateStoreCalls):
    """Calls a provider as Terraform Core and OpenTofu do.

    `launch`, `attach`, `connect` and `host` return clients.

    Every result has the warnings of its call in `diagnostics`. Errors are exceptions: a
    `ProviderError` if the provider returns errors, a `PluginError` if the provider ended, timed out
    or violated the protocol, a `DecodeError` if a value does not fit the schema. Threads may share
    a client.

        with launch("./terraform-provider-null") as provider:
            plan = provider.plan(NullResource(triggers={"a": "1"}))
            state = provider.apply(plan)

    Args:
        connection: The connection to the provider.
        close: Closes the connection and whatever was started for it; by default, closes the
            connection.
        deferral_allowed: Whether the provider may defer calls, as in some versions of Terraform.
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
        """Close the connection, and end the provider if `launch` or `host` started it."""
        self._close()

    @property
    def protocol(self) -> Protocol:
        """The protocol version of the connection."""
        return self._session.connection.protocol

    @property
    def schema(self) -> ProviderSchema:
        """The schemas of the provider, read once.

        Raises:
            SchemaError: If the schemas are not valid. The message has the path.
        """
        return self._session.schema

    @property
    def provider_address(self) -> str | None:
        """The provider's own address, such as `registry.opentofu.org/example/nimbus`.

        Only providers written with this library tell it; None for all others.

        Raises:
            SchemaError: If the schemas, which come with it, are not valid.
        """
        _ = self._session.schema  # the provider sends the address with its schemas
        return self._session.connection.provider_address

    def configure(self, config: ProviderConfig | None = None) -> Outcome:
        """Configure the provider. Needed before it plans or reads anything.

        Args:
            config: The provider configuration; None for one in which nothing is set.
        """
        request = tfplugin6.ConfigureProvider.Request(
            terraform_version=CORE_VERSION,
            config=self._empty_configuration() if config is None else write_value(config),
            client_capabilities=self._capable,
        )
        return self._outcome("ConfigureProvider", request)

    def _empty_configuration(self) -> tfplugin6.DynamicValue:
        provider = self.schema.provider
        block = Block() if provider is None else provider.block
        return write_by_type(empty_object(parts_of(block)), implied_type(block))

    def validate(
        self,
        config: Resource
        | DataSource
        | EphemeralResource
        | ListResource
        | Action
        | StateStore
        | ProviderConfig,
    ) -> Outcome:
        """Validate a configuration. Any value in it may be unknown."""
        name = next((call for kind, call in _VALIDATE.items() if isinstance(config, kind)), None)
        if name is None:
            raise PluginError(f"cannot validate {describe(config)}")
        # Request classes with the same fields, of which some lack one or the other.
        request: Any = self.protocol.calls[name].request(config=write_value(config))
        fields = request.DESCRIPTOR.fields_by_name
        if "type_name" in fields:
            request.type_name = type_name(type(config))
        if "client_capabilities" in fields:
            request.client_capabilities.CopyFrom(self._capable)
        return self._outcome(name, request)

    def read_data(self, config: D) -> Data[D]:
        """Read a data source.

        Args:
            config: The configuration. All values in it must be known.
        """
        request = tfplugin6.ReadDataSource.Request(
            type_name=type_name(type(config)),
            config=write_value(config),
            provider_meta=self._meta(),
            client_capabilities=self._capable,
        )
        response: tfplugin6.ReadDataSource.Response = self._session.call("ReadDataSource", request)
        warnings = raise_errors(response.diagnostics)
        return Data(_must_read(type(config), response, response.state), warnings)

    def open_ephemeral(self, config: E) -> Opened[E]:
        """Open an ephemeral resource.

        Args:
            config: The configuration. All values in it must be known.
        """
        request = tfplugin6.OpenEphemeralResource.Request(
            type_name=type_name(type(config)),
            config=write_value(config),
            client_capabilities=self._capable,
        )
        response: tfplugin6.OpenEphemeralResource.Response = self._session.call(
            "OpenEphemeralResource", request
        )
        warnings = raise_errors(response.diagnostics)
        value = _must_read(type(config), response, response.result)
        return Opened(value, _private(response), _renew_at(response), warnings)

    def renew_ephemeral(self, opened: Opened[E]) -> Opened[E]:
        """Renew an ephemeral resource, at `opened.renew_at`.

        Returns:
            The same values with new private data, and the time of the next renewal.
        """
        request = tfplugin6.RenewEphemeralResource.Request(
            type_name=type_name(type(opened.value)), private=opened.private
        )
        response: tfplugin6.RenewEphemeralResource.Response = self._session.call(
            "RenewEphemeralResource", request
        )
        warnings = raise_errors(response.diagnostics)
        return Opened(opened.value, _private(response), _renew_at(response), warnings)

    def close_ephemeral(self, opened: Opened[E]) -> Outcome:
        """Close an ephemeral resource."""
        request = tfplugin6.CloseEphemeralResource.Request(
            type_name=type_name(type(opened.value)), private=opened.private
        )
        return self._outcome("CloseEphemeralResource", request)

    def call(self, function: ProviderFunction[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function of the provider.

            provider.call(functions.parse_duration, "1h")

        Args:
            function: The declaration of the function.
            args: The arguments, as in the declaration.
            kwargs: Arguments by name.

        Raises:
            ProviderError: If the function fails; the path is the position of the argument at fault.
            EncodeError: If an argument is not of its type.
        """
        request = tfplugin6.CallFunction.Request(
            name=function.name,
            arguments=[
                tfplugin6.DynamicValue(msgpack=argument)
                for argument in function.arguments(*args, **kwargs)
            ],
        )
        response: tfplugin6.CallFunction.Response = self._session.call("CallFunction", request)
        if response.HasField("error"):
            error = response.error
            has_position = error.HasField("function_argument")
            path = Path((IndexStep(error.function_argument),)) if has_position else Path()
            raise ProviderError(error.text, path=path)
        return function.result(_as_msgpack(response.result, function.schema.return_type))

    def stop(self) -> None:
        """Ask the provider to end running calls early. Those calls still return.

        Raises:
            ProviderError: If the provider returns an error.
            PluginError: If the provider does not response within 10 seconds.
        """
        response: tfplugin6.StopProvider.Response = self._session.call(
            "StopProvider", tfplugin6.StopProvider.Request()
        )
        if response.Error:
            raise ProviderError("The provider cannot be stopped", response.Error)

    def _outcome(self, name: str, request: Message) -> Outcome:
        return Outcome(raise_errors(self._session.call(name, request).diagnostics))


def _must_read(
    model: type[M],
    response: tfplugin6.ReadDataSource.Response | tfplugin6.OpenEphemeralResource.Response,
    message: tfplugin6.DynamicValue,
) -> M:
    """The value of a response that must have one."""
    value = read_value(model, message)
    if value is not None:
        return value
    reason = read_deferred(response)
    fault = "returned no value" if reason is None else f"deferred the call ({reason.name})"
    raise PluginError(f"{type_name(model)}: the provider {fault}")


def _private(
    response: tfplugin6.OpenEphemeralResource.Response | tfplugin6.RenewEphemeralResource.Response,
) -> bytes | None:
    return response.private if response.HasField("private") else None


def _renew_at(
    response: tfplugin6.OpenEphemeralResource.Response | tfplugin6.RenewEphemeralResource.Response,
) -> datetime | None:
    if not response.HasField("renew_at"):
        return None
    moment: Timestamp = response.renew_at
    try:
        return moment.ToDatetime(UTC)
    except (ValueError, OverflowError):
        raise PluginError("the provider returned an invalid time in `renew_at`") from None


def _as_msgpack(message: tfplugin6.DynamicValue, type_: Type) -> bytes:
    if message.msgpack or not message.json:
        return message.msgpack or NULL
    return encode_msgpack(read_by_type(message, type_), type_)
