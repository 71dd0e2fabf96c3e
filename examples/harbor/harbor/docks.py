"""The life of a dock: the handler of `harbor_dock`, whose methods are `async`."""

from __future__ import annotations

import asyncio

from tofutypes import is_known, known, present
from tofutypes.provider import ApplyContext, Context, ProviderError, ResourceHandler

from .account import Account
from .dock import Dock


class Docks(ResourceHandler[Dock, Account]):
    """Any number of docks are built at the same time, on one thread."""

    keep = ("id", "crane.serial", "lanes.buoy", "slots.free")

    async def create(self, planned: Dock, context: ApplyContext[Dock]) -> Dock:
        planned.id = self.provider.cloud.create("dock")
        furnish(planned)
        self._put(planned)
        context.save(planned)  # from here on it exists, whatever happens
        if planned.build_seconds is not None:
            await self._build(float(known(planned.build_seconds)), context)
        return planned

    async def read(self, state: Dock, context: Context) -> Dock | None:
        found = self.provider.cloud.get("dock", present(state.id))
        return None if found is None else Dock.from_json(found)

    async def update(self, planned: Dock, prior: Dock, context: ApplyContext[Dock]) -> Dock:
        furnish(planned)
        self._put(planned)
        return planned

    async def delete(self, state: Dock, context: Context) -> None:
        self.provider.cloud.delete("dock", present(state.id))

    async def _build(self, seconds: float, context: Context) -> None:
        """Wait; end early when the user interrupts."""
        end = asyncio.get_running_loop().time() + seconds
        while (left := end - asyncio.get_running_loop().time()) > 0:
            if context.stopping.is_set():
                raise ProviderError("The dock is not finished", "It was interrupted.")
            await asyncio.sleep(min(left, 0.1))

    def _put(self, dock: Dock) -> None:
        self.provider.cloud.put("dock", present(dock.id), dock.to_json())


def furnish(dock: Dock) -> None:
    """Decide what was left to the harbor."""
    crane, lanes, slots = known(dock.crane), known(dock.lanes), known(dock.slots)
    if crane is not None and not is_known(crane.serial):
        crane.serial = f"crane of {present(dock.id)}"
    # Lanes and slots may be null, and so may be each of them.
    for position, lane in enumerate(lanes or []):
        if is_known(lane) and lane is not None and not is_known(lane.buoy):
            lane.buoy = f"buoy {position}"
    for slot in (slots or {}).values():
        if is_known(slot) and slot is not None and not is_known(slot.free):
            slot.free = True
