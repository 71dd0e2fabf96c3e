"""A tokenizer for HCL that finds words and the headers of blocks.

The tokenizer separates code from comments, strings and heredocs, and finds the code inside strings
and heredocs (`"${...}"`). Source: HCL native syntax specification, lexical elements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from tofutypes_codegen.errors import GeneratorError

_CODE: Final = re.compile(
    r"""
    (?: \s | \#[^\n]* | //[^\n]* | /\*.*?\*/ )+
  | (?P<comment> /\* )
  | << -? (?P<heredoc> [^\W\d][\w-]* ) \r?\n
  | " (?P<string> [^"\\$%\n]* ) "
  | (?P<quote> " )
  | (?P<word> [^\W\d][\w-]* (?: ::[^\W\d][\w-]* )* )
  | (?P<mark> . )
    """,
    re.VERBOSE | re.DOTALL,
)
# Text up to a template or the end. `$${` and `%%{` are escapes.
_QUOTED: Final = re.compile(
    r"""(?: \\. | \$\$\{ | %%\{ | [$%](?!\{) | [^"\\$%\n] )++ | (?P<open> [$%]\{ ) | (?P<end>")""",
    re.VERBOSE,
)
_LINE: Final = re.compile(
    r"(?: \$\$\{ | %%\{ | [$%](?!\{) | [^$%\n] )++ | (?P<open> [$%]\{ ) | (?P<end>\n)", re.VERBOSE
)


class Token(NamedTuple):
    """A `word`, a plain `string` (the text between its quotes), or any other character (`mark`)."""

    kind: str
    text: str


def tokenize(text: str, file: str) -> list[Token]:
    """The tokens of the code of a file, including code in strings and heredocs.

    Raises:
        GeneratorError: If a comment, a string or a brace does not end.
    """
    return list(_Scanner(text, file).tokens())


class _Scanner:
    def __init__(self, text: str, file: str) -> None:
        self._text = text
        self._file = file
        self._position = 0
        # The open brackets with their positions: "{", "${", "%{", a quote, or a heredoc marker.
        self._open: list[tuple[str, int]] = []

    def tokens(self) -> Iterator[Token]:
        while self._position < len(self._text):
            inside = self._open[-1][0] if self._open else ""
            if inside == '"':
                self._template(_QUOTED)
            elif inside and not inside.endswith("{"):
                self._template(_LINE)
            else:
                yield from self._code()
        if self._open:
            bracket, start = self._open[-1]
            raise self._endless("brace" if bracket.endswith("{") else "string", start)

    def _code(self) -> Iterator[Token]:
        start = self._position
        token = _CODE.match(self._text, start)
        assert token is not None  # any character is a mark
        self._position = token.end()
        match token.lastgroup:
            case "comment":
                raise self._endless("comment", start)
            case "quote":
                self._open.append(('"', start))
            case "heredoc":
                self._open.append((token["heredoc"], start))
                self._end_heredoc()
            case "word" | "string" | "mark" as kind:
                yield Token(kind, token[kind])
                if token["mark"] == "{":
                    self._open.append(("{", start))
                elif token["mark"] == "}" and self._open:
                    self._open.pop()
            case _:
                pass

    def _template(self, piece: re.Pattern[str]) -> None:
        text = piece.match(self._text, self._position)
        if text is None:  # a quoted string cannot span lines
            raise self._endless("string", self._open[-1][1])
        if text["open"]:
            self._open.append((text["open"], self._position))
        self._position = text.end()
        if text["end"] == '"':
            self._open.pop()
        elif text["end"]:
            self._end_heredoc()

    def _end_heredoc(self) -> None:
        """Close a heredoc if the next line has its marker alone."""
        end = re.compile(rf"[^\S\n]*{self._open[-1][0]}[^\S\n]*(?:\n|\Z)")
        if marker := end.match(self._text, self._position):
            self._position = marker.end()
            self._open.pop()

    def _endless(self, kind: str, start: int) -> GeneratorError:
        line = self._text.count("\n", 0, start) + 1
        message = f"{self._file}:{line}: the {kind} that begins here does not end"
        return GeneratorError(f"{message}; run `tofu validate` for details")
