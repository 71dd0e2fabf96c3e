"""Dicts that cannot be changed, so that schemas can be shared and hashed."""

from __future__ import annotations

from typing import Any, Final, NoReturn, TypeVar

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
        # Without the hash: strings have other hashes in another process.
        return type(self), (dict(self),)

    def _refuse(self: Any, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("schemas are immutable; build a new one")

    __setitem__ = __delitem__ = __ior__ = _refuse
    update = pop = popitem = clear = setdefault = _refuse


EMPTY: Final[FrozenDict[Any]] = FrozenDict()
"""The one empty mapping that all empty parts of schemas share."""
