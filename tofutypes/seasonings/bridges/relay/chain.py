"""A chain of plugins: their hooks in order, and what they leave for each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tofutypes.seasonings.errors import SeasoningsError
from tofutypes.seasonings.host.client import AsyncPluginClient
from tofutypes.seasonings.protocol.diagnostics import Diagnostic, HookResult, Severity
from tofutypes.seasonings.protocol.methods import HookPoint, StagePoint, hook_method


@dataclass
class ChainResult:
    """What the hooks of a chain have said.

    Attributes:
        diagnostics: errors and warnings, each with the plugin's name.
        metadata: by the name of the plugin.
    """

    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])
    metadata: dict[str, object] = field(default_factory=dict[str, object])

    @property
    def failed(self) -> bool:
        """Whether the operation fails."""
        return any(diagnostic.severity is Severity.ERROR for diagnostic in self.diagnostics)


class Chain:
    """Plugins in the order in which they are called."""

    def __init__(self, plugins: Sequence[AsyncPluginClient]) -> None:
        self.plugins = plugins
        self._declared = {
            point: [plugin for plugin in plugins if plugin.info.declares(point)]
            for point in (*HookPoint, *StagePoint)
        }
        self._wanted: dict[tuple[HookPoint | StagePoint, str], bool] = {}

    def wants(self, point: HookPoint | StagePoint, type_name: str | None = None) -> bool:
        """Whether a plugin wants to be called at a point, about resources of a type if it is given.

        A plugin can say which types its hooks are about.
        """
        plugins = self._declared[point]
        if type_name is None or not plugins:
            return bool(plugins)
        wanted = self._wanted.get((point, type_name))
        if wanted is None:
            wanted = any(plugin.info.wants(point, type_name) for plugin in plugins)
            self._wanted[point, type_name] = wanted
        return wanted

    async def call(
        self,
        point: HookPoint | StagePoint,
        params: Mapping[str, object],
        metadata: Mapping[str, object] | None = None,
    ) -> ChainResult:
        """Call a hook of all plugins. The first failure before an operation stops the chain.

        Args:
            point: the hook.
            params: its params, without the metadata.
            metadata: what hooks before have left.
        """
        result = ChainResult()
        type_name = params.get("resource_type")
        for plugin in self._declared[point]:
            if isinstance(type_name, str) and not plugin.info.wants(point, type_name):
                continue
            passed = {**(metadata or {}), **result.metadata}
            answer = await _call(plugin, point, {**params, "metadata": passed})
            result.diagnostics += [_named(diagnostic, plugin) for diagnostic in answer.diagnostics]
            if answer.metadata is not None:
                result.metadata[plugin.info.name] = answer.metadata
            if point.is_pre and answer.failed:
                break
        return result


async def _call(
    plugin: AsyncPluginClient, point: HookPoint | StagePoint, params: Mapping[str, object]
) -> HookResult:
    try:
        return await plugin.hook(point, params)
    except SeasoningsError as error:
        message = (
            str(error).removeprefix(f"{plugin.name}: ").removeprefix(f"{hook_method(point)}: ")
        )
        return HookResult((Diagnostic(Severity.ERROR, f"hook {point.value}: {message}"),))


def _named(diagnostic: Diagnostic, plugin: AsyncPluginClient) -> Diagnostic:
    summary = f"{diagnostic.summary} ({plugin.name})"
    return Diagnostic(diagnostic.severity, summary, diagnostic.detail, diagnostic.path)
