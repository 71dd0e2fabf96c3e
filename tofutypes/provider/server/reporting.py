"""From what goes wrong to what the user is told."""

from __future__ import annotations

import logging
import sysconfig
import traceback
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path as FilePath
from typing import Final, Protocol

from tofutypes.errors import (
    AttributeStep,
    IndexStep,
    InvalidValueError,
    Path,
    TofuTypesError,
)
from tofutypes.provider.messages.diagnostics import Diagnostic, ProviderError, Severity
from tofutypes.provider.objchange.schema_parts import Part, Parts
from tofutypes.provider.proto import tfplugin6_pb2 as tfplugin6
from tofutypes.provider.server.context import Context, DeferralError
from tofutypes.schema import NestingMode
from tofutypes.types import SetType

_PYTHON: Final = sysconfig.get_path("stdlib")
_SITE: Final = "site-packages"
_LIBRARY: Final = str(FilePath(__file__).parents[2])

log: Final = logging.getLogger("tofutypes.provider")


class Answer(Protocol):
    """A response that can tell of errors."""

    @property
    def diagnostics(self) -> Diagnostics:
        """What the user is told."""
        ...


class Diagnostics(Protocol):
    """The repeated field of a response."""

    def append(self, value: tfplugin6.Diagnostic, /) -> None:
        """Add one."""
        ...


@contextmanager
def reporting(
    answer: Answer, what: str, context: Context | None = None, parts: Parts = ()
) -> Generator[None]:
    """Put what goes wrong inside, and what was said to the context, into a response.

    Args:
        answer: the response.
        what: what is being done, for errors that nobody foresaw: "create of nimbus_server".
        context: what the author's code was given.
        parts: the schema, which tells how far the core can follow a path.
    """
    diagnostics: list[Diagnostic] = []
    try:
        yield
    except DeferralError:
        raise
    except BaseException as error:  # noqa: BLE001  # whatever the author's code raises
        diagnostics = diagnostics_of(error, what)
    finally:
        for each in [*(context.diagnostics if context else ()), *diagnostics]:
            path = reachable(each.path, parts)
            detail = each.detail
            if path != each.path and str(each.path) not in f"{each.summary} {detail}":
                detail = f"{each.path}: {detail}" if detail else f"{each.path}."
            told = Diagnostic(each.severity, each.summary, detail, path)
            answer.diagnostics.append(told.to_message())


def diagnostics_of(error: BaseException, what: str) -> list[Diagnostic]:
    """What the user is told of an exception. Only our own errors are known to hold no secret."""
    match error:
        case ProviderError():
            return list(error.diagnostics)
        case TofuTypesError():  # the author's code made, changed or read what does not fit
            log.error("%s failed", what, exc_info=error)  # where, only the traceback tells
            return [Diagnostic(Severity.ERROR, "The provider is at fault", str(error))]
        case _:
            log.error("%s failed", what, exc_info=error)
            detail = (
                f"{type(error).__name__} in the {what}{place_of(error)}. This is a fault of the "
                "provider; with TF_LOG_PROVIDER=ERROR its log has the traceback."
            )
            return [Diagnostic(Severity.ERROR, "The provider failed", detail)]


def place_of(error: BaseException) -> str:
    """Where in the author's code it was raised, ` (provider.py, line 12)`; nothing if nowhere."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if not frame.filename.startswith((_LIBRARY, _PYTHON, "<")) or _SITE in frame.filename:
            return f" ({frame.filename}, line {frame.lineno})"
    return ""


def not_of_schema(error: InvalidValueError) -> ProviderError:
    """The error for a value of the core that does not fit the schema, with its path."""
    message = error.message[:1].upper() + error.message[1:]
    return ProviderError("Invalid value", f"{message}.", error.path)


def reachable(path: Path, parts: Parts) -> Path:
    """The part of a path that the core can follow: not into sets."""
    for length, step in enumerate(path.steps):
        if isinstance(step, IndexStep):
            before = path.steps[:length]
            found = _part_at(parts, Path(before))
            if found is not None and _is_set(found):
                return Path(before)
    return path


def _is_set(part: Part) -> bool:
    attribute = part.attribute
    plain = attribute is not None and isinstance(attribute.type, SetType)
    return plain or part.nesting is NestingMode.SET


def _part_at(parts: Parts, path: Path) -> Part | None:
    found: Part | None = None
    for step in path.steps:
        if not isinstance(step, AttributeStep):
            continue
        inner = parts if found is None else found.inner
        found = next((part for part in inner if part.name == step[0]), found)
    return found
