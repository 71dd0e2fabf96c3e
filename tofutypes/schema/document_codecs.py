"""The kinds of values in a schema document: how each is read from JSON objects and written back.

What is empty (false, 0, an empty mapping) is not written, and an absent key reads as that, as does
`null`: Terraform and OpenTofu print with Go's `omitempty`.
"""

from __future__ import annotations

import json
import re
from collections.abc import ItemsView, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, Generic, TypeGuard, TypeVar

import orjson

from tofutypes.errors import (
    AttributeStep,
    IndexStep,
    KeyStep,
    LocatedError,
    SchemaError,
    Step,
    TypeConstraintError,
    describe,
    one_line,
    shorten,
)
from tofutypes.numbers import INT64_MAX, INT64_MIN
from tofutypes.schema.frozen_dict import EMPTY
from tofutypes.schema.names import by_name
from tofutypes.text import has_unpaired_surrogate
from tofutypes.type_parsing import parse_type
from tofutypes.types import Type

T = TypeVar("T")
E = TypeVar("E", bound=Enum)

MAX_EXTRA_DEPTH: Final = 100
"""How deep the values of unknown keys may nest. Ours."""

_AS_JSON: Final = (
    orjson.OPT_PASSTHROUGH_DATACLASS
    | orjson.OPT_PASSTHROUGH_DATETIME
    | orjson.OPT_PASSTHROUGH_SUBCLASS
)


class MisfitError(LocatedError):
    """A part of a document is malformed. Users get a `SchemaError` in its place."""

    def __init__(self, message: str, path: Iterable[Step] = ()) -> None:
        super().__init__(one_line(message), path)


@dataclass(slots=True)
class Reading:
    """What one reading keeps: how deep it is, and what it has seen, by kind and JSON text."""

    depth: int = 0
    seen: dict[Kind[Any], dict[bytes, Any]] = field(
        default_factory=dict["Kind[Any]", "dict[bytes, Any]"]
    )


class Kind(Generic[T]):
    """How one kind of value is read and written.

    Attributes:
        absent: the value that an absent key stands for.
    """

    absent: T | None = None

    def read(self, source: object, reading: Reading) -> T:
        raise NotImplementedError

    def write(self, value: T) -> object:
        raise NotImplementedError


class Text(Kind[str]):
    """A string."""

    def __init__(self, absent: str | None = None) -> None:
        self.absent = absent

    def read(self, source: object, reading: Reading) -> str:
        if not isinstance(source, str):
            raise MisfitError(f"expected a string, got {describe(source)}")
        _check_unicode(source)
        return source

    def write(self, value: str) -> object:
        return value


class Flag(Kind[bool]):
    """True or false."""

    absent = False

    def read(self, source: object, reading: Reading) -> bool:
        if not isinstance(source, bool):
            raise MisfitError(f"expected true or false, got {describe(source)}")
        return source

    def write(self, value: bool) -> object:
        return value


class Count(Kind[int]):
    """A whole number. The protocol's have 64 bits."""

    absent = 0

    def read(self, source: object, reading: Reading) -> int:
        if not isinstance(source, int) or isinstance(source, bool):
            kind = "a decimal number" if isinstance(source, float) else describe(source)
            raise MisfitError(f"expected an integer, got {kind}")
        if not INT64_MIN <= source <= INT64_MAX:
            raise MisfitError("number is out of range: the limit is 64 bits")
        return source

    def write(self, value: int) -> object:
        return value


class Word(Kind[E]):
    """One of a few words."""

    def __init__(self, *words: E) -> None:
        self._words = {word.value: word for word in words}
        *most, last = (f'"{word}"' for word in self._words)
        self._expected = f"{', '.join(most)} or {last}"

    def read(self, source: object, reading: Reading) -> E:
        if not isinstance(source, str):
            raise MisfitError(f"expected {self._expected}, got {describe(source)}")
        word = self._words.get(source)
        if word is None:
            raise MisfitError(f'expected {self._expected}, got "{shorten(source)}"')
        return word

    def write(self, value: E) -> object:
        word: object = value.value
        return word


class TypeConstraint(Kind[Type]):
    """A type constraint."""

    def read(self, source: object, reading: Reading) -> Type:
        # A name is quoted, lest it be taken for the text of a type constraint.
        constraint = json.dumps(source) if isinstance(source, str) else source
        try:
            return parse_type(constraint)  # type: ignore[arg-type]  # checks what it gets
        except TypeConstraintError as error:
            raise MisfitError(error.message, error.path.steps) from None

    def write(self, value: Type) -> object:
        return value.to_object()


class Shared(Kind[T]):
    """Things of which a document says many alike: those become one object.

    The AWS provider has 37,500 attributes, but 1,200 different ones.
    """

    def __init__(self, kind: Kind[T]) -> None:
        self._kind = kind
        self.absent = kind.absent

    def read(self, source: object, reading: Reading) -> T:
        seen = reading.seen.setdefault(self, {})
        try:
            text = orjson.dumps(source, option=_AS_JSON)
        except TypeError:  # not JSON, or nested too deeply: the kind tells which
            return self._kind.read(source, reading)
        known: T | None = seen.get(text)
        if known is None:
            known = seen[text] = self._kind.read(source, reading)
        return known

    def write(self, value: T) -> object:
        return self._kind.write(value)


class Named(Kind[Mapping[str, T]]):
    """Things of one kind by name."""

    absent = EMPTY

    def __init__(self, kind: Kind[T]) -> None:
        self._kind = kind

    def read(self, source: object, reading: Reading) -> Mapping[str, T]:
        if source == []:  # what some tools, in whose languages both are arrays, make of {}
            return EMPTY
        read = self._kind.read
        values: dict[str, T] = {}
        for name, value in entries(source):
            try:
                values[name] = read(value, reading)
            except MisfitError as error:
                raise error.at(_step(name)) from None
        try:
            return by_name(values)
        except SchemaError as error:
            raise MisfitError(str(error)) from None

    def write(self, value: Mapping[str, T]) -> object:
        write = self._kind.write
        return {name: write(item) for name, item in value.items()}


class Listed(Kind[tuple[T, ...]]):
    """Things of one kind in order."""

    absent = ()

    def __init__(self, kind: Kind[T]) -> None:
        self._kind = kind

    def read(self, source: object, reading: Reading) -> tuple[T, ...]:
        if not _is_list(source):
            raise MisfitError(f"expected a list, got {describe(source)}")
        values: list[T] = []
        for index, value in enumerate(source):
            try:
                values.append(self._kind.read(value, reading))
            except MisfitError as error:
                raise error.at(IndexStep(index)) from None
        return tuple(values)

    def write(self, value: tuple[T, ...]) -> object:
        return [self._kind.write(item) for item in value]


class Json(Kind[object]):
    """Any JSON value, kept as it is: a copy both ways, for it can be changed."""

    def read(self, source: object, reading: Reading) -> object:
        return _copy(source, 0)

    def write(self, value: object) -> object:
        return _copy(value, 0)


def _copy(value: object, depth: int) -> object:
    if depth > MAX_EXTRA_DEPTH:
        raise MisfitError(f"JSON is nested too deeply (the limit is {MAX_EXTRA_DEPTH} levels)")
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        _check_unicode(value)
        return value
    if _is_list(value):
        return [_copy(item, depth + 1) for item in value]
    if _is_object(value):
        return {name: _copy(item, depth + 1) for name, item in entries(value)}
    raise MisfitError(f"expected a JSON value, got {describe(value)}")


def entries(source: object) -> ItemsView[str, object]:
    """The keys and values of a JSON object.

    Raises:
        MisfitError: If the value is not a JSON object.
    """
    if not _is_object(source):
        raise MisfitError(f"expected a JSON object, got {describe(source)}")
    if not _has_names(source):
        raise MisfitError("expected a string as key, got another kind of key")
    return source.items()


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, list | tuple)


def _is_object(value: object) -> TypeGuard[Mapping[object, object]]:
    return isinstance(value, Mapping)


def _has_names(value: Mapping[object, object]) -> TypeGuard[Mapping[str, object]]:
    return all(isinstance(name, str) for name in value)


def _check_unicode(text: str) -> None:
    # JSON can escape half of a surrogate pair, but no UTF-8 can hold it.
    if has_unpaired_surrogate(text):
        raise MisfitError("invalid Unicode: unpaired surrogate")


def _step(name: str) -> Step:
    return AttributeStep(name) if re.fullmatch(r"[\w-]+", name) else KeyStep(name)
