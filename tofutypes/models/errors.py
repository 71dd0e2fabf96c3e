"""The error of values that do not fit a model: an error of pydantic's and of ours."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final, Self

import pydantic_core
from pydantic import BaseModel
from pydantic_core import InitErrorDetails, PydanticCustomError

from tofutypes.errors import (
    AttributeStep,
    InvalidValueError,
    Path,
    Step,
    TofuTypesError,
    unknown_attribute,
)

ERROR_TYPE: Final = "tofu_value"
"""The `type` of our errors in `errors()` of pydantic."""

_UNKNOWN_NAME: Final = frozenset(
    {"extra_forbidden", "unexpected_keyword_argument", "no_such_attribute"}
)
_MESSAGES: Final = {
    "missing": "missing required attribute",
    "invalid_key": "expected a string as key",
    "model_type": "expected an object",
    "model_attributes_type": "expected an object",
}
"""Our messages for the errors that pydantic itself reports, by the type of the error."""


class SeveralInvalidValuesError(InvalidValueError):
    """Several values inside one value that do not conform, each with its own path.

    Attributes:
        errors: The single errors.
    """

    def __init__(self, errors: Iterable[InvalidValueError]) -> None:
        self.errors = tuple(errors)
        super().__init__("; ".join(map(str, self.errors)))

    def at(self, step: Step) -> Self:
        for error in self.errors:
            error.at(step)
        self.message = "; ".join(map(str, self.errors))
        return self

    def hide_inside(self) -> Self:
        for error in self.errors:
            error.hide_inside()
        self.message = "; ".join(map(str, self.errors))
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.errors,)


class ValidationError(TofuTypesError, pydantic_core.ValidationError):
    """Values that do not fit a model: for each the path and what was expected there.

    The error is a `pydantic.ValidationError` too. Neither holds the values themselves.

        >>> Server(name="web", disk=[{"size": "large"}])
        ValidationError: disk[0].size: expected a number, got a string
    """

    __slots__ = ()

    def __str__(self) -> str:
        lines = list(map(str, invalid_values(self)))
        if len(lines) == 1:
            return lines[0]
        return "\n".join([f"{len(lines)} values do not fit {self.title}:", *lines])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.title, invalid_values(self))


def _restored(title: str, errors: Sequence[InvalidValueError]) -> ValidationError:
    return validation_error(title, errors)


class _PathText(str):
    """A path as text, for the context of an error, which must be JSON; with its steps."""

    path: Path

    def __new__(cls, path: Path) -> _PathText:
        text = super().__new__(cls, path)
        text.path = path
        return text

    def __reduce__(self) -> tuple[Any, ...]:
        return _PathText, (self.path,)


def validation_error(title: str, errors: Sequence[InvalidValueError]) -> ValidationError:
    """The error of the model with this title for errors of its values.

    In `errors()` each has the type `tofu_value`, the path in `loc`, no input, and the context
    `{"path": "disk[0].size"}`.
    """
    details = [
        InitErrorDetails(
            type=PydanticCustomError(
                ERROR_TYPE,
                # pydantic puts the path where the message has this placeholder.
                error.message.replace("{path}", "{ path }"),  # pyright: ignore[reportArgumentType]  # built at run time
                {"path": _PathText(error.path)},
            ),
            loc=tuple(step[0] for step in error.path.steps),
            input=None,
        )
        for error in errors
    ]
    error = ValidationError.from_exception_data(title, details, hide_input=True)
    assert isinstance(error, ValidationError)
    return error


def convert_error(error: pydantic_core.ValidationError, model: type[BaseModel]) -> ValidationError:
    """An error that pydantic raises for a model as one of ours, without the values."""
    return validation_error(error.title, invalid_values(error, model.model_fields))


def invalid_values(
    error: pydantic_core.ValidationError, names: Collection[str] = ()
) -> list[InvalidValueError]:
    """The single errors of an error of pydantic.

    Args:
        error: The error.
        names: The names of the fields, to suggest one for a name that is not known.
    """
    errors: list[InvalidValueError] = []
    for details in error.errors(include_url=False, include_input=False):
        steps = [AttributeStep(str(key)) for key in details["loc"]]
        context = details.get("ctx", {})
        cause, path = context.get("error"), context.get("path")
        if isinstance(path, _PathText):  # an error of ours that went through a validator
            inner_steps = path.path.steps
            outer_steps = steps[: len(steps) - len(inner_steps)]
            errors.append(InvalidValueError(details["msg"], (*outer_steps, *inner_steps)))
        elif isinstance(cause, InvalidValueError):
            for step in reversed(steps):
                cause = cause.at(step)
            errors += cause.errors if isinstance(cause, SeveralInvalidValuesError) else [cause]
        elif details["type"] in _UNKNOWN_NAME:
            inner = unknown_attribute(steps[-1].name, names if len(steps) == 1 else ())
            for step in reversed(steps[:-1]):
                inner.at(step)
            errors.append(inner)
        else:
            # The message of an exception that a validator of the user raises is the user's own.
            message = str(cause) if isinstance(cause, Exception) else details["msg"]
            errors.append(InvalidValueError(_MESSAGES.get(details["type"], message), steps))
    return errors
