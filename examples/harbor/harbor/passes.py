"""Passes to go aboard: the ephemeral resource `harbor_pass`."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from typing import Final

from tofutypes import AnyNumber, Attr, EphemeralResource, Number, known
from tofutypes.provider import EphemeralContext, EphemeralResourceHandler

from .account import Account

log: Final = logging.getLogger(__name__)


class Pass(EphemeralResource, type_name="harbor_pass"):
    """A pass that is good for as long as it is needed."""

    bearer: Attr[str] = Attr(required=True)
    """Who gets it."""

    seconds: Attr[Number | None, AnyNumber | None] = Attr(optional=True, default=None)
    """How long it lasts until it is renewed. An hour if not set."""

    token: Attr[str | None] = Attr(computed=True, sensitive=True, default=None)
    """What the bearer shows."""


class Passes(EphemeralResourceHandler[Pass, Account]):
    """The configuration does not come again, so `private` holds what renewing and closing need."""

    def open(self, config: Pass, context: EphemeralContext) -> Pass:
        config.token = self.provider.cloud.create("pass")
        seconds = 3600.0 if config.seconds is None else float(known(config.seconds))
        context.private = f"{config.token} {seconds}".encode()
        self._extend(config.token, seconds, context)
        return config

    def renew(self, context: EphemeralContext) -> None:
        token, seconds = context.private.decode().split()
        self._extend(token, float(seconds), context)
        log.info("pass renewed", extra={"seconds": float(seconds)})

    def close(self, context: EphemeralContext) -> None:
        token, _ = context.private.decode().split()
        self.provider.cloud.delete("pass", token)

    def _extend(self, token: str, seconds: float, context: EphemeralContext) -> None:
        end = datetime.now(UTC) + timedelta(seconds=seconds)
        self.provider.cloud.put("pass", token, f'{{"end": "{end.isoformat()}"}}')
        context.renew_at = end - timedelta(seconds=seconds / 2)
