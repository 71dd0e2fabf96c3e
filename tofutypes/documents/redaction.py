"""Plans and state without what is sensitive.

First all sensitive values are collected: what marks and schemas say in changes, in state and in
outputs, and what the configuration says of variables. Then these places are rewritten, and wherever
else values stand, those that equal a sensitive one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tofutypes.comparison import structural_key
from tofutypes.documents.configuration import Configuration
from tofutypes.documents.marks import looks_secret, with_schema_marks
from tofutypes.models.secrets import mark_at
from tofutypes.narrowing import is_dict, is_list, is_number

if TYPE_CHECKING:
    from tofutypes.documents.change import Change
    from tofutypes.wire.layout import Layout

REDACTED: Final = "(sensitive)"

Marked: TypeAlias = tuple[object, object]
"""A plain value and its marks."""

_TELL_NOTHING: Final = frozenset({"", "true", "false"})
_SHORTEST_IN_TEXT: Final = 4


class Redactor:
    """Replaces sensitive values, and values that equal them.

    Args:
        sensitive: all values of the document that have sensitive parts, with their marks.
    """

    def __init__(self, sensitive: Iterable[Marked]) -> None:
        leaves = [leaf for value, marks in sensitive for leaf in _sensitive_leaves(value, marks)]
        self._secrets: frozenset[Hashable] = frozenset(map(structural_key, filter(_tells, leaves)))
        texts = {leaf for leaf in leaves if isinstance(leaf, str)}
        self._texts = sorted((t for t in texts if len(t) >= _SHORTEST_IN_TEXT), key=len)[::-1]

    def value(self, value: object, marks: object = None) -> object:
        """The value without what is sensitive."""
        if marks is True:
            return _replaced(value)
        if is_dict(value):
            return {
                key: self.value(inner, mark_at(marks, key) if marks else None)
                for key, inner in value.items()
            }
        if is_list(value):
            return [
                self.value(inner, mark_at(marks, position) if marks else None)
                for position, inner in enumerate(value)
            ]
        if _tells(value) and structural_key(value) in self._secrets:
            return _replaced(value)
        return value

    def text(self, text: object) -> object:
        """Text, such as generated configuration, without sensitive values inside of it."""
        if isinstance(text, str):
            for secret in self._texts:
                text = text.replace(secret, REDACTED)
        return text

    def members(self, json: Mapping[str, Any], *names: str) -> dict[str, Any]:
        """An object of which some members hold plain values."""
        return {n: self.value(inner) if n in names else inner for n, inner in json.items()}

    def change(self, change: Change, layout: Layout | None) -> dict[str, Any]:
        """The values of a change."""
        json = self.members(change.members, "before_identity", "after_identity", "importing")
        # What is sensitive on one side only was not known to be so on the other.
        for name in json.keys() & {"before", "after"}:
            value = self.value(json[name], with_schema_marks(json[name], None, layout))
            json[name] = self.value(self.value(value, change.before_marks), change.after_marks)
        if "generated_config" in json:
            json["generated_config"] = self.text(json["generated_config"])
        return json

    def configuration(self, json: object) -> object:
        """A configuration: its constants and defaults."""
        if is_dict(json):
            return {
                key: self.value(inner)
                if key in ("constant_value", "default")
                else self.configuration(inner)
                for key, inner in json.items()
            }
        if is_list(json):
            return [self.configuration(inner) for inner in json]
        return json


def sensitive_in_change(change: Change, layout: Layout | None) -> Iterator[Marked]:
    """The values of a change, with their marks."""
    for name in ("before", "after"):
        value = change.members.get(name)
        yield value, with_schema_marks(value, change.before_marks, layout)
        yield value, change.after_marks


def sensitive_in_configuration(configuration: Configuration) -> Iterator[Marked]:
    """Constants of providers and of sensitive variables."""
    for provider in configuration.providers.values():
        # No document says what is sensitive in the configuration of a provider.
        for path, expression in provider.expressions.items():
            if any(looks_secret(step[0]) for step in path.steps):
                yield expression.constant_value, True
    for _, module in configuration.root_module.walk():
        for variable in module.variables.values():
            if variable.sensitive:
                yield variable.default, True
        for call in module.module_calls.values():
            declared = call.module.variables
            for path, expression in call.expressions.items():
                name = path.steps[0][0]
                if isinstance(name, str) and name in declared and declared[name].sensitive:
                    yield expression.constant_value, True


def _sensitive_leaves(value: object, marks: object) -> Iterator[object]:
    if not marks:
        return
    if is_dict(value):
        for key, inner in value.items():
            yield from _sensitive_leaves(inner, mark_at(marks, key))
    elif is_list(value):
        for position, inner in enumerate(value):
            yield from _sensitive_leaves(inner, mark_at(marks, position))
    elif marks is True:
        yield value


def _tells(leaf: object) -> bool:
    """Whether a sensitive leaf is worth looking for elsewhere: not `true`, 0 or `""`."""
    if isinstance(leaf, str):
        return leaf not in _TELL_NOTHING
    return is_number(leaf) and not -10 < leaf < 10


def _replaced(value: object) -> object:
    """What stands for a sensitive value: of its kind, so that models can read it."""
    if isinstance(value, str):
        return REDACTED
    if isinstance(value, bool) or value is None:
        return None if value is None else False
    if isinstance(value, int | float | Decimal):
        return 0
    if is_dict(value) and value.keys() == {"type", "value"}:  # a dynamically typed value
        return {**value, "value": None}
    return [] if is_list(value) else {}
