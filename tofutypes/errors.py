"""The exceptions of values, types and schemas, and the path that says where in a value it happened.

One tree: whatever bad input does, it raises a [`TofuTypesError`][tofutypes.errors.TofuTypesError].
A message never holds the value itself, only its place and its kind, because values hold secrets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias


class AttributeStep(NamedTuple):
    """A step to an attribute or a nested block of an object."""

    name: str


class SensitiveStep(AttributeStep):
    """A step to a sensitive attribute: no path leads inside, for keys are part of the secret."""

    __slots__ = ()


class KeyStep(NamedTuple):
    """A step to an element of a map."""

    key: str


class IndexStep(NamedTuple):
    """A step to an element of a list, a tuple or a set (of a set: its position, from 0)."""

    position: int


Step: TypeAlias = AttributeStep | KeyStep | IndexStep


def one_line(text: str) -> str:
    """A text for an error, with escapes for what a terminal does not print."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)


@dataclass(frozen=True, slots=True)
class Path:
    """A place inside a value: the steps that lead there from the top.

    Printed as a configuration would write it: `root_block_device[0].volume_size`, `tags["Name"]`.
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

    def __add__(self, other: Path) -> Path:
        return Path(self.steps + other.steps)


class TofuTypesError(Exception):
    """The base of all errors of this library."""


class TypeConstraintError(TofuTypesError, ValueError):
    """A type constraint that is not one.

    Attributes:
        path: where in the constraint, as steps into its JSON (`[1].tags` is the attribute `tags`
            of the second element).
    """

    def __init__(self, message: str, path: Path = Path()) -> None:
        self.path = path
        self.message = message
        super().__init__(f"type constraint{' at ' + str(path) if path else ''}: {message}")

    def __reduce__(self) -> tuple[type[TypeConstraintError], tuple[str, Path]]:
        return type(self), (self.message, self.path)


class NumberError(TofuTypesError, ValueError):
    """Something that is not a number of the type system, or has too many digits."""


class RefinementError(TofuTypesError, ValueError):
    """Refinements of an unknown value that contradict each other or do not fit its type."""


class UnknownValueError(TofuTypesError, TypeError):
    """An unknown value was used as if it were known: as a truth value, a number, a collection…"""


class SchemaError(TofuTypesError, ValueError):
    """A schema document that cannot be read: not JSON, not a schema document, a wrong shape."""


class DocumentError(TofuTypesError, ValueError):
    """A plan or a state that cannot be read: not JSON, another document, a wrong shape.

    Also an address or a path that is not one. The message has the file or the place in the
    document.
    """


_SHOWN: Final = 50


def first_of(items: Sequence[object]) -> list[str]:
    """A line for each of many things that a message tells of: the first, and how many more."""
    lines = list(map(str, items[:_SHOWN]))
    if len(items) > _SHOWN:
        lines.append(f"and {len(items) - _SHOWN:,} more")
    return lines


class InvalidSchemaError(SchemaError):
    """A schema that can be read but breaks the rules of the protocol.

    Attributes:
        problems: every broken rule, each with the place in the schema.
    """

    def __init__(self, problems: Sequence[SchemaProblem]) -> None:
        self.problems: Final = tuple(problems)
        count = len(self.problems)
        head = f"the schema breaks {count} rule{'s' if count != 1 else ''}"
        lines = [f"{head}:", *(f"  {line}" for line in first_of(self.problems))]
        super().__init__("\n".join(lines))

    def __reduce__(self) -> tuple[type[InvalidSchemaError], tuple[tuple[SchemaProblem, ...]]]:
        return type(self), (self.problems,)


@dataclass(frozen=True, slots=True)
class SchemaProblem:
    """One broken rule of a schema: where, and what is wrong."""

    path: Path
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


class InvalidValueError(TofuTypesError, ValueError):
    """A value that does not conform to its type or schema.

    Attributes:
        path: where in the value.
        message: what was expected there and what kind of value came; never the value itself.
    """

    def __init__(self, message: str, steps: Iterable[Step] = ()) -> None:
        self.message = message
        self._inside_out: list[Step] = list(reversed(list(steps)))
        super().__init__(message)

    @property
    def path(self) -> Path:
        return Path(tuple(reversed(self._inside_out)))

    def at(self, step: Step) -> InvalidValueError:
        """The same error seen from one level further out; for use while it is being raised."""
        if isinstance(step, SensitiveStep):
            self.hide_inside()
        self._inside_out.append(step)
        return self

    def hide_inside(self) -> InvalidValueError:
        """The same error without the way to it, where keys and names may be secrets."""
        self._inside_out.clear()
        return self

    def __str__(self) -> str:
        path = self.path
        return f"{path}: {self.message}" if path else self.message

    def __reduce__(self) -> tuple[type[InvalidValueError], tuple[str, tuple[Step, ...]]]:
        return type(self), (self.message, self.path.steps)


class DecodeError(InvalidValueError):
    """Bytes or text that are not a value of the wanted type."""


class EncodeError(InvalidValueError):
    """A Python value that cannot be written as the wanted type."""


def expected(wanted: str, value: object) -> InvalidValueError:
    """The error for a value of the wrong kind: `expected a number, got a string`."""
    return InvalidValueError(f"expected {wanted}, got {describe(value)}")


def unknown_attribute(name: str, names: Iterable[str]) -> InvalidValueError:
    """The error for an attribute or a nested block that the schema does not have.

    Args:
        name: the name. The path of the error shows at most 60 characters of it.
        names: the names that the schema has; the error suggests one that is nearly the same.
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

    near = get_close_matches(name[:_SHOWN_NAME], names, n=1)
    return f'; did you mean "{near[0]}"?' if near else ""


def shorten(text: str) -> str:
    """The first 60 characters of a text, for a message."""
    return text if len(text) <= _SHOWN_NAME else f"{text[: _SHOWN_NAME - 1]}…"


_SHOWN_NAME: Final = 60


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
    """The kind of a value in the words of the type system, without the value."""
    kind = type(value)
    known = _KINDS.get(kind)
    if known is not None:
        return known
    described = getattr(kind, "__kind__", None)
    if isinstance(described, str):
        return described
    return describe_class(kind)


def describe_class(kind: type) -> str:
    """The name of a class with its article: `a Server`, `an Instance`."""
    return f"{'an' if kind.__name__[:1] in 'AEIOUaeiou' else 'a'} {kind.__name__}"
