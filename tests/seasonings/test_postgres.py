"""The storage plugin of the examples over a real PostgreSQL server."""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tofutypes_codegen.cli import main

EXAMPLE = Path(__file__).parents[2] / "examples" / "seasonings" / "postgres_storage.py"


@pytest.fixture(scope="module")
def database() -> Generator[str]:
    """A server of its own on a socket of its own."""
    programs = [shutil.which(name) for name in ("initdb", "pg_ctl")]
    if None in programs or find_spec("psycopg") is None:
        pytest.skip("no PostgreSQL server, or no psycopg")
    initdb, pg_ctl = map(str, programs)
    folder = Path(tempfile.mkdtemp(prefix="tofutypes-pg-"))

    def run(*words: str) -> None:
        command = list(words)
        if os.geteuid() == 0:  # the server does not run as root
            shutil.chown(folder, "nobody")
            command = ["su", "-s", "/bin/sh", "nobody", "-c", shlex.join(words)]
        subprocess.run(command, check=True, capture_output=True, timeout=120, cwd="/")

    data = str(folder / "data")
    options = f"-k {folder} -h ''"
    try:
        run(initdb, "-D", data, "-A", "trust", "-U", "states", "-E", "UTF8", "--no-sync")
        run(pg_ctl, "-D", data, "-w", "-l", str(folder / "log"), "-o", options, "start")
        try:
            yield f"host={folder} user=states dbname=postgres"
        finally:
            run(pg_ctl, "-D", data, "-m", "fast", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def test_the_example_passes_the_check(
    database: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE", database)
    code = main(["plugin", "check", "--", sys.executable, str(EXAMPLE)])
    out = capsys.readouterr().out
    assert code == 0, out
    assert out.endswith(" 0 warnings, 0 failed\n")
