"""Horns of ships: the action `harbor_signal`."""

from __future__ import annotations

import asyncio

from tofutypes import Action, Attr, is_known, known
from tofutypes.provider import (
    ActionHandler,
    Context,
    InvokeContext,
    ProviderError,
    ValidateContext,
)

from .account import Account
from .ship import Ship


class Signal(Action, type_name="harbor_signal"):
    """Sounds the horn of a ship."""

    ship: Attr[str] = Attr(required=True)
    """Id of the ship."""

    times: Attr[int | None] = Attr(optional=True, default=None)
    """How often the horn sounds. Once if not set."""

    pause: Attr[int | None] = Attr(optional=True, default=None)
    """Seconds between two sounds. None if not set."""


class Signals(ActionHandler[Signal, Account]):
    """The horn sounds until it has sounded often enough, or the user interrupts."""

    def validate(self, config: Signal, context: ValidateContext) -> None:
        if is_known(config.times) and config.times is not None and config.times < 1:
            context.error("Nobody would hear it", "The horn sounds at least once.", "times")

    def plan(self, config: Signal, context: Context) -> None:
        if is_known(config.times) and config.times is not None and config.times > 5:
            context.warn("The port may complain", "The horn sounds more than five times.", "times")

    async def invoke(self, config: Signal, context: InvokeContext) -> None:
        ship = known(config.ship)
        found = self.provider.cloud.get("ship", ship)
        if found is None:
            raise ProviderError("There is no such ship", "It has another id.", "ship")
        name = Ship.from_json(found).name
        times = known(config.times) or 1
        for number in range(1, times + 1):
            context.progress(f"{name} sounds its horn ({number} of {times})")
            self.provider.cloud.put("signal", ship, str(number))
            if number < times:
                await self._pause(known(config.pause) or 0, context)

    async def _pause(self, seconds: int, context: Context) -> None:
        """Wait; end early when the user interrupts, or nobody waits for the action any more."""
        end = asyncio.get_running_loop().time() + seconds
        while (left := end - asyncio.get_running_loop().time()) > 0:
            if context.stopping.is_set():
                raise ProviderError("The signal is not finished", "It was interrupted.")
            await asyncio.sleep(min(left, 0.1))
