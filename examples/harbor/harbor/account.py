"""What the handlers share: the provider's configuration, and what comes of it."""

from __future__ import annotations

from pathlib import Path

from tofutypes import Attr, ProviderConfig, is_known
from tofutypes.provider import ConfigureContext, Provider, ProviderError, ValidateContext

from .cloud import Cloud


class HarborConfig(ProviderConfig):
    """The harbor, a cloud that exists only in a folder."""

    folder: Attr[str] = Attr(required=True)
    """Where the cloud keeps its objects."""

    speed_limit: Attr[int | None] = Attr(optional=True, default=None)
    """Knots that ships go at most if they do not say."""


class Account(Provider[HarborConfig]):
    """The provider as its handlers know it: they find it as `self.provider`.

    What it offers is said in a class below it (`harbor.provider`), which knows the handlers.

    Attributes:
        speed_limit: knots that ships go at most if they do not say.
    """

    speed_limit = 12
    _cloud: Cloud | None = None

    def validate(self, config: HarborConfig, context: ValidateContext) -> None:
        limit = config.speed_limit
        if is_known(limit) and limit is not None and limit < 1:
            context.error("Nobody could move", "At least 1 knot is required.", "speed_limit")

    def configure(self, config: HarborConfig, context: ConfigureContext) -> None:
        # In a plan, the folder may be what another resource is yet to make.
        self._cloud = Cloud(Path(config.folder)) if is_known(config.folder) else None
        if is_known(config.speed_limit) and config.speed_limit is not None:
            self.speed_limit = config.speed_limit

    @property
    def cloud(self) -> Cloud:
        """The cloud.

        Raises:
            ProviderError: its folder is not known yet, or the provider is not configured, as when
                state is upgraded or moved.
        """
        if self._cloud is None:
            raise ProviderError(
                "The harbor cannot be reached yet", "Its folder is known only after apply."
            )
        return self._cloud
