"""From exceptions of the author's code to the diagnostics that the user reads."""

from __future__ import annotations

import logging
import os
import sysconfig
import traceback
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path as FilePath
from typing import Final

from tofutypes.errors import (
    IndexStep,
    InvalidValueError,
    NullValueError,
    Path,
    TofuTypesError,
    UnknownValueError,
)
from tofutypes.provider.objchange.planning import part_at
from tofutypes.provider.objchange.schema_parts import Part, Parts
from tofutypes.provider.server.context import Context, DeferralError
from tofutypes.provider.server.provider_bugs import PROVIDER_AT_FAULT
from tofutypes.provider.service.deferral import DeferredReason
from tofutypes.provider.service.diagnostics import Diagnostic, ProviderError, Severity
from tofutypes.schema import NestingMode
from tofutypes.types import SetType

_PYTHON: Final = sysconfig.get_path("stdlib")
_SITE: Final = "site-packages"
_LIBRARY: Final = f"{FilePath(__file__).parents[2]}{os.sep}"

log: Final = logging.getLogger("tofutypes.provider")


class Report:
    """What a call reports beside its values.

    Attributes:
        context: The context that the author's code received.
        diagnostics: The errors and warnings.
        deferred: Why the call was deferred; None if it was not.
    """

    def __init__(self, context: Context | None) -> None:
        self.context = context
        self.diagnostics: tuple[Diagnostic, ...] = ()
        self.deferred: DeferredReason | None = None


@contextmanager
def reporting(what: str, context: Context | None = None, parts: Parts = ()) -> Generator[Report]:
    """Run a call, and collect what goes wrong and what the author's code reported.

        with reporting("reading of nimbus_server", context, parts) as report:
            state = handler.read(state, context)
        return ReadResourceResponse(diagnostics=report.diagnostics, deferred=report.deferred)

    Args:
        what: What is being done, for unexpected exceptions: "creation of nimbus_server".
        context: The context that the author's code receives; `report.context` if it is made later.
        parts: The schema, which tells how far Core can follow a path.
    """
    report = Report(context)
    raised: list[Diagnostic] = []
    try:
        yield report
    except DeferralError as deferral:
        report.deferred = deferral.reason
    except BaseException as error:  # noqa: BLE001  # whatever the author's code raises
        raised = diagnostics_of(error, what)
    finally:
        reported = [*(report.context.diagnostics if report.context else ()), *raised]
        report.diagnostics = tuple(_as_far_as_reachable(each, parts) for each in reported)


def _as_far_as_reachable(diagnostic: Diagnostic, parts: Parts) -> Diagnostic:
    path, detail = reachable(diagnostic.path, parts), diagnostic.detail
    if path == diagnostic.path:
        return diagnostic
    if str(diagnostic.path) not in f"{diagnostic.summary} {detail}":
        detail = f"{diagnostic.path}: {detail}" if detail else f"{diagnostic.path}."
    return Diagnostic(diagnostic.severity, diagnostic.summary, detail, path)


def diagnostics_of(error: BaseException, what: str) -> list[Diagnostic]:
    """Return the diagnostics of an exception. Only messages of our own errors hold no secret."""
    match error:
        case ProviderError():
            return list(error.diagnostics)
        case TofuTypesError():  # the author's code made, changed or read a value that does not fit
            log.error("%s failed", what, exc_info=error)  # the traceback shows where
            return [Diagnostic(Severity.ERROR, PROVIDER_AT_FAULT, f"{error}{place_of(error)}")]
        case _:
            log.error("%s failed", what, exc_info=error)
            detail = (
                f"{type(error).__name__} in the {what}{place_of(error)}. This is a fault of the "
                "provider; with TF_LOG_PROVIDER=ERROR its log has the traceback."
            )
            return [Diagnostic(Severity.ERROR, "The provider failed", detail)]


def place_of(error: BaseException) -> str:
    """Return where the author's code raised an exception: ` (provider.py, line 12)`, or "".

    The code of that line goes along for unknown and missing values: it names the attribute.
    """
    shows = isinstance(error, NullValueError | UnknownValueError)
    return author_place(traceback.extract_tb(error.__traceback__), code=shows)


def author_place(stack: traceback.StackSummary, *, code: bool = False) -> str:
    """Return the innermost place of a stack that is in the author's code, or "".

    Args:
        stack: The files and lines, the innermost last.
        code: Whether the code of the line goes along.
    """
    for frame in reversed(stack):
        if _is_authors(frame.filename):
            line = f": `{frame.line}`" if code else ""
            return f" ({frame.filename}, line {frame.lineno}{line})"
    return ""


def _is_authors(file: str) -> bool:
    # Providers are installed among the packages of Python, as the library itself is.
    if file.startswith((_LIBRARY, "<")):
        return False
    return _SITE in file or not file.startswith(_PYTHON)


def not_of_schema(error: InvalidValueError) -> ProviderError:
    """Make the error for a value from Core that does not fit the schema."""
    message = error.message[:1].upper() + error.message[1:]
    return ProviderError("Invalid value", f"{message}.", error.path)


def reachable(path: Path, parts: Parts) -> Path:
    """Cut a path where Core cannot follow it: at the elements of a set."""
    for length, step in enumerate(path.steps):
        if isinstance(step, IndexStep):
            collection = Path(path.steps[:length])
            part = part_at(parts, collection)
            if part is not None and _is_set(part):
                return collection
    return path


def _is_set(part: Part) -> bool:
    attribute = part.attribute
    plain = attribute is not None and isinstance(attribute.type, SetType)
    return plain or part.nesting is NestingMode.SET
