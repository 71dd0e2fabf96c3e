"""Reading just enough of HCL to find words, and the headers of blocks.

This is no parser: it tells code from comments, strings and heredocs, which may hold anything, and
from these the code in them (`"${...}"`). Rules: HCL native syntax, lexical elements.
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
# Text, or what ends it. `$${` and `%%{` stand for themselves.
_QUOTED: Final = re.compile(
    r"""(?: \\. | \$\$\{ | %%\{ | [$%](?!\{) | [^"\\$%\n] )++ | (?P<open> [$%]\{ ) | (?P<end>")""",
    re.VERBOSE,
)
_LINE: Final = re.compile(
    r"(?: \$\$\{ | %%\{ | [$%](?!\{) | [^$%\n] )++ | (?P<open> [$%]\{ ) | (?P<end>\n)", re.VERBOSE
)


class Token(NamedTuple):
    """A `word`, a plain `string` (the text between its quotes), or any other `mark` of code."""

    kind: str
    text: str


def tokenize(text: str, file: str) -> list[Token]:
    """The tokens of a file's code, wherever it stands.

    Raises:
        GeneratorError: a comment, a string or a brace does not end.
    """
    return list(_Scanner(text, file).tokens())


class _Scanner:
    def __init__(self, text: str, file: str) -> None:
        self._text = text
        self._file = file
        self._position = 0
        # What is open, and where: "{", "${", "%{", a quote, or else the marker of a heredoc.
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
            what, start = self._open[-1]
            raise self._endless("brace" if what.endswith("{") else "string", start)

    def _code(self) -> Iterator[Token]:
        start = self._position
        found = _CODE.match(self._text, start)
        assert found is not None  # any character is a mark
        self._position = found.end()
        match found.lastgroup:
            case "comment":
                raise self._endless("comment", start)
            case "quote":
                self._open.append(('"', start))
            case "heredoc":
                self._open.append((found["heredoc"], start))
                self._end_heredoc()
            case "word" | "string" | "mark" as kind:
                yield Token(kind, found[kind])
                if found["mark"] == "{":
                    self._open.append(("{", start))
                elif found["mark"] == "}" and self._open:
                    self._open.pop()
            case _:
                pass

    def _template(self, piece: re.Pattern[str]) -> None:
        found = piece.match(self._text, self._position)
        if found is None:  # a quoted string ends where its line does
            raise self._endless("string", self._open[-1][1])
        if found["open"]:
            self._open.append((found["open"], self._position))
        self._position = found.end()
        if found["end"] == '"':
            self._open.pop()
        elif found["end"]:
            self._end_heredoc()

    def _end_heredoc(self) -> None:
        """Leave a heredoc if its marker stands alone in the line that begins here."""
        end = re.compile(rf"[^\S\n]*{self._open[-1][0]}[^\S\n]*(?:\n|\Z)")
        if found := end.match(self._text, self._position):
            self._position = found.end()
            self._open.pop()

    def _endless(self, what: str, start: int) -> GeneratorError:
        line = self._text.count("\n", 0, start) + 1
        told = f"{self._file}:{line}: the {what} that begins here does not end"
        return GeneratorError(f"{told}; `tofu validate` tells more")
