"""What is seen in a run, for the hooks of stages and the metadata file."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from tofutypes.seasonings.bridges.relay.chain import ChainResult
from tofutypes.seasonings.protocol.methods import HookPoint


class Record:
    """What was seen in a run.

    Args:
        points: the hooks whose resources hooks of stages want to see.

    Attributes:
        resources: the params of hooks.
        metadata: what hooks have left, with what it is about.
        failures: how providers have ended too early.
    """

    def __init__(self, points: Collection[HookPoint] = ()) -> None:
        self.resources: dict[HookPoint, list[Mapping[str, object]]] = {
            point: [] for point in points
        }
        self.metadata: list[dict[str, object]] = []
        self.failures: list[str] = []

    def note(self, point: HookPoint, params: Mapping[str, object], result: ChainResult) -> None:
        """Keep the params of a hook, and what the hooks have left."""
        if point in self.resources:
            self.resources[point].append(params)
        if result.metadata:
            self.metadata.append(
                {
                    "hook": point.value,
                    "provider": params["provider"],
                    "resource_mode": params["resource_mode"],
                    "resource_type": params["resource_type"],
                    "planned_action": params["planned_action"],
                    "metadata": result.metadata,
                }
            )
