"""Every example in the README and the documentation runs, and prints what the page says.

A page is one session, in a folder of its own that holds `schema.json`, the schema of the example
cloud:

- a `python` block runs after those above it and sees their names;
- a block of any language with `title="NAME"` is the file of this name instead;
- in a `sh` block, `tofutypes ...`, `mypy ...`, `pytest ...` and `echo $?` run; other commands, and
  those that call `tofu`, are for the reader;
- a `text` block directly below a `python` or `sh` block is what that block prints; commands
  without one must succeed;
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
SCHEMA = ROOT / "examples" / "nimbus" / "schema.json"
SCRIPTS = Path(sysconfig.get_path("scripts"))
PROGRAMS = ("tofutypes", "mypy", "pytest")

FENCE = RawFencedCodeBlockLexer(re.compile(r"(?P<arguments>\w+)[^\n]*\n"))
NO_RUN = re.compile(r"<!-- no-run: .+ -->\s*\Z")
TITLE = re.compile(r'```\w+ title="(?P<name>[^"]+)"')
OUTPUT = re.compile(r"```\s+```text\n")

run_python = PythonEvaluator()


class Session:
    """Runs the blocks of one page, from top to bottom."""

    def __init__(self, page: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys
        self.printed_at = -1  # where the last block that ran ended
        self.printed = ""
        self.exit_code = 0  # of the last command
        evaluators = {"python": self.python, "text": self.text, "sh": self.sh}
        parsers = [
            AbstractCodeBlockParser([FENCE], language, evaluators.get(language, self.file))
            for language in (*evaluators, "json", "toml", "yaml")
        ]
        self.document = Document.parse(str(page), *parsers)
        self.document.namespace["__name__"] = "__main__"

    def run(self) -> None:
        for example in self.document:
            if not NO_RUN.search(self.document.text, 0, example.start):
                example.evaluate()

    def file(self, example: Example) -> None:
        """Write the file that a block shows, if it shows one."""
        if title := TITLE.match(self.document.text, example.start):
            path = Path(title["name"])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(example.parsed)

    def python(self, example: Example) -> None:
        if TITLE.match(self.document.text, example.start):
            self.file(example)
            return
        self.capsys.readouterr()
        run_python(example)
        self.printed = self.capsys.readouterr().out
        self.printed_at = example.end

    def sh(self, example: Example) -> None:
        self.printed = ""
        output_follows = OUTPUT.match(self.document.text, example.end - len("```"))
        for command in example.parsed.replace("\\\n", "").splitlines():
            printed = self.command(command)
            self.printed += printed or ""
            if printed is not None and not output_follows:
                assert self.exit_code == 0, f"{example.path}:{example.line}\n{printed}"
            if printed is not None:
                self.printed_at = example.end

    def text(self, example: Example) -> None:
        between = self.document.text[self.printed_at : example.start]
        if self.printed_at >= 0 and not between.strip():
            assert self.printed.rstrip() == example.parsed.rstrip(), (
                f"{example.path}:{example.line}"
            )

    def command(self, command: str) -> str | None:
        """What a command prints; None if it is for the reader."""
        program, *arguments = shlex.split(command, comments=True) or [""]
        if command == "echo $?":
            return f"{self.exit_code}\n"
        if program not in PROGRAMS or "tofu" in arguments:
            return None
        result = subprocess.run(
            [SCRIPTS / program, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        self.exit_code = result.returncode
        return result.stdout


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for one page; modules that the page makes there can be imported, by it alone."""
    shutil.copy(SCHEMA, tmp_path)
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
