"""Line breaks in the style of ruff and black, so that formatters change nothing.

If a bracket does not fit into its line, its content goes to a line of its own; if the content does
not fit there either, each part goes to a line of its own, followed by a comma.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

WIDTH: Final = 88
"""The length limit of a line: the default of ruff and black."""

INDENT: Final = "    "


def bracketed(head: str, parts: Sequence[str], tail: str, indent: str = "") -> str:
    """A bracket with its parts, on one line if it fits.

    Args:
        head: The text up to the opening bracket, with the indentation.
        parts: The parts in the bracket.
        tail: The closing bracket and the text behind it.
        indent: The indentation of the line.
    """
    line = head + ", ".join(parts) + tail
    if len(line) <= WIDTH or not parts:
        return line
    inside = indent + INDENT + ", ".join(parts)
    if len(inside) <= WIDTH:
        return f"{head}\n{inside}\n{indent}{tail}"
    return exploded(head, parts, tail, indent)


def exploded(head: str, parts: Sequence[str], tail: str, indent: str = "") -> str:
    """A bracket with each part on a line of its own; see `bracketed`."""
    inside = "".join(f"{indent}{INDENT}{part},\n" for part in parts)
    return f"{head}\n{inside}{indent}{tail}"


def annotated(head: str, types: Sequence[str], value: str, arguments: Sequence[str] | None) -> str:
    """The declaration of a field in a class body.

    Args:
        head: `    name: Attr[`, or `    name: NumberAttr` if there are no types.
        types: The types in the brackets.
        value: The name that is called for the value, such as `Attr`. A declaration without
            arguments has no value.
        arguments: The arguments of the call; None if the value is a constant.
    """
    if arguments is None:
        return _constant(head, types, value)
    if not types:
        line = f"{head} = {value}("
        return bracketed(line, arguments, ")", INDENT) if arguments else head
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


def _constant(head: str, types: Sequence[str], value: str) -> str:
    left = f"{head}{', '.join(types)}]" if types else head
    if len(f"{left} = {value}") <= WIDTH or not types:
        return f"{left} = {value}"
    if len(types) == 1 and len(left) + len(" = (") <= WIDTH:
        return f"{left} = (\n{INDENT * 2}{value}\n{INDENT})"
    return _types_broken(head, types, f"] = {value}")


def _types_broken(head: str, types: Sequence[str], tail: str) -> str:
    indent = INDENT * 2
    # With a trailing comma a single type would be a tuple.
    comma = "," if len(types) > 1 else ""
    inside = "".join(f"{indent}{broken(type_, indent, comma)}{comma}\n" for type_ in types)
    return f"{head}\n{inside}{INDENT}{tail}"


def broken(text: str, indent: str, comma: str = "", before: str = "") -> str:
    """An annotation, with line breaks if it does not fit.

    Args:
        text: The annotation.
        indent: The indentation of its line.
        comma: The text behind it.
        before: The text before it in the line.
    """
    if len(f"{indent}{before}{text}{comma}") <= WIDTH:
        return text
    base, *members = _members(text)
    if members:
        first = broken(base, indent, before=before)
        return "\n".join([first, *(f"{indent}| {member}" for member in members)])
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
