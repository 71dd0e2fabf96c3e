"""Every example in the README and the documentation runs, and prints what the page says.

A page is one session, in a folder of its own that starts as a copy of `tests/docs/files`:

- a `python` block runs after those above it and sees their names;
- a `text` block directly below a `python` block is what that block prints;
- in a `console` block, `$ tofutypes ...` runs and prints what is below it, if anything is;
  other commands are for the reader;
- a block directly below the comment `<!-- no-run: the reason why -->` is for the reader too.
"""

import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest
from sybil import Document, Example
from sybil.evaluators.python import PythonEvaluator
from sybil.parsers.abstract import AbstractCodeBlockParser
from sybil.parsers.markdown.lexers import RawFencedCodeBlockLexer

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]
FILES = Path(__file__).parent / "files"
SCRIPTS = Path(sysconfig.get_path("scripts"))

FENCE = RawFencedCodeBlockLexer(re.compile(r"(?P<arguments>\w+)[^\n]*\n"))
NO_RUN = re.compile(r"<!-- no-run: .+ -->\s*\Z")
COMMAND = re.compile(r"^\$ (?P<command>.+)\n(?P<shown>(?:(?!\$ ).*\n)*)", re.MULTILINE)

run_python = PythonEvaluator()


class Session:
    """Runs the blocks of one page, from top to bottom."""

    def __init__(self, page: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys
        self.printed_at = -1  # where the last `python` block ended
        parsers = [
            AbstractCodeBlockParser([FENCE], "python", self.python),
            AbstractCodeBlockParser([FENCE], "text", self.text),
            AbstractCodeBlockParser([FENCE], "console", self.console),
        ]
        self.document = Document.parse(str(page), *parsers)
        self.document.namespace["__name__"] = "__main__"

    def run(self) -> None:
        for example in self.document:
            if not NO_RUN.search(self.document.text, 0, example.start):
                example.evaluate()

    def python(self, example: Example) -> None:
        self.capsys.readouterr()
        run_python(example)
        self.printed_at = example.end

    def text(self, example: Example) -> None:
        between = self.document.text[self.printed_at : example.start]
        if self.printed_at >= 0 and not between.strip():
            printed = self.capsys.readouterr().out
            assert printed.rstrip() == example.parsed.rstrip(), f"{example.path}:{example.line}"

    def console(self, example: Example) -> None:
        for command, shown in COMMAND.findall(example.parsed):
            program, *arguments = shlex.split(command, comments=True)
            if program != "tofutypes":
                continue
            result = subprocess.run(
                [SCRIPTS / program, *arguments],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            if shown.strip():
                assert result.stdout.rstrip() == shown.rstrip(), f"{example.path}:{example.line}"
            else:
                assert result.returncode == 0, f"{example.path}:{example.line}\n{result.stdout}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for one page; modules that the page makes there can be imported, by it alone."""
    if FILES.is_dir():
        shutil.copytree(FILES, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_run(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Session(page, capsys).run()
