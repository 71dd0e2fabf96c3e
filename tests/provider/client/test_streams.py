"""Calls with several requests or responses, through a server and a remote service."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, cast

import pytest

from tofutypes.provider import PluginError, ProviderError
from tofutypes.provider.client.connection import Connection, UnsupportedCallError, open_channel
from tofutypes.provider.client.remote_service import remote_service
from tofutypes.provider.messages.protocol import protocol_of
from tofutypes.provider.server.listening import listening
from tofutypes.provider.service.requests import ActionRequest, ListResourceRequest
from tofutypes.provider.service.responses import (
    DiagnosticsResponse,
    InvokeActionEvent,
    ListResourceEvent,
    StopProviderResponse,
)
from tofutypes.provider.service.service import ProviderService
from tofutypes.provider.service.state_requests import StateChunk, StateRange, StateRequest
from tofutypes.provider.service.unsupported import UnsupportedCalls
from tofutypes.provider.service.wire_value import WireValue

ASK = ListResourceRequest("toy_box")


class Streams(UnsupportedCalls):
    """Answers with the code that a test gives."""

    def __init__(self, **code: Callable[..., Any]) -> None:
        self.code = code

    def list_resource(self, request: ListResourceRequest, /) -> Iterator[ListResourceEvent]:
        return cast("Iterator[ListResourceEvent]", self.code["list_resource"](request))

    def write_state_bytes(self, chunks: Iterator[StateChunk], /) -> DiagnosticsResponse:
        return cast("DiagnosticsResponse", self.code["write_state_bytes"](chunks))

    def stop_provider(self) -> StopProviderResponse:
        return StopProviderResponse()

    def close(self) -> None:
        return None


@pytest.fixture
def remote() -> Iterator[Callable[..., ProviderService]]:
    """Makes a remote service of the code of a test, for a version of the protocol."""
    with ExitStack() as stack:

        def make(major: int = 6, **code: Callable[..., Any]) -> ProviderService:
            service = cast("ProviderService", Streams(**code))
            server, handshake = stack.enter_context(listening(service, major, {}))
            stack.callback(server.stop)
            connection = Connection(open_channel(handshake.listens_on), protocol_of(major))
            stack.callback(connection.close)
            return remote_service(connection)

        yield make


def event(number: int) -> ListResourceEvent:
    return ListResourceEvent(WireValue(b"\x01"), f"box {number}")


@pytest.mark.parametrize("major", [5, 6])
def test_responses_come_in_order(remote: Callable[..., ProviderService], major: int) -> None:
    service = remote(major, list_resource=lambda _: map(event, range(100)))
    assert list(service.list_resource(ASK)) == [event(number) for number in range(100)]


def test_a_relay_of_a_relay(remote: Callable[..., ProviderService]) -> None:
    inner = remote(list_resource=lambda _: map(event, range(3)))
    outer = remote(list_resource=inner.list_resource)
    assert [found.display_name for found in outer.list_resource(ASK)] == ["box 0", "box 1", "box 2"]


def test_a_failure_ends_the_responses(remote: Callable[..., ProviderService]) -> None:
    def fail(_: ListResourceRequest) -> Iterator[ListResourceEvent]:
        yield event(0)
        raise ProviderError("The page is gone")

    first, second = remote(list_resource=fail).list_resource(ASK)
    assert first == event(0)
    assert [str(error) for error in second.diagnostics] == ["error: The page is gone"]


def test_nothing_is_made_that_nobody_reads(remote: Callable[..., ProviderService]) -> None:
    made: list[int] = []
    ended = threading.Event()

    def endless(_: ListResourceRequest) -> Iterator[ListResourceEvent]:
        try:
            while True:
                made.append(len(made))
                yield ListResourceEvent(display_name="x" * 100_000)
        finally:
            ended.set()

    events = remote(list_resource=endless).list_resource(ASK)
    next(events)
    time.sleep(0.3)  # time to make thousands
    assert len(made) < 200
    events.close()  # type: ignore[attr-defined]  # a stream of a remote service has it
    assert ended.wait(5)
    with pytest.raises(PluginError, match="ListResource: the call was cancelled"):
        list(events)


class Stream:
    """Endless events, of which nobody wants all."""

    def __init__(self) -> None:
        self.finished = threading.Event()

    def __iter__(self) -> Stream:
        return self

    def __next__(self) -> ListResourceEvent:
        return ListResourceEvent(display_name="x" * 100_000)

    def finish(self) -> None:
        self.finished.set()


def test_the_thread_that_reads_a_stream_finishes_it(
    remote: Callable[..., ProviderService],
) -> None:
    stream = Stream()
    events = remote(list_resource=lambda _: stream).list_resource(ASK)
    next(events)
    events.close()  # type: ignore[attr-defined]  # a stream of a remote service has it
    assert stream.finished.wait(5)


def test_requests_arrive_in_order(remote: Callable[..., ProviderService]) -> None:
    received: list[StateChunk] = []

    def write(chunks: Iterator[StateChunk]) -> DiagnosticsResponse:
        received.extend(chunks)
        return DiagnosticsResponse()

    sent = [
        StateChunk(StateRequest("toy_store", "default"), b"ab", 3, StateRange(0, 1)),
        StateChunk(None, b"c", 3, StateRange(2, 2)),
    ]
    assert remote(write_state_bytes=write).write_state_bytes(iter(sent)) == DiagnosticsResponse()
    assert received == sent


def test_requests_that_end_amiss(remote: Callable[..., ProviderService]) -> None:
    """What is written must know that it is a part only."""
    cut: list[BaseException] = []
    told = threading.Event()

    def write(chunks: Iterator[StateChunk]) -> DiagnosticsResponse:
        try:
            list(chunks)
        except BaseException as error:
            cut.append(error)
            raise
        finally:
            told.set()
        return DiagnosticsResponse()

    def fail() -> Iterator[StateChunk]:
        yield StateChunk(StateRequest("toy_store", "default"), b"ab", 3, StateRange(0, 1))
        raise ProviderError("The file is gone")

    with pytest.raises(ProviderError, match="The file is gone"):
        remote(write_state_bytes=write).write_state_bytes(fail())
    assert told.wait(5)
    assert [str(error) for error in cut] == ["the stream was cut before its end"]


def test_a_version_without_the_call(remote: Callable[..., ProviderService]) -> None:
    service = remote(5)
    with pytest.raises(UnsupportedCallError, match="protocol 5 has no call read_state_bytes"):
        service.read_state_bytes(StateRequest("toy_store"))


def test_a_provider_that_has_none(remote: Callable[..., ProviderService]) -> None:
    (end,) = remote().invoke_action(ActionRequest("toy_shake"))
    assert end == InvokeActionEvent(completed=end.completed)
    assert end.completed is not None
    assert [str(error) for error in end.completed.diagnostics] == [
        "error: The provider has no toy_shake"
    ]
