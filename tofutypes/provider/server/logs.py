"""Logs as the core reads them: a line of JSON on standard error for each record.

Source: go-hclog, `intlogger.go`. Messages may hold whatever the author's code puts
there; the library itself logs no values.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final, TextIO

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
"""Characters of a message; of a longer line than 64 KiB the core makes several."""

_OWN: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class CoreFormatter(logging.Formatter):
    """Makes of each record the line that the core reads; what `extra=` has goes along."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "@level": _level_name(record.levelno),
            "@message": _message(self, record),
            "@module": record.name,
            "@timestamp": datetime.fromtimestamp(record.created, UTC).strftime(
                "%Y-%m-%dT%H:%M:%S.%fZ"
            ),
        }
        said = {name: value for name, value in vars(record).items() if name not in _OWN}
        line |= {name: value for name, value in said.items() if not name.startswith("@")}
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
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def log_to_core(name: str, stream: TextIO, environment: Mapping[str, str] = os.environ) -> None:
    """Let all loggers write what the core wants to hear.

    Args:
        name: the name of the provider, for the variable `TF_LOG_PROVIDER_<NAME>`.
        stream: standard error.
        environment: tells the level: the variable above, or else `TF_LOG_PROVIDER`, or `TF_LOG`.
            Warnings and errors, if none does.
    """
    handler = logging.StreamHandler(stream)
    handler.setFormatter(CoreFormatter())
    logging.basicConfig(handlers=[handler], level=wanted_level(name, environment))


def wanted_level(name: str, environment: Mapping[str, str]) -> int:
    """The level that the environment asks for."""
    own = f"TF_LOG_PROVIDER_{name.upper().replace('-', '_')}"
    for variable in (own, "TF_LOG_PROVIDER", "TF_LOG"):
        found = environment.get(variable, "").lower()
        if found:
            return _LEVELS.get(found, logging.DEBUG)
    return logging.WARNING
