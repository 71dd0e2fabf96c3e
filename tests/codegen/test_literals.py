"""Texts and values as literals: Python reads back what was meant."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.codegen.hostile import EXTRA, TEXTS
from tofutypes.models.docstrings import text_of
from tofutypes.schema import StringKind
from tofutypes_codegen.literals import docstring, is_docstring, literal, quoted

hard_texts = st.sampled_from(TEXTS) | st.text(max_size=30)
texts = hard_texts | st.lists(hard_texts | st.sampled_from('"\\\n\t\r '), max_size=4).map("".join)


@given(texts)
def test_quoted_text_is_read_back(text: str) -> None:
    written = quoted(text)
    assert ast.literal_eval(written) == text
    assert written.isprintable()


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a", '"a"'),
        ("it's", '"it\'s"'),
        ('say "so"', "'say \"so\"'"),
        ("'\"", '"\'\\""'),
        ("\\", '"\\\\"'),
        ("\n\t\r", '"\\n\\t\\r"'),
        ("\0\x1b\x85", '"\\x00\\x1b\\x85"'),
        ("\u202e\ufeff", '"\\u202e\\ufeff"'),
        ("\U000e0001", '"\\U000e0001"'),
        ("é日本🌩", '"é日本🌩"'),
        ("\ud800", '"\\ud800"'),
    ],
)
def test_quoted(text: str, written: str) -> None:
    assert quoted(text) == written


def read_back(text: str, indent: str) -> str | None:
    """The text of a docstring as Python and this library read it."""
    written = docstring(text, indent)
    code = f"class A:\n{written}    x = 1\n" if indent else f"{written}x = 1\n"
    parsed = ast.parse(code)
    node = parsed.body[0] if indent else parsed
    assert isinstance(node, ast.ClassDef | ast.Module)
    raw = ast.get_docstring(node, clean=False)
    return None if raw is None else text_of(raw)


@given(texts)
@example(" ")
@example("a\n  b")
@example("\n  a\nb")
def test_docstrings_are_read_back(text: str) -> None:
    if is_docstring(text):
        assert read_back(text, "    ") == text
    else:
        # Then it stands in the code too, word for word; the docstring is for people.
        assert (read_back(text, "    ") or "") != text or not text


@given(texts)
def test_docstrings_are_valid_whatever_they_say(text: str) -> None:
    for indent in ("", "    "):
        written = docstring(text, indent)
        ast.parse(f"class A:\n{written}    x = 1\n" if indent else written)
        assert all(char.isprintable() or char == "\n" for char in written)
        assert not any(line != line.rstrip() for line in written.split("\n"))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("", ""),
        (" \n ", ""),
        ("One line.", '"""One line."""\n'),
        ("Two\nlines.", '"""Two\nlines.\n"""\n'),
        ("All:\n  - a\n    - b", '"""All:\n- a\n  - b\n"""\n'),
        ('Ends with "quotes"', '"""Ends with "quotes" """\n'),
        ('"Starts" so', '""" "Starts" so"""\n'),
        ('Three """', '"""Three \\"\\"\\""""\n'),
        ("A \\ in it", '"""A \\\\ in it"""\n'),
        ("Ends with \\", '"""Ends with \\\\"""\n'),
        ('Ends with \\"', '"""Ends with \\\\" """\n'),
        ("A \x1b", '"""A \\x1b"""\n'),
        ("A\ttab", '"""A       tab"""\n'),
    ],
)
def test_docstrings(text: str, written: str) -> None:
    assert docstring(text, "") == written


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("One line.", True),
        ("Two\n\nparagraphs.", True),
        ("First\n  indented\nlast", True),
        ('"', True),
        ("\\", True),
        ("", False),
        (" leading", False),
        ("trailing ", False),
        ("ends\n", False),
        ("\nstarts", False),
        ("all\n  other\n  lines indented", False),
        ("trailing \ninside", False),
        ("a\ttab", False),
        ("a\r\nb", False),
    ],
)
def test_which_texts_docstrings_hold(text: str, is_one: bool) -> None:
    assert is_docstring(text) is is_one


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


@given(json_values)
@example(EXTRA)
def test_values_are_read_back(value: Any) -> None:
    assert eval(literal(value), {}) == value


def test_other_values() -> None:
    assert literal(StringKind.MARKDOWN) == "StringKind.MARKDOWN"
    assert literal(frozenset({"b", "a"})) == 'frozenset({"a", "b"})'
    assert literal(True) == "True"
