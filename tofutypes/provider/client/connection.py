"""A connection to a provider: calls as messages, and errors that say what became of the provider.

Source: go-plugin and `internal/plugin6/grpc_provider.go` of OpenTofu.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError as MessageError
from google.protobuf.message import Message

from tofutypes.errors import one_line
from tofutypes.provider.messages.protocol import Call, Protocol
from tofutypes.provider.proto.plugin_pb2 import Empty, StdioData
from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.provider.transport.addresses import Address
from tofutypes.provider.transport.certificates import HOST
from tofutypes.provider.transport.options import (
    MAX_SCHEMA_SIZE,
    schema_size_option,
    size_options,
)
from tofutypes.provider.transport.provider_address import address_in

STOP_TIMEOUT: Final = 10.0
"""Seconds that a provider has to answer `StopProvider`, which does not wait for other calls."""

_SCHEMA_CALLS: Final = frozenset({"GetProviderSchema", "GetResourceIdentitySchemas"})
_SHUTDOWN: Final = "/plugin.GRPCController/Shutdown"
_STDIO: Final = "/plugin.GRPCStdio/StreamStdio"
_SHOWN: Final = 300  # characters of the text of a status
_TOO_LARGE: Final = "larger than max"
"""What gRPC says of messages over a limit of this side, compressed or not."""


class UnsupportedCallError(PluginError):
    """The provider does not support the call, or the protocol version has no such call."""


def open_channel(
    address: Address, credentials: grpc.ChannelCredentials | None = None
) -> grpc.Channel:
    """Open a gRPC channel with limits on what the provider can send.

    Args:
        address: Where the provider listens.
        credentials: The TLS of the channel; None for a plain channel.
    """
    options = [
        *size_options(),
        schema_size_option(),
        ("grpc.enable_http_proxy", 0),  # the provider is on this machine
    ]
    if credentials is None:
        return grpc.insecure_channel(address.target, options)
    options.append(("grpc.ssl_target_name_override", HOST))
    return grpc.secure_channel(address.target, credentials, options)


class ResponseStream:
    """The responses of a call that has several, as they arrive.

    Args:
        answers: The call.
        read: Reads a response.
        error: Makes the error for a failure.

    Raises:
        PluginError: While it is read, as `Connection.call` does.
    """

    def __init__(
        self,
        answers: Any,
        read: Callable[[bytes], Any],
        error: Callable[[grpc.RpcError], PluginError],
    ) -> None:
        self._answers = answers
        self._read = read
        self._error = error

    def __iter__(self) -> ResponseStream:
        return self

    def __next__(self) -> Any:
        try:
            return self._read(next(self._answers))
        except grpc.RpcError as error:
            raise self._error(error) from None

    def close(self) -> None:
        """End the call. Any thread may do so, at any time."""
        self._answers.cancel()


class Connection:
    """A connection to a provider.

    Args:
        channel: The gRPC channel.
        protocol: The protocol version that the provider speaks.
        status: Returns in a few words what became of the provider, for errors.
        timeout: How many seconds the provider has to answer with its schemas; None for no limit.
        call_timeout: How many seconds the provider has for any other call; None for no limit.

    Attributes:
        provider_address: The address that the provider sent with its schemas; None if there is
            none.
    """

    def __init__(
        self,
        channel: grpc.Channel,
        protocol: Protocol,
        status: Callable[[], str] = lambda: "cannot be reached, or has ended",
        timeout: float | None = None,
        call_timeout: float | None = None,
    ) -> None:
        self.protocol = protocol
        self.provider_address: str | None = None
        self._channel = channel
        self._status = status
        self._timeout = timeout
        self._call_timeout = call_timeout

    def call(self, name: str, request: Message) -> Any:
        """Call the provider.

        Args:
            name: The name of the call in protocol 6.
            request: The request. (The request of `GetProviderSchema` is empty in both versions.)

        Returns:
            The response, an instance of `protocol.calls[name].response`.

        Raises:
            UnsupportedCallError: If the provider does not support the call.
            PluginError: If the provider cannot be reached, takes too long, or violates the
                protocol.
        """
        call = self._call_of(name)
        return _read(call, self._send(name, call.path, request.SerializeToString()))

    def call_with_chunks(self, name: str, requests: Iterator[Message]) -> Any:
        """Call the provider with requests that are sent one after another; see `call`.

        An exception of the iterator ends the call.
        """
        call = self._call_of(name)
        raised: list[Exception] = []
        method: grpc.StreamUnaryMultiCallable[bytes, bytes] = self._channel.stream_unary(call.path)
        try:
            return _read(call, method(_serialized(requests, raised), timeout=self._call_timeout))
        except grpc.RpcError as error:
            failure = raised[0] if raised else self._error(name, error, self._call_timeout)
        except ValueError:  # the channel was closed
            failure = PluginError(f"{name}: the client is closed")
        raise failure from None

    def stream(self, name: str, request: Message) -> ResponseStream:
        """Call the provider, and return its responses as they arrive; see `call`.

        The provider waits when nobody reads them.
        """
        call = self._call_of(name)
        method: grpc.UnaryStreamMultiCallable[bytes, bytes] = self._channel.unary_stream(call.path)
        try:
            answers = method(request.SerializeToString(), timeout=self._call_timeout)
        except ValueError:  # the channel was closed
            raise PluginError(f"{name}: the client is closed") from None
        return ResponseStream(
            answers,
            partial(_read, call),
            lambda error: self._error(name, error, self._call_timeout),
        )

    def _call_of(self, name: str) -> Call:
        call = self.protocol.calls.get(name)
        if call is None:
            raise UnsupportedCallError(f"{name}: {self.protocol} has no such call")
        return call

    def _send(self, name: str, path: str, data: bytes) -> bytes:
        # Without serializers: gRPC would log the exceptions that they raise.
        method: grpc.UnaryUnaryMultiCallable[bytes, bytes] = self._channel.unary_unary(path)
        timeout = self._timeout_of(name)
        try:
            answer, call = method.with_call(data, timeout=timeout)
            if name == "GetProviderSchema":
                self.provider_address = address_in(call.initial_metadata())
            return answer
        except grpc.RpcError as error:
            raise self._error(name, error, timeout) from None
        except ValueError:  # the channel was closed
            raise PluginError(f"{name}: the client is closed") from None

    def _timeout_of(self, name: str) -> float | None:
        if name in _SCHEMA_CALLS:
            return self._timeout
        if name == "StopProvider":
            return min(STOP_TIMEOUT, self._call_timeout or STOP_TIMEOUT)
        return self._call_timeout

    def _error(self, name: str, error: grpc.RpcError, timeout: float | None) -> PluginError:
        # Every error of a call is a `grpc.Call` too, but no type says so.
        code, details = grpc.StatusCode.UNKNOWN, ""
        if isinstance(error, grpc.Call):
            code, details = error.code(), one_line(error.details() or "")[:_SHOWN]
        match code:
            case grpc.StatusCode.UNAVAILABLE:
                return PluginError(f"{name}: the provider {self._status()}")
            case grpc.StatusCode.DEADLINE_EXCEEDED:
                return PluginError(f"{name}: no answer within {timeout:g} seconds")
            case grpc.StatusCode.CANCELLED:
                return PluginError(f"{name}: the call was cancelled")
            case grpc.StatusCode.UNIMPLEMENTED:
                return UnsupportedCallError(f"{name}: the provider does not support this call")
            case grpc.StatusCode.RESOURCE_EXHAUSTED if _TOO_LARGE in details:
                what = "request" if details.startswith("SERVER") else "response"
                return PluginError(f"{name}: the {what} is too large{_limit_of(name)}")
            case _:
                text = f": {details}" if details else ""
                return PluginError(f"{name}: the call failed with {code.name}{text}")

    def shut_down(self, timeout: float) -> None:
        """Ask the provider to end. An error is ignored: the caller ends the process anyway.

        Args:
            timeout: How many seconds to wait for an answer.
        """
        method: grpc.UnaryUnaryMultiCallable[bytes, bytes] = self._channel.unary_unary(_SHUTDOWN)
        try:
            method(Empty().SerializeToString(), timeout=timeout)
        except (grpc.RpcError, ValueError):
            return

    def printed(self) -> Iterator[bytes]:
        """What the provider prints, in pieces, until the connection ends.

        Source: go-plugin, `grpc_stdio.go`. What a plugin of go-plugin prints after its handshake
        arrives here; nobody reads it from the plugin's standard output.
        """
        method: grpc.UnaryStreamMultiCallable[bytes, bytes] = self._channel.unary_stream(_STDIO)
        with suppress(grpc.RpcError, ValueError, MessageError):  # plugins may lack this service
            for piece in method(b""):
                yield StdioData.FromString(piece).data

    def close(self) -> None:
        """Close the channel."""
        self._channel.close()


def _read(call: Call, data: bytes) -> Any:
    try:
        return call.response.FromString(data)
    except MessageError:
        raise PluginError(f"{call.name}: the response is not a valid message") from None


def _serialized(requests: Iterator[Message], raised: list[Exception]) -> Iterator[bytes]:
    """What gRPC sends, on a thread of its own, where nobody would see an exception."""
    try:
        for request in requests:
            yield request.SerializeToString()
    except Exception as error:
        raised.append(error)
        raise  # gRPC cancels the call: the provider must not take a part for the whole


def _limit_of(name: str) -> str:
    if name != "GetProviderSchema":
        return " (see `Limits.size`)"
    return f": OpenTofu and Terraform accept schemas of at most {MAX_SCHEMA_SIZE:,} bytes"
