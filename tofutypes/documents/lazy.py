"""Plans that stay text until a part is asked for.

A plan of 10,000 changes is 60 MB of text and 330 MB of Python objects, which the garbage collector
visits over and over. So the text of each change is kept; opening a plan parses each once, to see
where it ends and that it is JSON, and keeps the few members that all questions start from.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from tofutypes.narrowing import is_dict, is_list

_SPACE: Final = re.compile(r"[ \t\n\r]*")

LISTS: Final = frozenset({"resource_changes", "resource_drift"})
"""The members of a plan that are lists of changes."""

_LARGE: Final = frozenset({"prior_state", "planned_values", "configuration"})

Parse = Callable[[str], Any]
Scan = Callable[[str, int], tuple[Any, int]]


class UnparsedChange:
    """A change of a resource, as text.

    Attributes:
        head: its members, parsed; of `change` only `actions`.
    """

    __slots__ = ("_parse", "_text", "head")

    def __init__(self, text: str, parsed: dict[Any, Any], parse: Parse) -> None:
        self._text: Final = text
        self._parse: Final = parse
        head = {sys.intern(name): value for name, value in parsed.items()}
        if is_dict(change := head.get("change")):
            head["change"] = {"actions": change.get("actions")}
        self.head: Final = head

    def change(self) -> Any:
        """The member `change`, parsed anew: the caller may keep and change it."""
        return self._parse(self._text).get("change")

    def whole(self) -> Any:
        """All of it, parsed anew."""
        return self._parse(self._text)


class _UnparsedMember:
    __slots__ = ("_parse", "_text")

    def __init__(self, text: str, parse: Parse) -> None:
        self._text: Final = text
        self._parse: Final = parse

    def whole(self) -> Any:
        return self._parse(self._text)


class LazyDocument(Mapping[str, Any]):
    """The members of a plan, parsed when they are looked up."""

    def __init__(self, members: dict[str, Any]) -> None:
        self._members: Final = members

    def changes(self, name: str) -> Any:
        """A list of changes, each an `UnparsedChange`; whatever else is there if it is no list."""
        return self._members.get(name)

    def __getitem__(self, name: str) -> Any:
        member = self._members[name]
        if isinstance(member, _UnparsedMember):
            return member.whole()
        if name in LISTS and is_list(member):
            return [
                change.whole() if isinstance(change, UnparsedChange) else change
                for change in member
            ]
        return member

    def __contains__(self, name: object) -> bool:
        return name in self._members

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)


class NotAnObjectError(ValueError):
    """The text is not a well-formed JSON object."""


def parse_lazily(text: str, scan: Scan, parse: Parse) -> LazyDocument:
    """Find the members of a plan.

    Args:
        text: the JSON.
        scan: what parses each part once: `JSONDecoder.scan_once`.
        parse: what parses a part when it is asked for.

    Raises:
        NotAnObjectError: If it is not a JSON object. (Parse it as a whole to learn why.)
        ValueError: Likewise.
    """
    members: dict[str, Any] = {}
    try:
        position = _expect(text, _skip(text, 0), "{")
        more = text[position : position + 1] != "}"
        while more:
            name, position = scan(text, position)
            if not isinstance(name, str):
                raise NotAnObjectError
            position = _expect(text, _skip(text, position), ":")
            if name in LISTS and text[position : position + 1] == "[":
                members[name], position = _changes(text, position, scan, parse)
            else:
                start = position
                value, position = scan(text, start)
                members[name] = (
                    _UnparsedMember(text[start:position], parse) if name in _LARGE else value
                )
            position = _skip(text, position)
            more = text[position : position + 1] == ","
            if more:
                position = _expect(text, position, ",")
        position = _expect(text, position, "}")
    except StopIteration:
        raise NotAnObjectError from None
    if position != len(text):
        raise NotAnObjectError
    return LazyDocument(members)


def _changes(text: str, position: int, scan: Scan, parse: Parse) -> tuple[list[Any], int]:
    changes: list[Any] = []
    position = _expect(text, position, "[")
    more = text[position : position + 1] != "]"
    while more:
        start = position
        value, position = scan(text, start)
        changes.append(
            UnparsedChange(text[start:position], value, parse) if is_dict(value) else value
        )
        position = _skip(text, position)
        more = text[position : position + 1] == ","
        if more:
            position = _expect(text, position, ",")
    return changes, _expect(text, position, "]")


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return position if match is None else match.end()


def _expect(text: str, position: int, character: str) -> int:
    """The position of what comes after a character and the space behind it."""
    if text[position : position + 1] != character:
        raise NotAnObjectError
    return _skip(text, position + 1)
