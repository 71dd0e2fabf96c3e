"""Mappings by name: the names normalised, the mapping frozen.

Frozen, so that schemas can be shared and hashed; normalised, because names are compared after
Unicode normalisation (wire format, "Schema Attribute Mapping"; NFC as in go-cty).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any, Final, NoReturn, TypeVar

from tofutypes.errors import SchemaError, shorten

V = TypeVar("V")


class FrozenDict(dict[str, V]):
    """A dict that cannot be changed. Equal to any dict of equal content, whatever the order."""

    __slots__ = ("_hash",)

    _hash: int

    def __hash__(self) -> int:  # type: ignore[override]  # a dict has none
        try:
            return self._hash
        except AttributeError:
            self._hash = hash(frozenset(self.items()))
            return self._hash

    def __reduce__(self) -> tuple[type[FrozenDict[V]], tuple[dict[str, V]]]:
        # Without the hash: the hash of a string is another one in another process.
        return type(self), (dict(self),)

    def _refuse(self: Any, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("schemas are immutable; build a new one")

    __setitem__ = __delitem__ = __ior__ = _refuse
    update = pop = popitem = clear = setdefault = _refuse


EMPTY: Final[FrozenDict[Any]] = FrozenDict()
"""The one empty mapping that all the empty parts of schemas share."""


def by_name(mapping: Mapping[str, V]) -> FrozenDict[V]:
    """The same things by their normalised names.

    Raises:
        SchemaError: a name is not Unicode text, or two are the same after normalisation.
    """
    if isinstance(mapping, FrozenDict):
        return mapping
    if not mapping:
        return EMPTY
    if all(map(str.isascii, mapping)):
        return FrozenDict(mapping)
    normalized: dict[str, V] = {}
    for given, value in mapping.items():
        name = normalize_name(given)
        if name in normalized:
            raise SchemaError(f'duplicate name "{shorten(name)}" after Unicode normalisation')
        normalized[name] = value
    return FrozenDict(normalized)


def normalize_name(name: str) -> str:
    """A name in the form in which names are compared.

    Raises:
        SchemaError: it is not Unicode text.
    """
    if has_lone_surrogate(name):
        raise SchemaError("invalid Unicode in a name: unpaired surrogate")
    return unicodedata.normalize("NFC", name)


def has_lone_surrogate(text: str) -> bool:
    """Whether a text holds half of a surrogate pair, which no UTF-8 can hold."""
    return not text.isascii() and any("\ud800" <= each <= "\udfff" for each in text)
