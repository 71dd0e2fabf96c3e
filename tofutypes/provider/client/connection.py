"""Calls to a provider: requests and responses as messages, and what is wrong with a connection.

Source: go-plugin and `internal/plugin6/grpc_provider.go` of OpenTofu.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError as MessageError
from google.protobuf.message import Message

from tofutypes.errors import one_line
from tofutypes.provider.messages.protocol import Protocol
from tofutypes.provider.proto.plugin_pb2 import Empty
from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.provider.transport.addresses import Address

LARGEST_SCHEMA: Final = 64 << 20
"""Bytes of all schemas of a provider; the core takes no more. All else may be of any size."""

_OF_SCHEMAS: Final = frozenset({"GetProviderSchema", "GetResourceIdentitySchemas"})
_SHUTDOWN: Final = "/plugin.GRPCController/Shutdown"
_SHOWN: Final = 300  # characters of what a status says

_OPTIONS: Final = (
    ("grpc.max_receive_message_length", -1),
    ("grpc.max_send_message_length", -1),
    ("grpc.enable_http_proxy", 0),  # there is none on the way to this machine
)


class UnsupportedCallError(PluginError):
    """A call that the provider does not know."""


def open_channel(address: Address) -> grpc.Channel:
    """A channel to what listens at an address, in plain, for messages of any size."""
    return grpc.insecure_channel(address.target, _OPTIONS)


class Connection:
    """A connection to a provider.

    Args:
        channel: the channel.
        protocol: what the provider speaks.
        how_it_is: tells in a few words what became of the provider, for errors.
        timeout: how many seconds it may take to tell its schemas; None is no limit.
    """

    def __init__(
        self,
        channel: grpc.Channel,
        protocol: Protocol,
        how_it_is: Callable[[], str] = lambda: "cannot be reached, or is gone",
        timeout: float | None = None,
    ) -> None:
        self.protocol = protocol
        self._channel = channel
        self._how_it_is = how_it_is
        self._timeout = timeout

    def call(self, name: str, request: Message) -> Any:
        """Call the provider.

        Args:
            name: the name of the call in protocol 6.
            request: its request. (That of `GetProviderSchema` is empty in both majors.)

        Returns:
            The response, of the class that `protocol.calls` tells.

        Raises:
            UnsupportedCallError: the provider does not know the call.
            PluginError: the provider cannot be reached, or does not answer as it should.
        """
        call = self.protocol.calls.get(name)
        if call is None:
            raise UnsupportedCallError(f"{name}: {self.protocol} has no such call")
        data = self._send(name, call.path, request.SerializeToString())
        if name == "GetProviderSchema" and len(data) > LARGEST_SCHEMA:
            raise PluginError(
                f"{name}: the schemas have {len(data):,} bytes, and the core takes at most "
                f"{LARGEST_SCHEMA:,}"
            )
        try:
            return call.response.FromString(data)
        except MessageError:
            raise PluginError(f"{name}: the provider answered with something else") from None

    def _send(self, name: str, path: str, data: bytes) -> bytes:
        # Without serializers: gRPC would log what they raise.
        method: grpc.UnaryUnaryMultiCallable[bytes, bytes] = self._channel.unary_unary(path)
        try:
            # What an apply takes nobody knows, but schemas are there when the provider is.
            return method(data, timeout=self._timeout if name in _OF_SCHEMAS else None)
        except grpc.RpcError as error:
            raise self._error(name, error) from None
        except ValueError:  # the channel was closed
            raise PluginError(f"{name}: the client is closed") from None

    def _error(self, name: str, error: grpc.RpcError) -> PluginError:
        # Every error of a call is one of these too, but no type says so.
        code, details = grpc.StatusCode.UNKNOWN, ""
        if isinstance(error, grpc.Call):
            code, details = error.code(), one_line(error.details() or "")[:_SHOWN]
        match code:
            case grpc.StatusCode.UNAVAILABLE:
                return PluginError(f"{name}: the provider {self._how_it_is()}")
            case grpc.StatusCode.DEADLINE_EXCEEDED:
                return PluginError(f"{name}: no answer within {self._timeout:g} seconds")
            case grpc.StatusCode.CANCELLED:
                return PluginError(f"{name}: the call was cancelled")
            case grpc.StatusCode.UNIMPLEMENTED:
                return UnsupportedCallError(f"{name}: the provider does not support this call")
            case _:
                said = f": {details}" if details else ""
                return PluginError(f"{name}: the call failed with {code.name}{said}")

    def shut_down(self, timeout: float) -> None:
        """Ask the plugin to end; whether it answers does not matter.

        Args:
            timeout: how many seconds to wait for an answer.
        """
        method: grpc.UnaryUnaryMultiCallable[bytes, bytes] = self._channel.unary_unary(_SHUTDOWN)
        try:
            method(Empty().SerializeToString(), timeout=timeout)
        except (grpc.RpcError, ValueError):
            return

    def close(self) -> None:
        """Close the channel."""
        self._channel.close()
