"""A client of one plugin: the calls of the protocol, typed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from tofutypes.errors import EncodeError, IndexStep, SchemaError, TofuTypesError
from tofutypes.locks import LockInfo
from tofutypes.narrowing import is_dict, is_list
from tofutypes.seasonings.errors import CallError, ErrorCode, PeerError
from tofutypes.seasonings.protocol.diagnostics import HookResult, read_hook_result
from tofutypes.seasonings.protocol.locks import write_lock_info
from tofutypes.seasonings.protocol.methods import (
    CANCEL,
    INIT,
    LOG,
    PING,
    PROTOCOL_VERSION,
    SHUTDOWN,
    HookPoint,
    StagePoint,
    canonical_capability,
    hook_capability,
    hook_method,
    major_of,
)
from tofutypes.seasonings.protocol.values import of_inline, to_inline
from tofutypes.seasonings.rpc.peer import Peer

if TYPE_CHECKING:
    from tofutypes.models import Model
    from tofutypes.schema import Block, Function
    from tofutypes.wire import Value

HOST_NAME: Final = "tofutypes"


@dataclass(frozen=True)
class PluginInfo:
    """What a plugin says about itself.

    Attributes:
        name, version: of the plugin.
        protocol_version: `1.0`.
        capabilities: what it declares: `hooks.postPlan`, `functions`…
        config_schema: what its configuration looks like; None if it has none.
        resource_types: for hooks that are only about some types of resources, patterns of these, by
            the name of the hook: `{"postPlan": ("aws_s3_*",)}`.
    """

    name: str
    version: str
    protocol_version: str
    capabilities: frozenset[str]
    config_schema: Block | None = None
    resource_types: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])

    def declares(self, point: HookPoint | StagePoint) -> bool:
        """Whether the plugin wants to be called at a point."""
        return hook_capability(point) in self.capabilities

    def wants(self, point: HookPoint | StagePoint, type_name: str) -> bool:
        """Whether the plugin wants to be called at a point about resources of a type."""
        patterns = self.resource_types.get(point.value)
        if patterns is None:
            return self.declares(point)
        return self.declares(point) and any(fnmatchcase(type_name, pattern) for pattern in patterns)


class AsyncPluginClient:
    """Calls a plugin. Made by [`launch_async`][tofutypes.seasonings.host.launching.launch_async].

    Every call raises `CallError` for an error that the plugin answers, and `PeerError` if the
    plugin ends, hangs or violates the protocol.

    Args:
        peer: the connection.
        close: ends the plugin.
        timeout: the seconds that a call may take; None for as long as it wants.
    """

    def __init__(
        self, peer: Peer, close: Callable[[], Awaitable[None]], timeout: float | None = None
    ) -> None:
        self._peer = peer
        self._close = close
        self._timeout = timeout
        self._info: PluginInfo | None = None
        self._functions: Mapping[str, Function] | None = None

    async def __aenter__(self) -> AsyncPluginClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def name(self) -> str:
        """What messages call the plugin: `plugin cost`."""
        return self._peer.name

    @property
    def peer(self) -> Peer:
        """The connection."""
        return self._peer

    @property
    def info(self) -> PluginInfo:
        """What the plugin has said about itself."""
        if self._info is None:
            raise PeerError(f"{self.name}: not initialized")
        return self._info

    async def call(self, method: str, params: Mapping[str, object]) -> Mapping[str, object]:
        """Call any method.

        Raises:
            CallError: If the plugin answers with an error; the message has the plugin's name.
            PeerError: If the plugin ends, hangs, violates the protocol or answers with no map.
        """
        try:
            answer = await self._peer.call(method, params, self._timeout)
        except CallError as error:
            raise self._named(method, error) from None
        return self._read_map(method, answer)

    def call_from_thread(self, method: str, params: Mapping[str, object]) -> Mapping[str, object]:
        """Call any method from another thread than that of the event loop, and wait.

        Raises:
            CallError, PeerError: As `call`.
        """
        try:
            answer = self._peer.call_from_thread(method, params, self._timeout)
        except CallError as error:
            raise self._named(method, error) from None
        return self._read_map(method, answer)

    def _named(self, method: str, error: CallError) -> CallError:
        message = error.message
        if error.code == ErrorCode.NO_SUCH_METHOD and method not in message:
            message = f"{method}: {message}"
        return CallError(error.code, f"{self.name}: {message}", error.data)

    def _read_map(self, method: str, answer: object) -> Mapping[str, object]:
        if answer is None:
            return {}
        if not is_dict(answer) or not all(isinstance(key, str) for key in answer):
            raise self._wrong(method, "expected a map")
        return {str(key): value for key, value in answer.items()}

    async def init(
        self, config: Model | Mapping[str, object] | None = None, timeout: float | None = None
    ) -> PluginInfo:
        """Greet the plugin, which must come first.

        Args:
            config: the configuration of the plugin.
            timeout: the seconds that it may take.
        """
        from tofutypes import __version__

        params = {
            "protocol_version": PROTOCOL_VERSION,
            "host": {"name": HOST_NAME, "version": __version__},
            "capabilities": [CANCEL, LOG],
            "config": None if config is None else to_inline(_dynamic(config)),
        }
        before, self._timeout = self._timeout, timeout
        try:
            answer = await self.call(INIT, params)
        finally:
            self._timeout = before
        self._info = self._read_info(answer)
        self._peer.name = f"plugin {self._info.name}"
        self._peer.cancels = CANCEL in self._info.capabilities
        return self._info

    def _read_info(self, answer: Mapping[str, object]) -> PluginInfo:
        who = answer.get("plugin") or answer.get("provider_info")
        version = answer.get("protocol_version", PROTOCOL_VERSION)
        if major_of(version) != major_of(PROTOCOL_VERSION):
            shown = version if major_of(version) is not None else "an unknown version"
            raise PeerError(f"{self.name}: speaks protocol {shown}, expected {PROTOCOL_VERSION}")
        if not is_dict(who) or not isinstance(who.get("name"), str) or not who["name"]:
            raise self._wrong(INIT, "plugin.name: expected a string")
        listed = answer.get("capabilities", answer.get("supported_capabilities"))
        if not is_list(listed) or not all(isinstance(name, str) for name in listed):
            raise self._wrong(INIT, "capabilities: expected a list of strings")
        return PluginInfo(
            str(who["name"]),
            str(who.get("version", "")),
            str(version),
            frozenset(canonical_capability(str(name)) for name in listed),
            self._config_schema(answer.get("config_schema")),
            _resource_types(answer.get("hooks")),
        )

    def _config_schema(self, block: object) -> Block | None:
        if not is_dict(block):
            return None
        from tofutypes.schema import Block
        from tofutypes.schema.document import read_part

        try:
            return read_part(Block, {str(key): value for key, value in block.items()})
        except SchemaError as error:
            raise self._wrong(INIT, f"config_schema: {error}") from None

    async def ping(self) -> None:
        """Ask whether the plugin answers."""
        await self.call(PING, {})

    async def close(self) -> None:
        """End the plugin: ask, wait, terminate, kill."""
        await self._close()

    async def shutdown(self, timeout: float) -> None:
        """Ask the plugin to end."""
        await self._peer.call(SHUTDOWN, {}, timeout)

    # Functions.

    async def functions(self) -> Mapping[str, Function]:
        """The functions of the plugin by name."""
        if self._functions is None:
            answer = await self.call("functions/getSchema", {})
            listed = answer.get("functions")
            if not is_dict(listed):
                raise self._wrong("functions/getSchema", "functions: expected a map")
            self._functions = {
                str(name): self._function(str(name), schema) for name, schema in listed.items()
            }
        return self._functions

    def _function(self, name: str, schema: object) -> Function:
        if not is_dict(schema):
            raise self._wrong("functions/getSchema", f"function {name}: expected a map")
        from tofutypes.schema import Function
        from tofutypes.schema.document import read_part

        try:
            return read_part(Function, {str(key): value for key, value in schema.items()})
        except TofuTypesError as error:
            raise self._wrong("functions/getSchema", f"function {name}: {error}") from None

    async def call_function(self, name: str, *arguments: object) -> Value:
        """Call a function with values of Python; objects are dicts.

        Raises:
            EncodeError: If an argument is not of its type, or there are too few or too many.
            CallError: If the function refuses; `data` has the position of the `argument`.
        """
        from tofutypes.wire import decode_msgpack

        function = (await self.functions()).get(name)
        if function is None:
            raise CallError(ErrorCode.INVALID_PARAMS, f"{self.name}: unknown function {name!a}")
        result = await self.call_function_bytes(name, _encode(name, function, arguments))
        try:
            return decode_msgpack(result, function.return_type)
        except TofuTypesError as error:
            raise self._wrong("functions/call", f"result of {name}: {error}") from None

    async def call_function_bytes(self, name: str, arguments: Sequence[bytes]) -> bytes:
        """Call a function with arguments in MessagePack; its result in MessagePack."""
        params = {"name": name, "arguments": list(map(to_inline, arguments))}
        answer = await self.call("functions/call", params)
        if "result" not in answer:
            raise self._wrong("functions/call", "result: missing")
        return of_inline(answer["result"])

    # Hooks.

    async def hook(self, point: HookPoint | StagePoint, params: Mapping[str, object]) -> HookResult:
        """Call a hook with the params of the protocol."""
        method = hook_method(point)
        try:
            return read_hook_result(await self.call(method, params))
        except ValueError as error:
            if isinstance(error, TofuTypesError):
                raise
            raise self._wrong(method, str(error)) from None

    # Storage.

    async def read_state(self, path: str) -> bytes | None:
        """The state at a path; None if there is none."""
        state = (await self.call("storage/read", {"path": path})).get("state")
        if isinstance(state, str):  # some libraries have no binary
            state = state.encode()
        if state is not None and not isinstance(state, bytes):
            raise self._wrong("storage/read", "state: expected bytes or nil")
        return state

    async def write_state(self, path: str, state: bytes, lock_id: str | None = None) -> None:
        """Store a state."""
        await self.call("storage/write", {"path": path, "state": state, "lock_id": lock_id})

    async def delete_state(self, path: str, lock_id: str | None = None) -> None:
        """Delete a state."""
        await self.call("storage/delete", {"path": path, "lock_id": lock_id})

    async def lock_state(self, path: str, info: LockInfo) -> str:
        """Lock a state; the id of the lock.

        Raises:
            CallError: With the code `LOCKED` if the state is locked; `data` is the holder's info.
        """
        params = {"path": path, "info": write_lock_info(info)}
        lock_id = (await self.call("storage/lock", params)).get("lock_id")
        if not isinstance(lock_id, str):
            raise self._wrong("storage/lock", "lock_id: expected a string")
        return lock_id

    async def unlock_state(self, path: str, lock_id: str | None) -> None:
        """Remove a lock, whoever holds it if `lock_id` is None."""
        await self.call("storage/unlock", {"path": path, "lock_id": lock_id})

    async def list_states(self, prefix: str = "") -> Sequence[str]:
        """The paths of all states that start with a prefix."""
        paths = (await self.call("storage/list", {"prefix": prefix})).get("paths")
        if not is_list(paths) or not all(isinstance(path, str) for path in paths):
            raise self._wrong("storage/list", "paths: expected a list of strings")
        return list(map(str, paths))

    def _wrong(self, method: str, message: str) -> PeerError:
        return PeerError(f"{self.name}: {method}: wrong answer: {message}")


def _resource_types(hooks: object) -> Mapping[str, Sequence[str]]:
    """The types that hooks are about. A hook whose types cannot be read is about all."""
    resource_types: dict[str, Sequence[str]] = {}
    for name, hook in hooks.items() if is_dict(hooks) else ():
        patterns = hook.get("resource_types") if is_dict(hook) else None
        if is_list(patterns) and all(isinstance(pattern, str) for pattern in patterns):
            resource_types[str(name)] = tuple(map(str, patterns))
    return resource_types


def _encode(name: str, function: Function, arguments: Sequence[object]) -> list[bytes]:
    from tofutypes.wire import encode_msgpack

    fixed, variadic = function.parameters, function.variadic_parameter
    count = len(arguments)
    if count < len(fixed) or (count > len(fixed) and variadic is None):
        least = "" if variadic is None else "at least "
        raise EncodeError(f"{name}: expected {least}{len(fixed)} arguments, got {count}")
    encoded: list[bytes] = []
    for position, argument in enumerate(arguments):
        parameter = fixed[position] if position < len(fixed) else variadic
        if parameter is None:
            break
        try:
            encoded.append(encode_msgpack(argument, parameter.type))
        except EncodeError as error:
            raise error.at(IndexStep(position)) from None
    return encoded


def _dynamic(config: Model | Mapping[str, object]) -> bytes:
    """A configuration as a dynamically typed value."""
    from tofutypes.dynamic import Dynamic
    from tofutypes.models import Model
    from tofutypes.types import DYNAMIC
    from tofutypes.wire import decode_msgpack, encode_msgpack

    if isinstance(config, Model):
        type_ = config.__tofu_layout__().type
        return encode_msgpack(Dynamic(decode_msgpack(config.to_msgpack(), type_), type_), DYNAMIC)
    return encode_msgpack(config, DYNAMIC)
