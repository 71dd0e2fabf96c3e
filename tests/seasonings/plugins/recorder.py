"""A plugin that records all that it gets to see, and does what the environment asks for."""

import json
import os
import sys
from pathlib import Path
from typing import Any

from tofutypes.seasonings import Change, Plugin, Stage

plugin = Plugin(sys.argv[1] if len(sys.argv) > 1 else "recorder", version="1")


def record(hook: str, subject: Change[dict[str, Any]] | Stage) -> None:
    entry: dict[str, Any] = {
        "plugin": plugin.name,
        "hook": hook,
        "metadata": dict(subject.metadata),
    }
    if isinstance(subject, Change):
        entry |= {
            "mode": subject.resource_mode,
            "type": subject.resource_type,
            "provider": subject.provider,
            "action": subject.action,
            "values": {
                name: repr(getattr(subject, name)) for name in ("before", "after", "config")
            },
            "redacted": [str(path) for path in subject.redacted],
        }
    else:
        entry |= {"command": list(subject.command), "error": subject.error}
        entry["resources"] = [repr((change, change.after)) for change in subject.changes]
    with Path(os.environ["RECORD"]).open("a") as file:
        file.write(json.dumps(entry) + "\n")
    subject.add_metadata(saw=hook)
    act(hook, subject)


def act(hook: str, subject: Change[dict[str, Any]] | Stage) -> None:
    wanted, _, subject_type = os.environ.get(f"ON_{hook.upper()}", "").partition(" ")
    if subject_type and getattr(subject, "resource_type", None) != subject_type:
        return
    match wanted:
        case "fail":
            subject.fail(f"{hook} says no", path="length", detail="Ask somebody else.")
        case "warn":
            subject.warn(f"{hook} is not happy")
        case "raise":
            raise ValueError("a secret")
        case "die":
            os._exit(3)


@plugin.pre_plan
def pre_plan(change: Change[dict[str, Any]]) -> None:
    record("pre_plan", change)


@plugin.post_plan
def post_plan(change: Change[dict[str, Any]]) -> None:
    record("post_plan", change)


@plugin.pre_apply
def pre_apply(change: Change[dict[str, Any]]) -> None:
    record("pre_apply", change)


@plugin.post_apply
def post_apply(change: Change[dict[str, Any]]) -> None:
    record("post_apply", change)


@plugin.pre_refresh
def pre_refresh(change: Change[dict[str, Any]]) -> None:
    record("pre_refresh", change)


@plugin.post_refresh
def post_refresh(change: Change[dict[str, Any]]) -> None:
    record("post_refresh", change)


@plugin.plan_stage_start
def plan_start(stage: Stage) -> None:
    record("plan_start", stage)


@plugin.plan_stage_complete
def plan_complete(stage: Stage) -> None:
    record("plan_complete", stage)


@plugin.plan_stage_fail
def plan_fail(stage: Stage) -> None:
    record("plan_fail", stage)


@plugin.apply_stage_complete
def apply_complete(stage: Stage) -> None:
    record("apply_complete", stage)


plugin.run()
