"""The error of values that do not fit a model: pydantic's and ours at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, Self

import pydantic_core
from pydantic_core import InitErrorDetails, PydanticCustomError

from tofutypes.errors import (
    AttributeStep,
    InvalidValueError,
    Path,
    Step,
    TofuTypesError,
)

_MESSAGES: Final = {
    "missing": "missing required attribute",
    "extra_forbidden": "unknown attribute or nested block",
    "unexpected_keyword_argument": "unknown attribute or nested block",
    "no_such_attribute": "unknown attribute or nested block",
    "invalid_key": "expected a string as key",
    "model_type": "expected an object",
    "model_attributes_type": "expected an object",
}
"""Our words for the troubles that pydantic itself finds."""


class SeveralInvalidValuesError(InvalidValueError):
    """Several values inside one value that do not conform; each with its own path.

    Attributes:
        errors: the single errors.
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
    """Values that do not fit a model. Says of each where it is and what was expected there.

    It is a `pydantic.ValidationError` too; the values themselves are in neither.
    """

    __slots__ = ()

    def __str__(self) -> str:
        lines = [_line(error.get("ctx", {}).get("path"), error["msg"]) for error in self.errors()]
        if len(lines) == 1:
            return lines[0]
        return "\n".join([f"{len(lines)} values do not fit {self.title}:", *lines])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        contexts: list[dict[str, Any]] = [each.get("ctx", {}) for each in self.errors()]
        found = [(each["message"], each["path"].steps) for each in contexts]
        return _restored, (self.title, found)


def _restored(title: str, found: Sequence[tuple[str, tuple[Step, ...]]]) -> ValidationError:
    return validation_error(title, [InvalidValueError(*each) for each in found])


def validation_error(title: str, errors: Sequence[InvalidValueError]) -> ValidationError:
    """The error of a model for the errors of its values."""
    details = [
        InitErrorDetails(
            # The message is a value of the context, so that no brace in it is a placeholder.
            type=PydanticCustomError(
                "tofu_value", "{message}", {"message": error.message, "path": error.path}
            ),
            loc=tuple(step[0] for step in error.path.steps),
            input=None,
        )
        for error in errors
    ]
    made = ValidationError.from_exception_data(title, details, hide_input=True)
    assert isinstance(made, ValidationError)
    return made


def invalid_values(error: pydantic_core.ValidationError) -> list[InvalidValueError]:
    """The errors inside an error of pydantic."""
    found: list[InvalidValueError] = []
    for each in error.errors(include_url=False, include_input=False):
        steps = [AttributeStep(str(key)) for key in each["loc"]]
        context = each.get("ctx", {})
        cause, path = context.get("error"), context.get("path")
        if isinstance(path, Path):  # an error of ours that went through a validator
            outer = steps[: len(steps) - len(path.steps)]
            found.append(InvalidValueError(context["message"], (*outer, *path.steps)))
        elif isinstance(cause, InvalidValueError):
            for step in reversed(steps):
                cause = cause.at(step)
            found += cause.errors if isinstance(cause, SeveralInvalidValuesError) else [cause]
        else:
            # What a validator of the user's raises speaks for itself.
            said = str(cause) if isinstance(cause, Exception) else each["msg"]
            message = _MESSAGES.get(each["type"], said)
            found.append(InvalidValueError(message, steps))
    return found


def _line(path: Path | None, message: str) -> str:
    return f"{path}: {message}" if path else message
