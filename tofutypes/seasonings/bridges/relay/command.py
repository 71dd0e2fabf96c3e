"""A command of OpenTofu or Terraform with plugins around it: `tofutypes plugin run`."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tofutypes.provider.transport.folders import CLIENT_PREFIX, private_folder
from tofutypes.seasonings.bridges.relay.chain import Chain
from tofutypes.seasonings.bridges.relay.front import Front
from tofutypes.seasonings.bridges.relay.installed import installed_providers
from tofutypes.seasonings.bridges.relay.redaction import Redaction
from tofutypes.seasonings.bridges.relay.resource_calls import Record, ResourceCalls
from tofutypes.seasonings.bridges.relay.session import Provider, Session
from tofutypes.seasonings.errors import SeasoningsError
from tofutypes.seasonings.host.client import AsyncPluginClient
from tofutypes.seasonings.host.launching import launch_async, split_command
from tofutypes.seasonings.protocol.methods import HookPoint, StagePoint

REATTACH: Final = "TF_REATTACH_PROVIDERS"

_FAILED: Final = 1
_NOT_FOUND: Final = 127

_RELAYED: Final = frozenset(
    {"plan", "apply", "destroy", "refresh", "import", "test", "console", "query"}
)
"""The commands that call providers about resources."""

_STAGES: Final[Mapping[str, tuple[StagePoint, StagePoint, StagePoint, HookPoint | None]]] = {
    "init": (StagePoint.INIT_START, StagePoint.INIT_COMPLETE, StagePoint.INIT_FAIL, None),
    "plan": (
        StagePoint.PLAN_START,
        StagePoint.PLAN_COMPLETE,
        StagePoint.PLAN_FAIL,
        HookPoint.POST_PLAN,
    ),
    "apply": (
        StagePoint.APPLY_START,
        StagePoint.APPLY_COMPLETE,
        StagePoint.APPLY_FAIL,
        HookPoint.POST_APPLY,
    ),
}
"""The hooks of a stage: before, after, after a failure; and the hook with its resources."""

_SAME_STAGE: Final = {"destroy": "apply", "refresh": "apply"}

_METADATA: Final = "plugin-metadata.json"


@dataclass(frozen=True)
class RunOptions:
    """How a command is run.

    Attributes:
        plugins: the commands of the plugins, in the order in which they are called.
        config: the configuration that every plugin gets.
        send_sensitive: whether plugins get to see secrets.
        metadata: where to write what the plugins leave; by default beside the plan.
        timeout: the seconds that a hook may take.
    """

    plugins: Sequence[str]
    config: Mapping[str, object] | None = None
    send_sensitive: bool = False
    metadata: str | None = None
    timeout: float = 60.0


class WrappedCommand:
    """The command line of OpenTofu or Terraform.

    Attributes:
        words: the command line.
        subcommand: `apply`; empty if there is none.
        folder: the working directory.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = list(words)
        self.subcommand = next((word for word in words[1:] if not word.startswith("-")), "")
        self.folder = Path()
        for word in words[1:]:
            if not word.startswith("-"):
                break
            option, _, value = word.lstrip("-").partition("=")
            if option == "chdir" and value:
                self.folder = Path(value)

    @property
    def stage(self) -> str:
        """The stage that the command is: `init`, `plan`, `apply`, or no stage."""
        stage = _SAME_STAGE.get(self.subcommand, self.subcommand)
        return stage if stage in _STAGES else ""

    @property
    def plan_file(self) -> Path | None:
        """The file that the plan is written to."""
        for word, after in zip(self.words, [*self.words[1:], ""], strict=True):
            option, equals, value = word.lstrip("-").partition("=")
            if word.startswith("-") and option == "out":
                return self.folder / (value if equals else after)
        return None


async def run_command(
    words: Sequence[str], options: RunOptions, tell: Callable[[str], None]
) -> int:
    """Run a command with hooks around it.

    Args:
        words: the command.
        options: the plugins, and what they get to see.
        tell: prints a line for the user.

    Returns:
        The exit code of the command; 1 if a hook of a stage failed and the command did not.

    Raises:
        PeerError: If a plugin or a provider cannot be started.
        PluginError: If a provider cannot be started.
    """
    command = WrappedCommand(words)
    async with AsyncExitStack() as stack:
        chain, record = Chain(await _launch_all(stack, options)), Record()
        if not await _call_stage(chain, command, 0, None, record, tell):
            return _FAILED
        environment = dict(os.environ)
        if command.subcommand in _RELAYED and chain.wants(*HookPoint):
            redaction = None if options.send_sensitive else Redaction()
            relays = _relays(command, chain, redaction, record)
            environment[REATTACH] = await stack.enter_async_context(relays)
        code = await _run(command, environment)
        error = None if code == 0 else f"{command.words[0]} exited with code {code}"
        complete = code == 0 or (code == 2 and "-detailed-exitcode" in command.words)
        if not await _call_stage(chain, command, 1 if complete else 2, error, record, tell):
            code = code or _FAILED
    _write_metadata(command, options, record)
    return code


async def _launch_all(stack: AsyncExitStack, options: RunOptions) -> list[AsyncPluginClient]:
    """Start all plugins at the same time."""
    launches = (
        launch_async(split_command(plugin), config=options.config, timeout=options.timeout)
        for plugin in options.plugins
    )
    started = await asyncio.gather(*launches, return_exceptions=True)
    plugins = [plugin for plugin in started if isinstance(plugin, AsyncPluginClient)]
    for plugin in plugins:
        await stack.enter_async_context(plugin)
    for error in started:
        if isinstance(error, BaseException):
            raise error
    return plugins


async def _call_stage(
    chain: Chain,
    command: WrappedCommand,
    when: int,
    error: str | None,
    record: Record,
    tell: Callable[[str], None],
) -> bool:
    """Call the hooks of the command's stage; whether the stage may go on."""
    if not command.stage:
        return True
    stage = _STAGES[command.stage]
    point: StagePoint = (stage[0], stage[1], stage[2])[when]
    resources = [] if stage[3] is None or when == 0 else record.resources[stage[3]]
    result = await chain.call(
        point, {"command": command.words, "resources": resources, "error": error}
    )
    if result.metadata:
        record.metadata.append({"hook": point.value, "metadata": result.metadata})
    for diagnostic in result.diagnostics:
        tell(f"{diagnostic}")
    return not result.failed


@asynccontextmanager
async def _relays(
    command: WrappedCommand, chain: Chain, redaction: Redaction | None, record: Record
) -> AsyncGenerator[str]:
    """Relays before all installed providers; what Core has to know of them."""
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(private_folder(CLIENT_PREFIX))
        reattach: dict[str, object] = {}
        with suppress(ValueError):
            reattach.update(json.loads(os.environ.get(REATTACH, "{}")))  # those of a debugger stay
        installed = [
            provider
            for provider in installed_providers(command.folder, os.environ)
            if provider.address not in reattach
        ]
        providers = [
            Provider(each, chain, ResourceCalls(each.address, chain, redaction, record))
            for each in installed
        ]
        for provider in providers:
            stack.push_async_callback(provider.close)
        majors = await asyncio.gather(*(provider.start() for provider in providers))
        for number, (provider, major) in enumerate(zip(providers, majors, strict=True)):
            front = Front(folder / f"s{number}", _starter(provider))
            await front.start()
            stack.push_async_callback(front.close)
            reattach[provider.installed.address] = {
                "Protocol": "grpc",
                "ProtocolVersion": major,
                "Pid": os.getpid(),
                "Test": True,  # Terraform Core does not end the relay
                "Addr": {"Network": "unix", "String": str(front.path)},
            }
        yield json.dumps(reattach)


def _starter(provider: Provider) -> Callable[[Path], Awaitable[Session]]:
    async def start(socket: Path) -> Session:
        session = Session(provider, socket)
        await session.start()
        return session

    return start


async def _run(command: WrappedCommand, environment: Mapping[str, str]) -> int:
    """Run the command with our standard streams; its exit code."""
    loop = asyncio.get_running_loop()
    try:
        process = await asyncio.create_subprocess_exec(*command.words, env=environment)
    except OSError as error:
        raise SeasoningsError(f"{command.words[0]}: {error.strerror}") from None
    # Ctrl-C reaches the command itself, which decides what happens.
    with suppress(NotImplementedError):
        loop.add_signal_handler(signal.SIGINT, lambda: None)
        loop.add_signal_handler(signal.SIGTERM, _terminator(process))
    code = await process.wait()
    return code if code >= 0 else 128 - code


def _terminator(process: asyncio.subprocess.Process) -> Callable[[], None]:
    def terminate() -> None:
        with suppress(ProcessLookupError):
            process.terminate()

    return terminate


def _write_metadata(command: WrappedCommand, options: RunOptions, record: Record) -> None:
    """Write what the hooks have left, if they have left anything."""
    if not record.metadata:
        return
    plan = command.plan_file
    file = command.folder / _METADATA
    if plan is not None:
        file = plan.with_name(f"{plan.name}.metadata.json")
    if options.metadata is not None:
        file = Path(options.metadata)
    document = {"format_version": "1.0", "command": command.words, "hooks": record.metadata}
    file.write_text(json.dumps(document, indent=2, ensure_ascii=False, default=repr) + "\n")
