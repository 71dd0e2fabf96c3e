"""Where lines break."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tofutypes_codegen.layout import INDENT, WIDTH, annotated, bracketed, broken, exploded

LONG = "x" * 70
WORDS = ["one=1", "two=2"]


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ([], "function()"),
        (WORDS, "function(one=1, two=2)"),
        (["y" * 78], f"function({'y' * 78})"),
        (["y" * 79], f"function(\n    {'y' * 79}\n)"),
        ([LONG, "y" * 8], f"function(\n    {LONG}, {'y' * 8}\n)"),
        ([LONG, "y" * 13], f"function(\n    {LONG},\n    {'y' * 13},\n)"),
        (["y" * 85], f"function(\n    {'y' * 85},\n)"),
    ],
)
def test_brackets(parts: list[str], text: str) -> None:
    assert bracketed("function(", parts, ")") == text


def test_exploded() -> None:
    assert exploded("    f(", WORDS, ")", INDENT) == "    f(\n        one=1,\n        two=2,\n    )"


A = "Nullable[Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]"
B = "Nullable[Bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb]"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("str | None", "str | None"),
        (f"dict[str, {A}] | None", f"dict[str, {A}] | None"),
        (f"tuple[{'a' * 40}, {'b' * 41}]", f"tuple[\n    {'a' * 40}, {'b' * 41}\n]"),
        (f"tuple[{A}, {B}]", f"tuple[\n    {A},\n    {B},\n]"),
        (f"tuple[{A}, {B}] | None", f"tuple[\n    {A},\n    {B},\n]\n| None"),
        (f"tuple[{A}, {B}] | Unknown | None", f"tuple[\n    {A},\n    {B},\n]\n| Unknown\n| None"),
        (f"list[tuple[{A}, {B}]]", f"list[\n    tuple[\n        {A},\n        {B},\n    ]\n]"),
        (f"{LONG} | {LONG}", f"{LONG}\n| {LONG}"),
        ("y" * 100, "y" * 100),
    ],
)
def test_annotations(text: str, lines: str) -> None:
    assert broken(text, "") == lines


@pytest.mark.parametrize(
    ("types", "arguments", "text"),
    [
        (["str"], [], "    name: Attr[str]"),
        (["str"], ["required=True"], "    name: Attr[str] = Attr(required=True)"),
        (
            ["str"],
            ["required=True", f'name="{"n" * 40}"'],
            f'    name: Attr[str] = Attr(\n        required=True, name="{"n" * 40}"\n    )',
        ),
        (
            ["str"],
            ["required=True", f"name={LONG}"],
            f"    name: Attr[str] = Attr(\n        required=True,\n        name={LONG},\n    )",
        ),
        (
            [f"tuple[{A}]", f"tuple[{B}]"],
            ["default=None"],
            f"    name: Attr[\n        tuple[{A}],\n        tuple[{B}],\n    ]"
            " = Attr(default=None)",
        ),
    ],
)
def test_fields(types: list[str], arguments: list[str], text: str) -> None:
    assert annotated("    name: Attr[", types, "Attr", arguments) == text


def test_every_width_is_broken_as_ruff_does() -> None:
    """Declarations of every length around the limit, of every form, in one file."""
    fields: list[str] = []
    for length in range(WIDTH - 60, WIDTH + 12):
        name = f"f{length}".ljust(12, "x")
        short, long = "A" * max(1, length - 40), "A" * max(1, length - 20)
        for number, (types, arguments) in enumerate(
            [
                ([long], []),
                ([short], ["default=None"]),
                ([short, short[:30]], ["optional=True", "default=None"]),
                ([f"dict[str, Nullable[{short}]] | None"], ["default=None"]),
                (
                    [f"dict[str, N[{short}]] | None", f"AnyMap[{short}] | None"],
                    ["optional=True", "default=None"],
                ),
                (["str"], [f'name="{long}"', "optional=True", "default=None"]),
                ([short[:30]], ["optional=True", "sensitive=True", f'message="{long}"']),
            ]
        ):
            head = f"    {name}_{number}: Attr["
            fields.append(annotated(head, types, "Attr", arguments))
        fields.append(bracketed(f"    {name} = f(", [f'"{short}"', "b=1"], ")", INDENT))
    code = "class A:\n" + "\n".join(fields) + "\n"
    ruff = [sys.executable, "-m", "ruff", "format", "--isolated", "--diff", "-"]
    result = subprocess.run(ruff, input=code, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (0, "")
