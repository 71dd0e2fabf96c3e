"""What a packaged provider must have in common with the program: its schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tofutypes.errors import TofuTypesError
from tofutypes.narrowing import is_dict, is_list
from tofutypes.provider import PluginError
from tofutypes.provider.client import launch
from tofutypes.schema.definitions import ProviderSchema
from tofutypes_codegen.errors import GeneratorError
from tofutypes_codegen.schema_document import document_text

_PROTOCOL_5 = 5
_PROTOCOL_6 = 6


@dataclass(frozen=True, slots=True)
class Description:
    """What a provider says about itself.

    Attributes:
        address: Its address.
        schema: Its schemas.
    """

    address: str
    schema: ProviderSchema


def describe(executable: Path, label: str, hint: str = "set `address`") -> Description:
    """Start a provider and ask for its schemas.

    Args:
        executable: The executable.
        label: Its name for messages.
        hint: What to do if the provider does not tell its address, which only those that are
            written with this library do.

    Raises:
        GeneratorError: If it is not the executable of a provider, or does not tell its address.
        ProviderError: If the provider reports an error instead of its schemas.
    """
    try:
        with launch(executable) as client:
            schema = client.schema
            address = client.provider_address
    except PluginError as error:
        reason = str(error).removeprefix(f"{executable}: ")
        raise GeneratorError(f"{label}: {reason}; is this the program of a provider?") from None
    if address is None:
        raise GeneratorError(f"{label}: the provider does not tell its address: {hint}")
    return Description(address, schema)


def protocols_of(executable: Path) -> list[int]:
    """The protocol versions that a provider speaks. Nested attributes exist in 6 only."""
    try:
        with launch(executable, protocols=[_PROTOCOL_5]) as client:
            _ = client.schema
    except TofuTypesError:
        return [_PROTOCOL_6]
    return [_PROTOCOL_5, _PROTOCOL_6]


def require_equal(packaged: Description, program: Description) -> None:
    """Compare a packaged provider with the program.

    Raises:
        GeneratorError: If schemas or descriptions differ. The message has the path.
    """
    address = program.address
    one, other = (
        json.loads(document_text({address: described.schema})) for described in (packaged, program)
    )
    path = next(_differences(one, other), None)
    if path is not None:
        place = ".".join(path[2:]) or address
        raise GeneratorError(
            f"the schema of the packaged provider differs from that of the program: {place}"
        )


def _differences(
    one: object, other: object, path: tuple[str, ...] = ()
) -> Iterator[tuple[str, ...]]:
    if is_dict(one) and is_dict(other):
        for key in sorted({*map(str, one), *map(str, other)}):
            yield from _differences(one.get(key), other.get(key), (*path, key))
    elif is_list(one) and is_list(other) and len(one) == len(other):
        for number, pair in enumerate(zip(one, other, strict=True)):
            yield from _differences(*pair, (*path, str(number)))
    elif one != other:
        yield path
