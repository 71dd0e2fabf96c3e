"""Python literals in the style of ruff and black."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from tofutypes.models.docstrings import text_of
from tofutypes.schema import StringKind


def literal(value: object) -> str:
    """The literal of a keyword of a field or a class."""
    if isinstance(value, StringKind):
        return f"StringKind.{value.name}"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value).items()
        return f"{{{', '.join(f'{literal(key)}: {_inner(item)}' for key, item in pairs)}}}"
    if isinstance(value, frozenset):
        names = sorted(map(literal, cast("frozenset[object]", value)))
        return f"frozenset({{{', '.join(names)}}})"
    if isinstance(value, list):
        return f"[{', '.join(map(_inner, cast('list[object]', value)))}]"
    return repr(value)


def _inner(value: object) -> str:
    """A value inside another. Empty collections have their type, which pyright cannot infer."""
    if value == {}:
        return "dict[str, object]()"
    return "list[object]()" if value == [] else literal(value)


def quoted(text: str) -> str:
    """A string literal: double quotes, unless single ones need fewer backslashes."""
    quote = "'" if text.count('"') > text.count("'") else '"'
    escaped = "".join(_escaped(char) for char in text)
    return quote + escaped.replace(quote, f"\\{quote}") + quote


def docstring(description: str, indent: str) -> str:
    """A docstring with this text, each line indented; "" for an empty text."""
    text = _as_read(text_of(description))
    if not text:
        return ""
    escaped = "".join(char if char == "\n" else _escaped(char) for char in text)
    escaped = escaped.replace('"""', r"\"\"\"")
    if escaped.startswith('"'):  # a fourth quote in a row is hard to read
        escaped = f" {escaped}"
    if "\n" not in escaped:
        # A quote before the closing quotes would be read as one of them.
        space = " " if _ends_with_quote(escaped) else ""
        return f'{indent}"""{escaped}{space}"""\n'
    lines = [f"{indent}{line}" if line else "" for line in escaped.split("\n")]
    return f'{indent}"""' + "\n".join(lines)[len(indent) :] + f'\n{indent}"""\n'


def is_docstring(description: str) -> bool:
    """Whether a docstring can hold the description exactly."""
    return bool(description) and _as_read(description) == description


def _as_read(text: str) -> str:
    """The text as `inspect.cleandoc` returns it from a docstring."""
    return text_of("\n    ".join(text.split("\n")))


def _ends_with_quote(escaped: str) -> bool:
    """Whether the text ends with a quote that is not escaped."""
    before = escaped.removesuffix('"')
    return before != escaped and (len(before) - len(before.rstrip("\\"))) % 2 == 0


def _escaped(char: str) -> str:
    if char == "\\":
        return "\\\\"
    if char.isprintable():
        return char
    if char in _SHORT:
        return _SHORT[char]
    code = ord(char)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


_SHORT = {"\n": r"\n", "\t": r"\t", "\r": r"\r"}
