"""A command of OpenTofu or Terraform with plugins around it: `tofutypes plugin run`."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Final

from tofutypes.seasonings.bridges.relay.chain import Chain
from tofutypes.seasonings.bridges.relay.installed import installed_providers
from tofutypes.seasonings.bridges.relay.record import Record
from tofutypes.seasonings.bridges.relay.wrapped_command import WrappedCommand
from tofutypes.seasonings.bridges.relay.wrapped_process import run_process
from tofutypes.seasonings.host.client import AsyncPluginClient
from tofutypes.seasonings.host.launching import launch_async, split_command
from tofutypes.seasonings.protocol.methods import HookPoint, StagePoint

REATTACH: Final = "TF_REATTACH_PROVIDERS"

_FAILED: Final = 1
_METADATA: Final = "plugin-metadata.json"


@dataclass(frozen=True, slots=True)
class PluginCommand:
    """How a plugin is started.

    Attributes:
        command: its program and arguments, as in a shell.
        config: its configuration.
    """

    command: str
    config: Mapping[str, object] | None = None


@dataclass(frozen=True)
class RunOptions:
    """How a command is run.

    Attributes:
        plugins: the plugins, in the order in which they are called.
        send_sensitive: whether plugins get to see secrets.
        metadata: where to write what the plugins leave; by default beside the plan.
        timeout: the seconds that a hook may take.
    """

    plugins: Sequence[PluginCommand]
    send_sensitive: bool = False
    metadata: str | None = None
    timeout: float = 60.0


class Run:
    """One command with hooks around it.

    Args:
        words: the command.
        options: the plugins, and what they get to see.
        tell: prints a line for the user.
    """

    def __init__(
        self, words: Sequence[str], options: RunOptions, tell: Callable[[str], None]
    ) -> None:
        self._command = WrappedCommand(words)
        self._options = options
        self._tell = tell
        self._chain = Chain(())
        self._record = Record()

    async def run(self) -> int:
        """Run the command.

        Returns:
            The exit code of the command; 1 if a hook of a stage failed and the command did not.

        Raises:
            PeerError: If a plugin cannot be started.
            PluginError: If a provider cannot be started.
        """
        command = self._command
        async with AsyncExitStack() as stack:
            plugins = await stack.enter_async_context(_launched(self._options))
            self._chain = Chain(plugins)
            self._record = Record(self._points_of_stage())
            stage = command.stage
            if stage is not None and not await self._call_stage(stage.start, None):
                return _FAILED
            environment = dict(os.environ)
            warm_up = None
            if command.calls_providers and any(map(self._chain.wants, HookPoint)):
                environment[REATTACH] = await stack.enter_async_context(self._relays())
                warm_up = asyncio.create_task(asyncio.to_thread(_import_messages))
            code = await run_process(command.words, environment)
            if warm_up is not None:
                await warm_up
            for failure in self._record.failures:
                self._tell(f"error: {failure}")
            success = command.is_success(code)
            error = None if success else f"{command.words[0]} exited with code {code}"
            if stage is not None:
                point = stage.complete if success else stage.fail
                if not await self._call_stage(point, error):
                    code = code or _FAILED
        self._write_metadata()
        return code

    def _points_of_stage(self) -> Sequence[HookPoint]:
        """The hooks whose resources the hooks of the stage get to see."""
        stage = self._command.stage
        if stage is None or stage.resources is None:
            return ()
        wanted = self._chain.wants(stage.complete) or self._chain.wants(stage.fail)
        return (stage.resources,) if wanted else ()

    async def _call_stage(self, point: StagePoint, error: str | None) -> bool:
        """Call a hook of the command's stage; whether the stage may go on."""
        resources = [params for noted in self._record.resources.values() for params in noted]
        words = self._command.words
        params = {"command": words, "resources": resources, "error": error}
        result = await self._chain.call(point, params)
        if result.metadata:
            self._record.metadata.append({"hook": point.value, "metadata": result.metadata})
        for diagnostic in result.diagnostics:
            self._tell(f"{diagnostic}")
        return not result.failed

    @asynccontextmanager
    async def _relays(self) -> AsyncGenerator[str]:
        """Relays before all installed providers; what Core has to know of them."""
        from tofutypes.seasonings.bridges.relay.relays import Relays

        redact = not self._options.send_sensitive
        async with Relays(self._chain, self._record, redact=redact) as relays:
            reattach: dict[str, object] = {}
            with suppress(ValueError):  # those of a debugger stay
                reattach.update(json.loads(os.environ.get(REATTACH, "{}")))
            installed = installed_providers(self._command.folder, os.environ)
            reattach |= await relays.start(
                [provider for provider in installed if provider.address not in reattach]
            )
            yield json.dumps(reattach)

    def _write_metadata(self) -> None:
        """Write what the hooks have left, if they have left anything."""
        if not self._record.metadata:
            return
        command = self._command
        plan = command.plan_file
        file = command.folder / _METADATA
        if plan is not None:
            file = plan.with_name(f"{plan.name}.metadata.json")
        if self._options.metadata is not None:
            file = Path(self._options.metadata)
        document = {
            "format_version": "1.0",
            "command": command.words,
            "hooks": self._record.metadata,
        }
        text = json.dumps(document, indent=2, ensure_ascii=False, default=repr)
        file.write_text(f"{text}\n", encoding="utf-8")


@asynccontextmanager
async def _launched(options: RunOptions) -> AsyncGenerator[Sequence[AsyncPluginClient]]:
    """All plugins, started and ended at the same time."""
    launches = (
        launch_async(split_command(plugin.command), config=plugin.config, timeout=options.timeout)
        for plugin in options.plugins
    )
    started = await asyncio.gather(*launches, return_exceptions=True)
    plugins = [plugin for plugin in started if isinstance(plugin, AsyncPluginClient)]
    try:
        for error in started:
            if isinstance(error, BaseException):
                raise error
        yield plugins
    finally:
        await asyncio.gather(*(plugin.close() for plugin in plugins))


def _import_messages() -> None:
    """Import what the first hook needs, while the command starts."""
    import_module("tofutypes.seasonings.bridges.relay.call_messages")
