"""A peer of msgpack-rpc: it calls the other side and answers the other side's calls.

Both sides are the same: what a peer serves is what its `serve` function finds for a method.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import suppress
from functools import partial
from typing import Final

from tofutypes.seasonings.errors import CallError, CallTimeoutError, ErrorCode, PeerError
from tofutypes.seasonings.rpc.answers import read_error, read_params, write_error
from tofutypes.seasonings.rpc.channel import Channel
from tofutypes.seasonings.rpc.framing import BrokenStreamError, Splitter
from tofutypes.seasonings.rpc.handlers import Call, Handler, HandlerFunction, describe_raised
from tofutypes.seasonings.rpc.limits import DEFAULT_LIMITS, MessageLimits
from tofutypes.seasonings.rpc.messages import (
    InvalidMessageError,
    Notification,
    Params,
    Request,
    Response,
    pack_notification,
    pack_request,
    pack_response,
    parse,
    salvage_ids,
)
from tofutypes.seasonings.rpc.outgoing import Answer, OutgoingCalls
from tofutypes.seasonings.rpc.workers import Workers

_log: Final = logging.getLogger("tofutypes.seasonings")

_LARGEST_BACKLOG: Final = 3
"""How many messages of the largest size may wait to be sent before the peer counts as hung."""

_EXCERPT: Final = 60
_FIRST_MARKER: Final = 0x80


class Peer:
    """One side of a connection.

    Args:
        serve: finds what answers a method; raises `CallError` if nothing does.
        notified: gets the notifications of the other side.
        name: what errors call the other side: `plugin cost`.
        limits: what is accepted and sent.
        cancels: whether the other side understands the notification `cancel`.
    """

    def __init__(
        self,
        serve: Callable[[str], Handler],
        notified: Callable[[str, Params], None],
        *,
        name: str = "peer",
        limits: MessageLimits = DEFAULT_LIMITS,
        cancels: bool = True,
    ) -> None:
        self._serve = serve
        self._notified = notified
        self.name = name
        self.limits: Final = limits
        self.cancels = cancels
        self.params_in_array = False
        self.ended: Final[asyncio.Future[PeerError | None]] = (
            asyncio.get_running_loop().create_future()
        )
        """Done when the connection has ended; with the error, if it ended in one."""
        self.loop = asyncio.get_running_loop()
        self._channel: Channel | None = None
        self._splitter = Splitter(limits.size)
        self._outgoing = OutgoingCalls(limits.in_flight)
        self._running: dict[int, Call] = {}
        self._running_size = 0
        self._answering: set[Call] = set()
        """Calls of which the answer is being written."""
        self._workers = Workers()

    def start(self, channel: Channel) -> None:
        """Write to this channel from now on."""
        self._channel = channel

    @property
    def running(self) -> int:
        """The number of calls of the other side that have no answer yet."""
        return len(self._running) + len(self._answering)

    # Calls to the other side.

    async def call(self, method: str, params: Params, timeout: float | None = None) -> object:
        """Call a method of the other side.

        The call is cancelled after `timeout` seconds.

        Raises:
            CallError: If the other side answers with an error.
            CallTimeoutError: If it does not answer in time.
            PeerError: If the connection ends or has ended.
        """
        answer: asyncio.Future[object] = self.loop.create_future()
        id = self._send_request(method, params, answer)
        timer = None
        if timeout is not None:
            timer = self.loop.call_later(timeout, self._time_out, id, answer, method, timeout)
        try:
            return await answer
        except asyncio.CancelledError:
            self._abandon(id)
            raise
        finally:
            if timer is not None:
                timer.cancel()

    def call_from_thread(self, method: str, params: Params, timeout: float | None = None) -> object:
        """Call a method from another thread than that of the event loop, and wait.

        Raises:
            CallError, CallTimeoutError, PeerError: As `call`.
        """
        answer: Future[object] = Future()
        id = self._send_request(method, params, answer)
        try:
            return answer.result(timeout)
        except FutureTimeoutError:
            raise self._late(method, timeout or 0) from None
        finally:
            if not answer.done():
                with suppress(RuntimeError):  # the loop has ended
                    self.loop.call_soon_threadsafe(self._abandon, id)

    def _send_request(self, method: str, params: Params, answer: Answer) -> int:
        """Send a request; its id."""
        self._check_open()
        try:
            id = self._outgoing.begin(method, answer)
        except CallError as error:
            raise CallError(error.code, f"{self.name}: {error.message}") from None
        try:
            data = pack_request(id, method, [params] if self.params_in_array else params)
            self._check_size(data)
            self._check_open()  # it may have ended before the call was one of those that fail then
        except BaseException:
            self._outgoing.forget(id)
            raise
        self._write(data)
        return id

    def _check_open(self) -> None:
        if self.ended.done():
            raise self.ended.result() or PeerError(f"{self.name}: the connection is closed")

    def notify(self, method: str, params: Params) -> None:
        """Send a notification; from any thread.

        Raises:
            CallError: If it is too large or MessagePack cannot carry it.
        """
        data = pack_notification(method, [params] if self.params_in_array else params)
        self._check_size(data)
        self._write(data)

    def _time_out(
        self, id: int, answer: asyncio.Future[object], method: str, timeout: float
    ) -> None:
        self._abandon(id)
        if not answer.done():
            answer.set_exception(self._late(method, timeout))

    def _late(self, method: str, timeout: float) -> CallTimeoutError:
        return CallTimeoutError(f"{self.name}: {method}: no answer within {timeout:g} seconds")

    def _abandon(self, id: int) -> None:
        if not self.ended.done() and self._outgoing.abandon(id) and self.cancels:
            self.notify("cancel", {"id": id})

    # What arrives.

    def receive(self, data: bytes) -> None:
        """Take bytes of the other side, in whatever pieces they arrive; b"" is their end."""
        if self.ended.done():
            return
        if not data:
            self._end_of_stream()
            return
        try:
            for message in self._splitter.feed(data):
                self._take(message)
                del message
                if self.ended.done():
                    return
        except BrokenStreamError as error:
            id, _ = salvage_ids(error.start)
            self._fail(error.error, error.start, id)

    def _end_of_stream(self) -> None:
        if self._splitter.pending:
            self.end(PeerError(f"{self.name}: the stream ended inside a message"))
        else:
            self.end(None)

    def _take(self, data: bytes | memoryview) -> None:
        try:
            message = parse(data, self.limits)
        except InvalidMessageError as error:
            self._take_invalid(error, data)
            return
        match message:
            case Request():
                self._take_request(message, len(data))
            case Response():
                self._take_response(message)
            case Notification():
                self._take_notification(message)

    def _take_invalid(self, invalid: InvalidMessageError, data: bytes | memoryview) -> None:
        if invalid.id is not None and invalid.id not in self._running:
            self._answer(invalid.id, invalid.error, None)
            return
        if not self._outgoing.refuse(invalid.answered, self.name, invalid.error):
            self._fail(invalid.error, bytes(data[:_EXCERPT]) + self._splitter.start, None)

    def _take_request(self, request: Request, size: int) -> None:
        if request.id in self._running:
            message = f"id {request.id} is the id of a call in flight"
            self._fail(CallError(ErrorCode.INVALID_REQUEST, message), b"", None)
            return
        try:
            if len(self._running) >= self.limits.in_flight:
                limit = f"the limit is {self.limits.in_flight:,}"
                raise CallError(ErrorCode.LIMIT, f"too many calls in flight: {limit}")
            if self._running_size + size > _LARGEST_BACKLOG * self.limits.size:
                raise CallError(ErrorCode.LIMIT, "the calls in flight are too large together")
            params, self.params_in_array = read_params(request.params)
            handler = self._serve(request.method)
        except CallError as error:
            self._answer(request.id, error, None)
            return
        call = self._running[request.id] = Call(self.loop, request.id, request.method, size)
        self._running_size += size
        if handler.inline:
            self._run(handler.function, params, call)
        elif inspect.iscoroutinefunction(handler.function):
            call.task = self.loop.create_task(self._run_async(handler.function, params, call))
        else:
            self._workers.submit(partial(self._run, handler.function, params, call))

    def _run(self, function: HandlerFunction, params: Params, call: Call) -> None:
        """Run a handler in this thread, and answer."""
        if call.cancelled.is_set():
            return
        try:
            result, error = function(params, call), None
        except BaseException as raised:  # noqa: BLE001  # whatever the author's code raises
            result, error = None, self._error_of(raised, call)
        self._finish(call, error, result)

    async def _run_async(self, function: HandlerFunction, params: Params, call: Call) -> None:
        try:
            result, error = await function(params, call), None
        except asyncio.CancelledError as raised:
            self._finish(call, CallError(ErrorCode.CANCELLED, "cancelled"), None)
            if not call.cancelled.is_set():
                raise raised from None
            return
        except BaseException as raised:  # noqa: BLE001  # whatever the author's code raises
            result, error = None, self._error_of(raised, call)
        self._finish(call, error, result)

    def _error_of(self, raised: BaseException, call: Call) -> CallError:
        if isinstance(raised, CallError):
            return raised
        _log.error("%s: unexpected error", call.method, exc_info=raised)
        return CallError(ErrorCode.INTERNAL, f"{call.method}: raised {describe_raised(raised)}")

    def _finish(self, call: Call, error: CallError | None, result: object) -> None:
        """Answer a call, from any thread, unless it is answered already."""
        self._answering.add(call)  # before it is none that runs: the end waits for both
        try:
            if self._running.get(call.id) is call and self._running.pop(call.id, None) is call:
                self._running_size -= call.size
                self._answer(call.id, error, result)
        finally:
            self._answering.discard(call)

    def _answer(self, id: int | None, error: CallError | None, result: object) -> None:
        try:
            data = pack_response(id, None if error is None else write_error(error), result)
            self._check_size(data)
        except CallError as unsendable:
            data = pack_response(id, write_error(unsendable), None)
        self._write(data)

    def _take_response(self, response: Response) -> None:
        if response.id is None:
            error = read_error(response.error)
            self.end(PeerError(f"{self.name}: refused a message of ours: {error}"))
            return
        if not self._outgoing.take(response):
            message = f"answer to a call that was never sent, or twice (id {response.id})"
            self._fail(CallError(ErrorCode.INVALID_REQUEST, message), b"", None)

    def _take_notification(self, notification: Notification) -> None:
        try:
            params, _ = read_params(notification.params)
        except CallError as error:
            _log.warning("%s: notification %a: %s", self.name, notification.method, error)
            return
        if notification.method == "cancel":
            self._cancel(params.get("id"))
        else:
            self._notified(notification.method, params)

    def _cancel(self, id: object) -> None:
        call = self._running.get(id) if isinstance(id, int) else None
        if call is None:
            return
        call.cancelled.set()
        if call.task is not None:
            call.task.cancel()
        self._finish(call, CallError(ErrorCode.CANCELLED, "cancelled"), None)

    # What is sent, and the end.

    def _check_size(self, data: bytes | memoryview) -> None:
        if len(data) > self.limits.size:
            raise CallError(
                ErrorCode.LIMIT,
                f"message is too large: {len(data):,} bytes, the limit is {self.limits.size:,}",
            )

    def _write(self, data: bytes | memoryview) -> None:
        if self._channel is None:
            return
        if self._channel.write(data) > _LARGEST_BACKLOG * self.limits.size:
            error = PeerError(f"{self.name}: does not read what is sent to it")
            self.loop.call_soon_threadsafe(self.end, error)

    def _fail(self, error: CallError, start: bytes, id: int | None) -> None:
        """End the connection after what the other side must not send, and say so to both."""
        message = f"{self.name}: protocol error: {error}"
        if start and start[0] < _FIRST_MARKER:
            # No message starts with such a byte, but text does.
            line = start.decode("utf-8", "replace").splitlines()[0][:_EXCERPT]
            message = f"{self.name}: expected a message on its standard output, got text: {line!a}"
        self._answer(id, error, None)
        self.end(PeerError(message))

    def end(self, error: PeerError | None) -> None:
        """End the connection; calls that wait for an answer fail.

        Calls that run are cancelled after an error. At the end of the stream they go on, and can be
        answered: the other side may read what it asked for before.

        Args:
            error: why, unless the connection ends as it should.
        """
        if self.ended.done():
            return
        self.ended.set_result(error)
        self._outgoing.end(self.name, error)
        self._workers.stop()
        if error is None:
            return
        running, self._running = self._running, {}
        for call in running.values():
            call.cancelled.set()
            if call.task is not None:
                call.task.cancel()
