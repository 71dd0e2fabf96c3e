"""The command line as a process: how it ends, and what it does when it cannot print."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.codegen.command import ALL, GENERATE, Run, environment, files
from tofutypes import __version__

PROGRAM = """
import sys
from tests.codegen.fake_renderer import FakeRenderer
from tofutypes_codegen.cli import main

def wait():
    sys.stderr.write("rendering\\n")
    sys.stderr.flush()
    sys.stdin.read()

sys.exit(main(sys.argv[1:], FakeRenderer("new", before_each={before_each})))
"""


def start(
    *arguments: str,
    before_each: str = "wait",
    stdout: int = subprocess.PIPE,
    encoding: str = "utf-8",
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(before_each=before_each), *arguments],
        stdin=subprocess.PIPE,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        env=environment() | {"PYTHONIOENCODING": encoding},
    )


@pytest.mark.parametrize(
    ("sent", "code", "message"),
    [
        (signal.SIGINT, 130, "tofutypes: error: interrupted\n"),
        (signal.SIGTERM, 143, ""),
    ],
)
@pytest.mark.parametrize("there", [True, False])
def test_interrupted(
    run: Run, here: Path, sent: signal.Signals, code: int, message: str, there: bool
) -> None:
    if there:
        run(*GENERATE)
    before = files(here)
    with start(*GENERATE) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "rendering\n"
        process.send_signal(sent)
        assert process.stderr.read() == message
    assert process.returncode == code
    assert files(here) == before


def test_killed(run: Run, here: Path) -> None:
    """Even then the old output is whole, and the next run removes what is left."""
    run(*GENERATE)
    before = {path: (here / path).read_text() for path in files(here)}
    with start(*GENERATE) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "rendering\n"
        process.kill()
    assert {path: (here / path).read_text() for path in before} == before
    run(*GENERATE)
    assert files(here) == before.keys()


@pytest.mark.parametrize("arguments", [(*GENERATE, "--dry-run"), ("--help",), ("--version",)])
def test_nobody_reads_the_output(here: Path, arguments: tuple[str, ...]) -> None:
    with start(*arguments, before_each="lambda: None") as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert process.returncode == 141


def test_a_screen_that_cannot_show_a_name(here: Path) -> None:
    arguments = ("generate", "schema.json", "--output", "größe", "--dry-run")
    with start(*arguments, before_each="lambda: None", encoding="ascii") as process:
        out, err = process.communicate()
    assert (process.returncode, err) == (0, "")
    assert out.startswith("create gr\\xf6\\xdfe/__init__.py\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full: skipped")
def test_the_output_cannot_be_written(here: Path) -> None:
    with (
        Path("/dev/full").open("w") as full,
        start(*GENERATE, "--dry-run", before_each="lambda: None", stdout=full.fileno()) as process,
    ):
        assert process.stderr is not None
        message = "tofutypes: error: standard output: No space left on device\n"
        assert process.stderr.read() == message
    assert process.returncode == 2


def test_two_runs_at_once(here: Path) -> None:
    slow = "lambda: __import__('time').sleep(0.01)"
    runs = [start(*GENERATE, before_each=slow) for _ in range(3)]
    for process in runs:
        out, err = process.communicate(timeout=30)
        assert (process.returncode, err) == (0, "")
        assert out.startswith("infra: ")
    assert files(here) == ALL | {"schema.json"}


@pytest.mark.parametrize("module", ["tofutypes", "tofutypes_codegen"])
def test_as_a_module(here: Path, module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", module, "--version"],
        check=True,
        capture_output=True,
        text=True,
        env=environment(),
    )
    assert done.stdout == f"tofutypes {__version__}\n"
