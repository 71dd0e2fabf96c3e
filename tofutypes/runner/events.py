"""What `plan -json` and `apply -json` tell while they run, one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tofutypes.documents import ResourceAddress
from tofutypes.errors import DocumentError
from tofutypes.narrowing import is_dict
from tofutypes.runner.diagnostics import Diagnostic, read_diagnostic


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a run.

    Attributes:
        type: what: `planned_change`, `apply_start`, `apply_complete`, `diagnostic`, `log`…
        message: the same for people.
        level: `info`, `warn` or `error`.
        timestamp: when (RFC 3339).
        resource: the resource that it is about, if it is about one.
        action: what is done to the resource, `create`.
        diagnostic: what is wrong, if it is a `diagnostic`.
        json: all of it.
    """

    type: str
    message: str
    level: str
    timestamp: str
    resource: ResourceAddress | None
    action: str | None
    diagnostic: Diagnostic | None
    json: Mapping[str, Any]


def read_event(line: bytes) -> Event | None:
    """The event of a line; None if the line is none."""
    try:
        parsed: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not is_dict(parsed) or "@message" not in parsed:
        return None
    about = parsed.get("hook", parsed.get("change"))
    members: Mapping[Any, Any] = about if is_dict(about) else {}
    return Event(
        type=_text(parsed.get("type")) or "log",
        message=_text(parsed.get("@message")) or "",
        level=_text(parsed.get("@level")) or "info",
        timestamp=_text(parsed.get("@timestamp")) or "",
        resource=_address(members.get("resource")),
        action=_text(members.get("action")),
        diagnostic=read_diagnostic(parsed.get("diagnostic")),
        json={str(name): value for name, value in parsed.items()},
    )


def _address(resource: object) -> ResourceAddress | None:
    text = _text(resource.get("addr")) if is_dict(resource) else None
    try:
        return None if text is None else ResourceAddress(text)
    except DocumentError:
        return None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
