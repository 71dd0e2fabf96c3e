"""The supported protocol versions, and the names of their calls. Imports no protobuf."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

SUPPORTED: Final = (5, 6)
"""The protocol versions that Terraform Core and OpenTofu accept and this library supports."""

_NAMES_IN_5: Final = MappingProxyType(
    {
        "GetProviderSchema": "GetSchema",
        "ValidateProviderConfig": "PrepareProviderConfig",
        "ValidateResourceConfig": "ValidateResourceTypeConfig",
        "ValidateDataResourceConfig": "ValidateDataSourceConfig",
        "ConfigureProvider": "Configure",
        "StopProvider": "Stop",
    }
)


def service_name(major: int) -> str:
    """The full name of the service: `tfplugin6.Provider`."""
    return f"tfplugin{major}.Provider"


def name_in(major: int, name: str) -> str:
    """The name of a call in a protocol version: `GetSchema` for `GetProviderSchema` in 5."""
    return _NAMES_IN_5.get(name, name) if major == 5 else name
