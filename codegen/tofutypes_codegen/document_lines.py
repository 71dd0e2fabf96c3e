"""A plan or a state as lines for people. No line has a sensitive value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Final

from tofutypes.documents import (
    Difference,
    OutputChange,
    Plan,
    ResourceAddress,
    ResourceChange,
    State,
    StateResource,
)
from tofutypes.documents.differences import find_differences
from tofutypes.documents.redaction import REDACTED
from tofutypes.documents.writing import dump
from tofutypes.errors import Path, one_line
from tofutypes.narrowing import is_dict, is_list
from tofutypes.unknown import Unknown
from tofutypes_codegen.styled_text import Line

Hidden = Callable[[object], object]
"""Replaces what equals a sensitive value of the document."""

_LONGEST: Final = 100
"""How many characters of a value are shown."""

_KINDS: Final = (
    ("is_replace", "-/+", "magenta", "replace"),
    ("is_create", "+", "green", "create"),
    ("is_update", "~", "yellow", "change"),
    ("is_delete", "-", "red", "destroy"),
    ("is_read", "<=", "cyan", "read"),
    ("is_forget", ".", "blue", "forget"),
    ("is_no_op", " ", "dim", "no change"),
)
_REASONS: Final = {
    "replace_because_tainted": "it is tainted",
    "replace_because_cannot_update": "",
    "replace_by_request": "it was requested",
    "replace_by_triggers": "a resource in replace_triggered_by changes",
    "delete_because_no_resource_config": "it is not in the configuration",
    "delete_because_no_module": "its module is not in the configuration",
    "delete_because_wrong_repetition": "it has no such instance",
    "delete_because_count_index": "its index is out of range of count",
    "delete_because_each_key": "its key is not in for_each",
    "delete_because_enabled_false": "it is not enabled",
    "read_because_config_unknown": "its configuration is not known yet",
    "read_because_dependency_pending": "something that it depends on changes",
    "read_because_check_nested": "a check block reads it",
}


def document_lines(document: Plan | State, only: Sequence[str]) -> Iterator[Line]:
    """The lines of a document.

    Args:
        document: the plan or the state.
        only: globs of types and addresses; all resources without any.
    """
    if isinstance(document, Plan):
        yield from _plan_lines(document, only)
    else:
        yield from _state_lines(document, only)


def _plan_lines(plan: Plan, only: Sequence[str]) -> Iterator[Line]:
    hidden = plan.redactor.value
    if plan.errored:
        yield [("Planning failed: this plan is not complete.", "bold red")]
        yield []
    drift = [change for change in plan.resource_drift if _matches(change.address, only)]
    if drift:
        yield [("Changed outside of OpenTofu and Terraform:", "bold")]
        yield []
        for change in drift:
            yield from _change_lines(change, hidden)
    changes = [change for change in plan.resource_changes if _matches(change.address, only)]
    shown = [change for change in changes if not change.is_no_op or _is_moved(change)]
    for change in shown:
        yield from _change_lines(change, hidden)
    for deferred in plan.deferred_changes:
        if _matches(deferred.resource_change.address, only):
            yield [(f"Deferred ({deferred.reason or 'no reason'}):", "bold")]
            yield from _change_lines(deferred.resource_change, hidden)
    if not only:
        yield from _output_lines(plan)
        yield from _check_lines(plan)
    yield _summary(changes)


def _summary(changes: Iterable[ResourceChange]) -> Line:
    counts = dict.fromkeys((word for *_, word in _KINDS), 0)
    imported = 0
    for change in changes:
        counts[_kind(change)[2]] += 1
        imported += change.importing is not None
    if not imported and not any(n for word, n in counts.items() if word != "no change"):
        return [("No changes.", "bold")]
    told = [f"{counts[word]} to {word}" for word in ("create", "change", "replace", "destroy")]
    told += [f"{counts[word]} to {word}" for word in ("read", "forget") if counts[word]]
    if imported:
        told.append(f"{imported} to import")
    return [("Plan: ", "bold"), (", ".join(told), "")]


def _kind(change: ResourceChange | OutputChange) -> tuple[str, str, str]:
    for test, sign, style, word in _KINDS:
        if getattr(change, test):
            return sign, style, word
    return "?", "bold", "change"


def _is_moved(change: ResourceChange) -> bool:
    return change.previous_address is not None or change.importing is not None


def _change_lines(change: ResourceChange, hidden: Hidden) -> Iterator[Line]:
    sign, style, word = _kind(change)
    head: Line = [(f"{sign:>3} ", f"bold {style}"), (one_line(change.address), "bold")]
    if change.deposed:
        head.append((f" (deposed object {one_line(change.deposed)})", ""))
    head.append((f"  {word}", style))
    if change.action_reason:
        reason = _REASONS.get(change.action_reason, change.action_reason.replace("_", " "))
        head.append((f", because {one_line(reason)}" if reason else "", style))
    if change.previous_address is not None:
        head.append((f", moved from {one_line(change.previous_address)}", "cyan"))
    if change.importing is not None:
        head.append((", imported", "cyan"))
    yield head
    if not change.is_delete and not change.is_no_op:
        forcing = set(change.replace_paths)
        for difference in change.difference():
            if difference.before is None and difference.after in ([], {}):
                continue
            forces = _forces(difference.path, forcing)
            yield from _difference_lines(difference, hidden, forces=forces)
    yield []


def _forces(path: Path, forcing: set[Path]) -> bool:
    return any(
        path.steps[: len(other.steps)] == other.steps
        or other.steps[: len(path.steps)] == path.steps
        for other in forcing
    )


def _difference_lines(difference: Difference, hidden: Hidden, *, forces: bool) -> Iterator[Line]:
    line: Line = [(f"      {difference.path}: ", "")]
    if difference.sensitive:
        line.append(("(sensitive)", "italic"))
    else:
        if difference.before is not None:
            line += [(_value(hidden(difference.before)), "red"), (" → ", "dim")]
        style = "cyan" if isinstance(difference.after, Unknown) else "green"
        line.append((_value(hidden(difference.after)), style))
    if forces:
        line.append(("  forces replacement", "magenta"))
    yield line


def _value(value: object) -> str:
    """A value in one line: JSON, with words for what is unknown."""
    if isinstance(value, Unknown):
        return "(known after apply)"
    if value == REDACTED:
        return REDACTED
    text = one_line(dump(_words(value)))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _words(value: object) -> object:
    if isinstance(value, Unknown):
        return "(known after apply)"
    if is_dict(value):
        return {name: _words(inner) for name, inner in value.items()}
    return [_words(inner) for inner in value] if is_list(value) else value


def _output_lines(plan: Plan) -> Iterator[Line]:
    outputs = {name: output for name, output in plan.output_changes.items() if not output.is_no_op}
    if not outputs:
        return
    yield [("Outputs:", "bold")]
    for name, output in outputs.items():
        sign, style, _ = _kind(output)
        line: Line = [(f"{sign:>3} ", f"bold {style}"), (f"{one_line(name)}: ", "")]
        if output.holds_sensitive():
            line.append(("(sensitive)", "italic"))
        elif not output.is_delete:
            if output.before is not None:
                line += [(_value(plan.redactor.value(output.before)), "red"), (" → ", "dim")]
            line.append((_value(plan.redactor.value(output.after)), "green"))
        yield line
    yield []


def _check_lines(plan: Plan) -> Iterator[Line]:
    failed = [check for check in plan.checks if check.status in ("fail", "error")]
    for check in failed:
        yield [("Check failed: ", "bold red"), (one_line(check.address), "")]
        for instance in check.instances:
            yield from ([(f"      {one_line(problem)}", "")] for problem in instance.problems)
    if failed:
        yield []


def _state_lines(state: State, only: Sequence[str]) -> Iterator[Line]:
    resources = [resource for resource in state.resources if _matches(resource.address, only)]
    for resource in resources:
        yield from _resource_lines(resource, state.redactor.value)
    if not only and state.outputs:
        yield [("Outputs:", "bold")]
        for name, output in state.outputs.items():
            shown = state.redactor.value(output.members.get("value"))
            text = REDACTED if output.is_sensitive else _value(shown)
            yield [(f"    {one_line(name)}: {text}", "")]
        yield []
    many = "resource" if len(resources) == 1 else "resources"
    yield [("State: ", "bold"), (f"{len(resources)} {many}", "")]


def _resource_lines(resource: StateResource, hidden: Hidden) -> Iterator[Line]:
    head: Line = [("    ", ""), (one_line(resource.address), "bold")]
    if resource.deposed_key:
        head.append((f" (deposed object {one_line(resource.deposed_key)})", "yellow"))
    if resource.is_tainted:
        head.append(("  tainted", "red"))
    yield head
    values = resource.plain_values
    if values is not None:
        for difference in find_differences(None, values, resource.layout, None, values.marks):
            if difference.after in ([], {}):
                continue
            text = "(sensitive)" if difference.sensitive else _value(hidden(difference.after))
            yield [(f"      {difference.path}: {text}", "")]
    yield []


def _matches(address: ResourceAddress, only: Sequence[str]) -> bool:
    return not only or any(
        fnmatchcase(text, glob) for glob in only for text in (address.type, address)
    )
