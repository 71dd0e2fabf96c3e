"""Scenarios: what is configured step by step, and what the core does then."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tests.provider.live.terraform import Ran, Workspace

APPLY: Final = ("apply", "-auto-approve")
PLAN: Final = ("plan",)
DESTROY: Final = ("destroy", "-auto-approve")
REFRESH: Final = ("apply", "-auto-approve", "-refresh-only")
VALIDATE: Final = ("validate",)

_WITH_JSON: Final = ("apply", "destroy", "plan", "refresh", "validate")
"""Commands that can tell what they do in JSON."""


class Kept:
    """Stands for the value that was there after the step before."""


KEPT: Final = Kept()


class Changed:
    """Stands for another value than the one that was there after the step before."""


CHANGED: Final = Changed()


@dataclass(frozen=True)
class Step:
    """A command of the core, and what it is to do.

    Attributes:
        what: what this step is about.
        config: the configuration; that of the step before if it is empty.
        does: what is planned, by address; nothing else may be.
        state: what the state holds afterwards, by address: values, patterns of texts, or whether
            they were kept or changed; attributes that are not listed may be anything.
        output: the outputs afterwards.
        says: texts, or patterns of them, that are in warnings and errors, or in the plan; without
            any, there may be neither warnings nor errors.
        fails: whether the command fails.
        command: the command, and its arguments.
        settings: arguments of the provider.
        files: files that are written before.
    """

    what: str
    config: str = ""
    does: Mapping[str, str] = field(default_factory=dict)
    state: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    output: Mapping[str, object] = field(default_factory=dict)
    says: Sequence[str | re.Pattern[str]] = ()
    fails: bool = False
    command: Sequence[str] = APPLY
    settings: str | None = None
    files: Mapping[str, str] = field(default_factory=dict)


def play(
    workspace: Workspace, steps: Sequence[Step], provider: str = "harbor", **environment: str
) -> None:
    """Take the steps, and compare what happens."""
    before: dict[str, Any] = {}
    config = ""
    for step in steps:
        config = step.config or config
        workspace.configure(config, provider, step.settings)
        workspace.write(step.files)
        form = ["-json"] if step.command[0] in _WITH_JSON else []
        ran = workspace.run(*step.command, *form, **environment)
        messages = messages_of(ran)
        found = texts(messages)
        told = f"{step.what}: {found}\n{ran.err}"
        assert (ran.code != 0) == step.fails, told
        assert actions(messages) == dict(step.does), told
        for each in step.says:
            pattern = re.compile(re.escape(each)) if isinstance(each, str) else each
            assert pattern.search(found if form else ran.said), told
        assert step.says or not re.search("^(warning|error): ", found, re.MULTILINE), told
        if step.output:
            compare(step.output, workspace.output, None, f"{step.what}: outputs")
        for address, expected in step.state.items():
            attributes = workspace.attributes(address)
            compare(expected, attributes, before.get(address), f"{step.what}: {address}")
        before = {address: workspace.attributes(address) for address in workspace.addresses}


def messages_of(ran: Ran) -> list[dict[str, Any]]:
    """What a command with `-json` said. (`validate` says it in one object.)"""
    if ran.out.startswith("{\n"):
        found: dict[str, Any] = json.loads(ran.out)
        return [{"type": "diagnostic", "diagnostic": each} for each in found["diagnostics"]]
    return [json.loads(line) for line in ran.out.splitlines() if line.startswith("{")]


def actions(messages: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """What was planned, by address; `import` and `move` come with the action."""
    found: dict[str, str] = {}
    for each in messages:
        if each["type"] == "planned_change":
            change = each["change"]
            address: str = change["resource"]["addr"]
            found[address] = change["action"]
    return found


def texts(messages: Sequence[Mapping[str, Any]]) -> str:
    """What the user is told, each with the line of the configuration that it is about."""
    said: list[str] = []
    for each in messages:
        told = each.get("diagnostic")
        if told is None:
            said.append(str(each.get("@message", "")))
        elif "development overrides" not in told["summary"]:
            line = (told.get("snippet") or {}).get("code", "").strip()
            detail = " ".join(told["detail"].split())
            said.append(f"{told['severity']}: {told['summary']}: {detail} @ {line}")
    return "\n".join(said)


def compare(expected: object, found: object, before: object, where: str) -> None:
    """Compare what is stored with what is expected."""
    match expected:
        case Kept():
            assert found == before, f"{where}: {found!r} was {before!r}"
        case Changed():
            assert found != before, f"{where}: {found!r} did not change"
        case re.Pattern():
            assert expected.fullmatch(str(found)), f"{where}: {found!r}"
        case dict():
            assert isinstance(found, dict), f"{where}: {found!r}"
            for name, each in expected.items():
                old = before.get(name) if isinstance(before, dict) else None
                compare(each, found.get(name), old, f"{where}.{name}")
        case list():
            assert isinstance(found, list), f"{where}: {found!r}"
            assert len(found) == len(expected), f"{where}: {found!r}"
            old_list = before if isinstance(before, list) else []
            olds = [*old_list, *[None] * len(expected)]
            for position, each in enumerate(expected):
                compare(each, found[position], olds[position], f"{where}[{position}]")
        case _:
            assert found == expected, f"{where}: {found!r} is not {expected!r}"
