"""Objects of a document whose members are checked when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar, Final, Generic, TypeVar, overload

from tofutypes.documents.values import copied
from tofutypes.errors import DocumentError, describe
from tofutypes.narrowing import is_dict, is_list

T = TypeVar("T")
R = TypeVar("R", bound="Record")

Read = Callable[[object, str], T]
"""Reads a member: takes its JSON (None if it is missing) and its place."""


class Member(Generic[T]):
    """A member of an object of a document, as an attribute of a class."""

    def __init__(self, read: Read[T], name: str | None = None) -> None:
        self.read: Final = read
        self.name = name or ""

    def __set_name__(self, owner: type[Record], name: str) -> None:
        self.name = self.name or name
        owner.member_names = owner.member_names | {self.name}

    @overload
    def __get__(self, instance: None, owner: type) -> Member[T]: ...
    @overload
    def __get__(self, instance: Record, owner: type) -> T: ...
    def __get__(self, instance: Record | None, owner: type) -> T | Member[T]:
        if instance is None:
            return self
        return self.read(instance.members.get(self.name), instance.place_of(self.name))


class Record:
    """An object of a document.

    Attributes:
        members: the members that are parsed already; not to be changed.
        place: where it stands, for errors.
    """

    member_names: ClassVar[frozenset[str]] = frozenset()
    members: Mapping[str, Any]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        bases = [base for base in cls.__mro__ if issubclass(base, Record)]
        cls.member_names = frozenset().union(*(base.member_names for base in bases))

    def __init__(self, json: object, place: str = "") -> None:
        self.members = as_object(json, place)
        self.place = place

    @property
    def json(self) -> Mapping[str, Any]:
        """The object as it stands in the document; not to be changed."""
        return self.members

    def place_of(self, name: str) -> str:
        """Where a member stands, for errors."""
        return f"{self.place}.{name}" if self.place else name

    @property
    def extra(self) -> dict[str, object]:
        """The members that this version of the library does not know."""
        return {
            name: copied(value)
            for name, value in self.members.items()
            if name not in self.member_names
        }

    def __repr__(self) -> str:
        name = self.members.get("address", self.members.get("name", ""))
        shown = f" {name}" if isinstance(name, str) and name else ""
        return f"<{type(self).__name__}{shown}>"

    def __eq__(self, other: object) -> bool:
        return self.json == other.json if isinstance(other, type(self)) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # documents hold what can be changed


@contextmanager
def bounded(place: str) -> Generator[None]:
    """Turn what endless nesting and sheer size cause into errors of ours, inside of `with`."""
    try:
        yield
    except RecursionError:
        raise DocumentError(f"{place}: nested too deeply") from None
    except MemoryError:
        raise DocumentError(f"{place}: not enough memory") from None


def as_object(value: object, place: str) -> dict[str, Any]:
    """The value, if it is an object.

    Raises:
        DocumentError: If it is not.
    """
    if is_dict(value):
        return value  # type: ignore[return-value]  # JSON has no other keys than strings
    raise wrong(place, "an object", value)


def wrong(place: str, expected: str, value: object) -> DocumentError:
    """The error for a member of a wrong kind: `timestamp: expected a string, got a number`."""
    at = f"{place}: " if place else ""
    return DocumentError(f"{at}expected {expected}, got {describe(value)}")


def read_text(value: object, place: str) -> str | None:
    """A string, or None if it is missing."""
    if value is None or isinstance(value, str):
        return value
    raise wrong(place, "a string", value)


def read_required_text(value: object, place: str) -> str:
    """A string."""
    if isinstance(value, str):
        return value
    raise wrong(place, "a string", value)


def read_flag(value: object, place: str) -> bool:
    """A bool; False if it is missing."""
    return bool(read_optional_flag(value, place))


def read_optional_flag(value: object, place: str) -> bool | None:
    """A bool, or None if it is missing."""
    if value is None or isinstance(value, bool):
        return value
    raise wrong(place, "a bool", value)


def read_integer(value: object, place: str) -> int | None:
    """A whole number, or None if it is missing."""
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise wrong(place, "a whole number", value)


def read_list(value: object, place: str) -> list[object]:
    """A list; empty if it is missing."""
    if value is None:
        return []
    if is_list(value):
        return value
    raise wrong(place, "a list", value)


def read_texts(value: object, place: str) -> tuple[str, ...]:
    """A list of strings; empty if it is missing."""
    elements = enumerate(read_list(value, place))
    return tuple(read_required_text(element, f"{place}[{n}]") for n, element in elements)


def read_object(value: object, place: str) -> dict[str, Any]:
    """An object; empty if it is missing."""
    return {} if value is None else as_object(value, place)


def read_plain(value: object, place: str) -> Any:
    """A value of which no type is known, copied."""
    return copied(value)


def record(cls: type[R]) -> Member[R | None]:
    """An object."""
    return Member(lambda value, place: None if value is None else cls(value, place))


def records(cls: type[R]) -> Member[tuple[R, ...]]:
    """A list of objects."""

    def read(value: object, place: str) -> tuple[R, ...]:
        elements = enumerate(read_list(value, place))
        return tuple(cls(element, f"{place}[{n}]") for n, element in elements)

    return Member(read)


def records_by_name(cls: type[R]) -> Member[Mapping[str, R]]:
    """An object of objects."""

    def read(value: object, place: str) -> Mapping[str, R]:
        members = read_object(value, place).items()
        return {name: cls(inner, f"{place}.{name}") for name, inner in members}

    return Member(read)
