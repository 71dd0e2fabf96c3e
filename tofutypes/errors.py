"""The exceptions of this library, and paths: where in a value or a schema a fault is.

Bad input raises a [`TofuTypesError`][tofutypes.errors.TofuTypesError], whatever it is. The message
never contains the value itself, only its path and its kind, because values can be secrets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Self, TypeAlias


class AttributeStep(NamedTuple):
    """A step to an attribute or a nested block of an object."""

    name: str


class SensitiveStep(AttributeStep):
    """A step to a sensitive attribute. No path leads inside: keys are part of the secret."""

    __slots__ = ()


class KeyStep(NamedTuple):
    """A step to an element of a map."""

    key: str


class IndexStep(NamedTuple):
    """A step to an element of a list, a tuple or a set (of a set: its position, from 0)."""

    position: int


Step: TypeAlias = AttributeStep | KeyStep | IndexStep


def one_line(text: str) -> str:
    """The text on one line, with escapes for characters that a terminal does not print."""
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else repr(character)[1:-1] for character in text
    )


@dataclass(frozen=True, slots=True)
class Path:
    """The way to a place inside a value or a schema, from the top.

    Printed as a configuration would write it:

        >>> print(Path((AttributeStep("disk"), IndexStep(0), AttributeStep("size"))))
        disk[0].size
        >>> print(Path((AttributeStep("tags"), KeyStep("Name"))))
        tags["Name"]

    Attributes:
        steps (tuple[Step, ...]): The steps, outermost first. A path is also an iterable of them.
    """

    steps: tuple[Step, ...] = ()

    def __str__(self) -> str:
        text = ""
        for step in self.steps:
            match step:
                case AttributeStep(name):
                    text += f".{name}" if text else name
                case KeyStep(key):
                    escaped = key.replace("\\", "\\\\").replace('"', '\\"')
                    text += f'["{escaped}"]'
                case IndexStep(position):
                    text += f"[{position}]"
        return one_line(text)

    def __bool__(self) -> bool:
        return bool(self.steps)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __add__(self, other: Path) -> Path:
        return Path(self.steps + other.steps)


class TofuTypesError(Exception):
    """The base class of all errors of this library."""


class LocatedError(TofuTypesError, ValueError):
    """The base class of errors that have a path.

        >>> try:
        ...     decode_json('{"disk": [{"size": "large"}]}', server_type)
        ... except LocatedError as error:
        ...     print(error.path, "|", error.message)
        disk[0].size | expected a number, got other text

    Attributes:
        message (str): What is wrong there. `str(error)` is the path and the message.
        path (Path): Where it is. Empty for a fault of the whole.
    """

    def __init__(self, message: str, path: Iterable[Step] = ()) -> None:
        self.message = message
        self._inside_out: list[Step] = [*path][::-1]
        super().__init__(message)

    @property
    def path(self) -> Path:
        return Path(tuple(reversed(self._inside_out)))

    def at(self, step: Step) -> Self:
        """Put a step in front of the path, while the error is on its way out; return the error."""
        if isinstance(step, SensitiveStep):
            self.hide_inside()
        self._inside_out.append(step)
        return self

    def hide_inside(self) -> Self:
        """Forget the path, where keys and names may be secrets; return the error."""
        self._inside_out.clear()
        return self

    def __str__(self) -> str:
        path = self.path
        return f"{path}: {self.message}" if path else self.message

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.path.steps)


class TypeConstraintError(LocatedError):
    """A malformed type constraint.

    The path leads through its JSON: `[1].tags` is the attribute `tags` of an object type.
    """

    def __str__(self) -> str:
        path = self.path
        return f"type constraint{f' at {path}' if path else ''}: {self.message}"


class RefinementError(TofuTypesError, ValueError):
    """Refinements of an unknown value that contradict each other or do not fit its type."""


class UnknownValueError(TofuTypesError, TypeError):
    """An unknown value was used as if it were known: as a bool, a number, a collection…"""


class NullValueError(TofuTypesError, TypeError):
    """A value is null where the program expects that it is not."""


class SchemaError(LocatedError):
    """A schema or a schema document that cannot be read.

    Attributes:
        source (str): The file, as the message names it; empty if it was no file.
    """

    def __init__(self, message: str, path: Iterable[Step] = (), source: str = "") -> None:
        super().__init__(message, path)
        self.source = source

    def __str__(self) -> str:
        return f"{self.source}: {super().__str__()}" if self.source else super().__str__()

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.path.steps, self.source)


class DocumentError(LocatedError):
    """A plan or a state that cannot be read, or a malformed address or path."""


_MOST_LINES: Final = 50


def first_of(items: Sequence[object]) -> list[str]:
    """The lines of a message that lists items: at most 50, and how many more there are."""
    lines = list(map(str, items[:_MOST_LINES]))
    if len(items) > _MOST_LINES:
        lines.append(f"and {len(items) - _MOST_LINES:,} more")
    return lines


class InvalidSchemaError(SchemaError):
    """A schema that breaks the rules of the provider protocol.

    Attributes:
        problems (tuple[SchemaProblem, ...]): Every broken rule, each with its path in the schema.
    """

    def __init__(self, problems: Sequence[SchemaProblem]) -> None:
        self.problems: Final = tuple(problems)
        count = len(self.problems)
        head = f"the schema breaks {count} rule{'s' if count != 1 else ''}"
        lines = [f"{head}:", *(f"  {line}" for line in first_of(self.problems))]
        super().__init__("\n".join(lines))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.problems,)


@dataclass(frozen=True, slots=True)
class SchemaProblem:
    """One broken rule of a schema.

    Attributes:
        path (Path): Where in the schema.
        message (str): What is wrong there.
    """

    path: Path
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


class InvalidValueError(LocatedError):
    """A value that does not conform to its type or its schema.

    The message has what was expected and which kind of value was there, never the value itself.
    """


class NumberError(InvalidValueError):
    """A value that is not a number of the type system, or has too many digits."""


class DecodeError(InvalidValueError):
    """Bytes or text that are not a value of the expected type."""


class EncodeError(InvalidValueError):
    """A Python value that cannot be written as the expected type."""


def expected(wanted: str, value: object) -> InvalidValueError:
    """The error for a value of the wrong kind: `expected a number, got a string`."""
    return InvalidValueError(f"expected {wanted}, got {describe(value)}")


def unknown_attribute(name: str, names: Iterable[str]) -> InvalidValueError:
    """The error for an attribute or a nested block that the schema does not have.

    Args:
        name: The name. The path of the error has at most 60 characters of it.
        names: The names that the schema has. The error suggests the nearest one.
    """
    hint = did_you_mean(name, names)
    return InvalidValueError(f"unknown attribute or nested block{hint}").at(
        AttributeStep(shorten(name))
    )


def missing_attribute(name: str) -> InvalidValueError:
    """The error for an object without one of its attributes or nested blocks."""
    return InvalidValueError("missing attribute or nested block").at(AttributeStep(name))


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The end of a message that suggests a name: `; did you mean "size"?`, or nothing."""
    from difflib import get_close_matches  # most programs never need it

    near = get_close_matches(name[:_MOST_CHARACTERS], names, n=1)
    return f'; did you mean "{near[0]}"?' if near else ""


def shorten(text: str) -> str:
    """At most the first 60 characters of a text, for a message."""
    return text if len(text) <= _MOST_CHARACTERS else f"{text[: _MOST_CHARACTERS - 1]}…"


_MOST_CHARACTERS: Final = 60

_KINDS: Final[dict[type, str]] = {
    type(None): "null",
    str: "a string",
    bool: "a bool",
    int: "a number",
    float: "a number",
    list: "a list",
    tuple: "a tuple",
    dict: "a map or an object",
    set: "a set",
    frozenset: "a set",
    bytes: "bytes",
}


def describe(value: object) -> str:
    """The kind of a value in the words of the type system, without the value: `a number`."""
    cls = type(value)
    kind = _KINDS.get(cls) or getattr(cls, "__kind__", None)
    return kind if isinstance(kind, str) else describe_class(cls)


def describe_class(cls: type) -> str:
    """The name of a class with its article: `a Server`, `an Instance`."""
    return f"{'an' if cls.__name__[:1] in 'AEIOUaeiou' else 'a'} {cls.__name__}"
