"""The types that fields accept, for type checkers; what a field returns is one exact type.

A field that returns `list[Nullable[str]]` accepts an `AnyList[str]`, and so on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal
from typing import Protocol, TypeAlias, TypeVar

from tofutypes.dynamic import Dynamic
from tofutypes.sets import TofuSet
from tofutypes.unknown import Unknown

E = TypeVar("E")
E_co = TypeVar("E_co", covariant=True)

Nullable: TypeAlias = E | Unknown | None
"""An element of a collection: a value, an unknown value, or null."""


class AnySequence(Protocol[E_co]):
    """Any sequence (list, tuple, deque, `Sequence`) except `str` and `bytes`.

    The protocol has as few members as tell sequences apart, because a type checker explains a
    mismatch member by member: strings differ in `__contains__`, sets and mappings have no `count`.
    """

    def __iter__(self) -> Iterator[E_co]: ...
    def __contains__(self, value: object, /) -> bool: ...
    # A property: as a method, mypy would infer the element type from its parameter.
    @property
    def count(self) -> object: ...


AnyList: TypeAlias = AnySequence[E | Unknown | None]
"""Accepted by a list attribute."""

AnySet: TypeAlias = (
    AnySequence[E | Unknown | None] | AbstractSet[E | Unknown | None] | TofuSet[E | Unknown | None]
)
"""Accepted by a set attribute."""

AnyMap: TypeAlias = Mapping[str, E | Unknown | None]
"""Accepted by a map attribute."""

AnyDynamic: TypeAlias = (
    Dynamic
    | Unknown
    | str
    | bool
    | int
    | float
    | Decimal
    | Sequence["AnyDynamic"]
    | Mapping[str, "AnyDynamic"]
    | None
)
"""Accepted by an attribute of type `dynamic`: a `Dynamic` with its type, or a plain value, whose
type is the one that a configuration would give it."""
