"""The kinds of things that a provider has, each of which has its own names."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

RESOURCES: Final = "resources"
STATE_STORES: Final = "state_stores"


class Kind(NamedTuple):
    """A kind of things.

    Attributes:
        noun: What one of them is called: "data source".
        prefix: What stands before its name where kinds must be told apart: `data.`. Resources
            have no prefix, as in configurations.
    """

    noun: str
    prefix: str


KINDS: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        RESOURCES: Kind("resource", ""),
        "data_sources": Kind("data source", "data."),
        "ephemeral_resources": Kind("ephemeral resource", "ephemeral."),
        "list_resources": Kind("list resource", "list."),
        "actions": Kind("action", "action."),
        STATE_STORES: Kind("state store", "state_store."),
        "functions": Kind("function", "function."),
    }
)
"""The kinds by their names in `ProviderSchema` and `MetadataResponse`."""
