"""Where lines break: in the style of ruff and black, so that formatters change nothing.

A bracket that does not fit is broken: what is inside goes to a line of its own, and if it does not
fit there either, each part does, followed by a comma.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

WIDTH: Final = 88
"""How long a line may be: the default of ruff and black."""

INDENT: Final = "    "


def bracketed(head: str, parts: Sequence[str], tail: str, indent: str = "") -> str:
    """`head`, the parts, and `tail`, which close one bracket: on one line if it fits.

    Args:
        head: what stands before the parts, with the opening bracket and the indentation.
        parts: what stands in the bracket.
        tail: the closing bracket, and what stands behind it.
        indent: the indentation of the line.
    """
    line = head + ", ".join(parts) + tail
    if len(line) <= WIDTH or not parts:
        return line
    inside = indent + INDENT + ", ".join(parts)
    if len(inside) <= WIDTH:
        return f"{head}\n{inside}\n{indent}{tail}"
    return exploded(head, parts, tail, indent)


def exploded(head: str, parts: Sequence[str], tail: str, indent: str = "") -> str:
    """The same with each part on a line of its own."""
    inside = "".join(f"{indent}{INDENT}{part},\n" for part in parts)
    return f"{head}\n{inside}{indent}{tail}"


def annotated(head: str, types: Sequence[str], value: str, arguments: Sequence[str]) -> str:
    """The declaration of a field in a class body.

    Args:
        head: `    name: Attr[`.
        types: what stands in the brackets.
        value: `Attr`, what is called for the value; there is none if there are no arguments.
        arguments: the arguments of the call.
    """
    if not arguments:
        line = f"{head}{', '.join(types)}]"
        return line if len(line) <= WIDTH else _types_broken(head, types, "]")
    line = f"{head}{', '.join(types)}] = {value}("
    if len(line) <= WIDTH:
        return bracketed(line, arguments, ")", INDENT)
    if len(types) == 1:
        line = f"{head}{types[0]}] = ("
        if len(line) <= WIDTH:
            call = bracketed(f"{INDENT * 2}{value}(", arguments, ")", INDENT * 2)
            return f"{line}\n{call}\n{INDENT})"
    *lines, last = _types_broken(head, types, f"] = {value}(").split("\n")
    return "\n".join([*lines, bracketed(last, arguments, ")", INDENT)])


def _types_broken(head: str, types: Sequence[str], tail: str) -> str:
    indent = INDENT * 2
    # With a comma behind it, a single type would be a tuple.
    comma = "," if len(types) > 1 else ""
    inside = "".join(f"{indent}{broken(each, indent, comma)}{comma}\n" for each in types)
    return f"{head}\n{inside}{INDENT}{tail}"


def broken(text: str, indent: str, comma: str = "", before: str = "") -> str:
    """An annotation, broken if it does not fit.

    Args:
        text: the annotation.
        indent: the indentation of its line.
        comma: what stands behind it.
        before: what stands before it in the line.
    """
    if len(f"{indent}{before}{text}{comma}") <= WIDTH:
        return text
    base, *members = _members(text)
    if members:
        first = broken(base, indent, before=before)
        return "\n".join([first, *(f"{indent}| {each}" for each in members)])
    name, bracket, inner = text.removesuffix("]").partition("[")
    if not bracket:
        return text
    deeper = indent + INDENT
    parts = _split(inner)
    if len(parts) == 1 or len(f"{deeper}{inner}") <= WIDTH:
        return f"{name}[\n{deeper}{broken(inner, deeper)}\n{indent}]"
    lines = "".join(f"{deeper}{broken(part, deeper, ',')},\n" for part in parts)
    return f"{name}[\n{lines}{indent}]"


def _members(text: str) -> list[str]:
    """The members of a union; only the first may have brackets."""
    bracket = text.rfind("]") + 1
    first, *others = text[bracket:].split(" | ")
    return [text[:bracket] + first, *others]


def _split(inner: str) -> list[str]:
    """The parts between the outermost commas."""
    parts, depth = [""], 0
    for char in inner:
        depth += (char == "[") - (char == "]")
        if char == "," and not depth:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts]
