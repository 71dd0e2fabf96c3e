"""Names in schemas, and mappings by name.

Names are compared after Unicode normalisation. Source: the wire format document, "Schema Attribute
Mapping"; normalisation form C as in go-cty.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from tofutypes.errors import InvalidValueError, SchemaError, shorten
from tofutypes.schema.frozen_dict import EMPTY, FrozenDict
from tofutypes.text import normalize_string

V = TypeVar("V")


def by_name(mapping: Mapping[str, V]) -> FrozenDict[V]:
    """The values of a mapping by their normalised names.

    Raises:
        SchemaError: If a name is not valid Unicode, or two names are equal after normalisation.
    """
    if isinstance(mapping, FrozenDict):
        return mapping
    if not mapping:
        return EMPTY
    if all(map(str.isascii, mapping)):
        return FrozenDict(mapping)
    normalized: dict[str, V] = {}
    for original, value in mapping.items():
        name = normalize_name(original)
        if name in normalized:
            raise SchemaError(f'duplicate name "{shorten(name)}" after Unicode normalisation')
        normalized[name] = value
    return FrozenDict(normalized)


def normalize_name(name: str) -> str:
    r"""A name in the form in which names are compared.

        >>> normalize_name("cafe\u0301") == "café"
        True

    Raises:
        SchemaError: If the name is not valid Unicode.
    """
    try:
        return normalize_string(name)
    except InvalidValueError as error:
        raise SchemaError(f"name: {error.message}") from None
