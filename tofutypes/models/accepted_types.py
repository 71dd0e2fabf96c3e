"""What fields take, for type checkers, where reading them gives one exact type.

`AnyList[str]` takes what becomes a `list[Nullable[str]]`, and so on. The elements may be unknown or
null.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal
from typing import Protocol, SupportsIndex, TypeAlias, TypeVar, overload

from tofutypes.dynamic import Dynamic
from tofutypes.sets import TofuSet
from tofutypes.unknown import Unknown

E = TypeVar("E")
E_co = TypeVar("E_co", covariant=True)

Nullable: TypeAlias = E | Unknown | None
"""An element of a collection: it may be unknown, or null."""


class AnySequence(Protocol[E_co]):
    """A list, a tuple or the like, but not a string: a string is no list of strings."""

    @overload
    def __getitem__(self, index: SupportsIndex, /) -> E_co: ...
    @overload
    def __getitem__(self, index: slice, /) -> AnySequence[E_co]: ...
    # A string asks for a string here, and so is told apart.
    def __contains__(self, value: object, /) -> bool: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[E_co]: ...
    def __reversed__(self) -> Iterator[E_co]: ...


AnyList: TypeAlias = AnySequence[E | Unknown | None]
"""What becomes a list."""

AnySet: TypeAlias = (
    AnySequence[E | Unknown | None] | AbstractSet[E | Unknown | None] | TofuSet[E | Unknown | None]
)
"""What becomes a set."""

AnyMap: TypeAlias = Mapping[str, E | Unknown | None]
"""What becomes a map."""

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
"""What becomes a dynamically typed value: with its type in a `Dynamic`, or a plain value that has
the type which a configuration would give it."""
