"""A plugin under check: started again whenever it has ended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

import msgpack

from tofutypes.errors import TofuTypesError
from tofutypes.narrowing import is_list
from tofutypes.seasonings.check.report import Report
from tofutypes.seasonings.errors import CallError, ErrorCode, PeerError
from tofutypes.seasonings.host.client import AsyncPluginClient
from tofutypes.seasonings.host.launching import launch_async
from tofutypes.seasonings.host.process import PluginProcess
from tofutypes.seasonings.protocol.methods import INIT, PROTOCOL_VERSION
from tofutypes.seasonings.protocol.values import to_inline
from tofutypes.seasonings.rpc.channel import FileChannel
from tofutypes.types import DYNAMIC
from tofutypes.wire import encode_msgpack

PATIENCE: Final = 10.0
"""Seconds that a plugin has for each call."""

_PRINTS: Final = "Write logs to standard error: standard output is for messages alone."


class Session:
    """Starts the plugin for the checks.

    Args:
        command: the plugin.
        config: its configuration.
        report: takes what is found.
    """

    def __init__(
        self, command: Sequence[str], config: Mapping[str, object] | None, report: Report
    ) -> None:
        self.command = command
        self.config = config
        self.report = report
        self.patience = PATIENCE
        self._client: AsyncPluginClient | None = None
        self._reported: set[str] = set()

    async def client(self) -> AsyncPluginClient:
        """The plugin, initialized; a new one if the last has ended."""
        if self._client is not None and self._client.peer.ended.done():
            error = self._client.peer.ended.result()
            if error is not None and str(error) not in self._reported:
                self.report.fail("connection", str(error))
            await self.close()
        if self._client is None:
            self._client = await launch_async(
                self.command, config=self.config, timeout=self.patience, start_timeout=self.patience
            )
        return self._client

    async def close(self) -> None:
        """End the plugin."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def call(
        self, method: str, params: Mapping[str, object]
    ) -> Mapping[str, object] | CallError:
        """Call a method; the answer, or the error that was answered."""
        try:
            return await (await self.client()).call(method, params)
        except CallError as error:
            return error

    async def expect_error(
        self, check: str, method: str, params: Mapping[str, object], *codes: ErrorCode
    ) -> CallError | None:
        """Check that a call is answered with an error, of one of these codes if there are any."""
        answer = await self.call(method, params)
        if not isinstance(answer, CallError):
            self.report.fail(check, f"{method}: expected an error, got a result")
            return None
        if codes and answer.code not in codes:
            wanted = " or ".join(
                f"{code} ({code.name.lower().replace('_', ' ')})" for code in codes
            )
            self.report.warn(check, f"{method}: error code {answer.code}, expected {wanted}")
        else:
            self.report.ok(check)
        return answer

    @asynccontextmanager
    async def checking(self, check: str, advice: str = "") -> AsyncGenerator[None]:
        """Turn what goes wrong inside into a finding."""
        try:
            yield
        except TofuTypesError as error:
            self._reported.add(str(error))
            is_text = "standard output" in str(error)
            self.report.fail(check, str(error), advice or (_PRINTS if is_text else ""))


class RawPlugin:
    """A plugin to which messages are sent byte by byte, and whatever bytes they are."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = PluginProcess(command)
        self._unpacker = msgpack.Unpacker()
        self._messages: asyncio.Queue[object] = asyncio.Queue()
        self._channel = FileChannel(
            self._process.read_from, self._process.write_to, self._received, lambda: None
        )

    async def __aenter__(self) -> RawPlugin:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._channel.close()
        await self._process.end(0.2)

    def _received(self, data: bytes) -> None:
        if not data:
            self._messages.put_nowait(None)
            return
        self._unpacker.feed(data)
        try:
            for message in self._unpacker:
                self._messages.put_nowait(message)
        except ValueError:
            self._messages.put_nowait("invalid MessagePack")

    def send(self, *message: object) -> None:
        """Send one message."""
        self.send_bytes(msgpack.packb(list(message)))

    def send_bytes(self, data: bytes) -> None:
        """Send any bytes."""
        self._channel.write(data)

    def greet(self, config: Mapping[str, object] | None) -> None:
        """Send `init`, with the id 0."""
        form = None if config is None else to_inline(encode_msgpack(config, DYNAMIC))
        host = {"name": "tofutypes plugin check", "version": "1"}
        params: dict[str, object] = {"protocol_version": PROTOCOL_VERSION, "host": host}
        self.send(0, 0, INIT, params if form is None else {**params, "config": form})

    async def answer(self, id: int) -> list[Any]:
        """The answer to a request.

        Raises:
            PeerError: If none comes.
        """
        while (answer := await self.any_answer())[1] != id:
            pass
        return answer

    async def any_answer(self) -> list[Any]:
        """The next answer.

        Raises:
            PeerError: If none comes.
        """
        while True:
            try:
                message = await asyncio.wait_for(self._messages.get(), PATIENCE)
            except TimeoutError:
                raise PeerError(f"no answer within {PATIENCE:g} seconds") from None
            if message is None:
                raise PeerError(await self._process.describe_end())
            if not is_list(message) or len(message) not in (3, 4):
                raise PeerError("expected a message on standard output, got something else")
            if message[0] == 1:
                return message

    async def end_of_input(self) -> int | None:
        """End the plugin's standard input; its exit code, None if it does not end."""
        self._channel.close_writing()
        return await self.exit_code()

    async def exit_code(self) -> int | None:
        """The exit code when it has ended by itself; None if it does not end."""
        return await self._process.wait(PATIENCE)
