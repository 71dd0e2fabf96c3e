"""What modules tell a provider: the block `provider_meta` in their `terraform` block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tofutypes.errors import DecodeError
from tofutypes.provider.service.diagnostics import ProviderError

if TYPE_CHECKING:
    from tofutypes.models import ProviderMeta
    from tofutypes.provider.server.handlers import Handler
    from tofutypes.provider.service.wire_value import WireValue


def provider_meta(handler: Handler[Any], value: WireValue) -> ProviderMeta | None:
    """Decode what a module tells the provider; None if it says nothing.

    Raises:
        ProviderError: If it does not fit the schema.
    """
    model: type[ProviderMeta] | None = getattr(handler.provider, "provider_meta", None)
    if model is None:
        return None
    try:
        return value.read(model)
    except DecodeError as error:
        raise ProviderError("The block provider_meta does not fit", str(error)) from None
