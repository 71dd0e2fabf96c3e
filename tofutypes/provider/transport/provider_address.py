"""A provider's own address, which its server tells to clients of this library.

The protocol has no field for the address. The server sends the address as initial metadata of the
answer to `GetProviderSchema`; Terraform Core and OpenTofu ignore such metadata.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_KEY: Final = "tofutypes-provider-address"
_MAX_LENGTH: Final = 255
_PART: Final = r"[0-9A-Za-z][0-9A-Za-z_.-]*"
_ADDRESS: Final = re.compile(rf"{_PART}(:[0-9]+)?/{_PART}/{_PART}")


def address_metadata(address: str) -> tuple[tuple[str, str], ...]:
    """Return the metadata that tell an address; none if the address is not valid."""
    return ((_KEY, address),) if _is_valid(address) else ()


def address_in(metadata: Iterable[tuple[str, str | bytes]]) -> str | None:
    """Return the address in the metadata of an answer; None if there is no valid one."""
    addresses = [value for key, value in metadata if key == _KEY]
    if len(addresses) != 1:
        return None
    (address,) = addresses
    return address if isinstance(address, str) and _is_valid(address) else None


def _is_valid(address: str) -> bool:
    return len(address) <= _MAX_LENGTH and _ADDRESS.fullmatch(address) is not None
