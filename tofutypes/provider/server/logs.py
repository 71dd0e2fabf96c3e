"""Log lines for Terraform Core and OpenTofu ("Core"): JSON on standard error, one line a record.

Source: go-hclog, `intlogger.go`. Messages have what the author's code puts there; the library
itself logs no values.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final, TextIO, cast

_LEVELS: Final = {
    "trace": logging.DEBUG,
    "json": logging.DEBUG,
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warn": logging.WARNING,
    "error": logging.ERROR,
    "off": logging.CRITICAL + 1,
}

_LONGEST: Final = 32 << 10
"""The longest message, in characters. Core splits lines of more than 64 KiB."""

_OWN: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class CoreFormatter(logging.Formatter):
    """Formats a record as the line that Core reads, with the fields of `extra=`."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "@level": _level_name(record.levelno),
            "@message": _message(self, record),
            "@module": record.name,
            "@timestamp": datetime.fromtimestamp(record.created, UTC).strftime(
                "%Y-%m-%dT%H:%M:%S.%fZ"
            ),
        }
        extra = {
            name: _masked(value, name) for name, value in vars(record).items() if name not in _OWN
        }
        line |= {name: value for name, value in extra.items() if not name.startswith("@")}
        return json.dumps(line, default=str)


def _level_name(level: int) -> str:
    if level >= logging.ERROR:
        return "error"
    if level >= logging.WARNING:
        return "warn"
    return "info" if level >= logging.INFO else "debug"


def _message(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    text = record.getMessage()
    if record.exc_info:
        text += "\n" + formatter.formatException(record.exc_info)
    text = str(_masked(text))
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


_MASK: Final = "***"
_masked_fields: Final[set[str]] = set()
_masked_values: Final[set[str]] = set()


def mask_log_fields(*names: str) -> None:
    """Hide the values of these fields of `extra=` in all log lines, at any depth.

    (MaskFieldValuesWithFieldKeys of tflog)
    """
    _masked_fields.update(names)


def mask_log_values(*values: str) -> None:
    """Hide these texts wherever they appear in log lines, such as a token or a password.

    (MaskAllFieldValuesStrings and MaskMessageStrings of tflog)
    """
    _masked_values.update(filter(None, values))


def _masked(value: object, name: str = "") -> object:
    if name in _masked_fields:
        return _MASK
    match value:
        case dict():
            items = cast("dict[object, object]", value).items()
            return {str(_masked(str(key))): _masked(each, str(key)) for key, each in items}
        case list() | tuple():
            return [_masked(each) for each in cast("list[object]", value)]
        case bool() | int() | float() | None:
            return value
        case _:
            text = str(value)
            for secret in _masked_values:
                text = text.replace(secret, _MASK)
            return text


def log_to_core(name: str, stream: TextIO, environment: Mapping[str, str] = os.environ) -> None:
    """Make all loggers write the lines that Core reads.

    Args:
        name: The name of the provider, for the variable `TF_LOG_PROVIDER_<NAME>`.
        stream: Standard error.
        environment: Has the level: in the variable above, or else in `TF_LOG_PROVIDER` or `TF_LOG`.
            Without them, warnings and errors are logged.
    """
    _core_streams[:] = [stream]
    handler = logging.StreamHandler(stream)
    handler.setFormatter(CoreFormatter())
    logging.basicConfig(handlers=[handler], level=wanted_level(name, environment))


_core_streams: Final[list[TextIO]] = []


def core_stream() -> TextIO | None:
    """Return the stream that Core reads, for lines in its format; None if nobody reads one."""
    return _core_streams[0] if _core_streams else None


def wanted_level(name: str, environment: Mapping[str, str]) -> int:
    """The log level that the environment asks for."""
    own = f"TF_LOG_PROVIDER_{name.upper().replace('-', '_')}"
    for variable in (own, "TF_LOG_PROVIDER", "TF_LOG"):
        level = environment.get(variable, "").lower()
        if level:
            return _LEVELS.get(level, logging.DEBUG)
    return logging.WARNING
