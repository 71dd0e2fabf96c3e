"""Where schemas come from: files, standard input, folders."""

import gzip
import io
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tofutypes.errors import TofuTypesError
from tofutypes.runner import process
from tofutypes_codegen.errors import GeneratorError
from tofutypes_codegen.sources import load_schemas

CLOUD = "registry.opentofu.org/acme/cloud"

Install = Callable[..., Path]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts executables on the PATH, and nothing else."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def install(name: str, script: str) -> Path:
        program = folder / name
        program.write_text(f"#!/bin/sh\nPATH=/usr/bin:/bin\n{script}\n")
        program.chmod(0o755)
        return program

    return install


@pytest.fixture
def configuration(tmp_path: Path) -> Path:
    folder = tmp_path / "configuration"
    folder.mkdir()
    (folder / "main.tf").write_text('resource "terraform_data" "x" {}\n')
    return folder


@contextmanager
def typed(text: str) -> Generator[None, None, None]:
    """Has a text on standard input, also for the programs that are run."""
    with tempfile.TemporaryFile() as file:
        file.write(text.encode())
        file.seek(0)
        before = os.dup(0)
        os.dup2(file.fileno(), 0)
        try:
            yield
        finally:
            os.dup2(before, 0)
            os.close(before)


# Files and standard input


def test_a_file(here: Path) -> None:
    assert list(load_schemas("schema.json")) == [CLOUD]


def test_a_packed_file(here: Path, document: bytes) -> None:
    (here / "schema.json.gz").write_bytes(gzip.compress(document))
    assert list(load_schemas("schema.json.gz")) == [CLOUD]


def test_standard_input(document: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(document)))
    assert list(load_schemas("-")) == [CLOUD]


def test_a_pipe(here: Path, document: bytes) -> None:
    os.mkfifo(here / "pipe")
    writer = threading.Thread(target=(here / "pipe").write_bytes, args=(document,))
    writer.start()
    assert list(load_schemas("pipe")) == [CLOUD]
    writer.join()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "bad: the document is empty"),
        (b"hello", "bad: invalid JSON"),
        (b'{"format_version":"1.0","provider_sch', "bad: truncated JSON"),
        (b'{"format_version":"9.0"}', "bad: format_version: unsupported version 9.0"),
        (b'{"format_version":"1.0","terraform_version":"1.9"}', "bad: not a schema document"),
        (b'{"format_version":"1.0"}', "bad: the document has no provider schemas"),
    ],
)
def test_bad_documents(
    here: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, message: str
) -> None:
    (here / "bad").write_bytes(content)
    with pytest.raises(TofuTypesError) as refused:
        load_schemas("bad")
    assert str(refused.value).startswith(message)
    assert "\n" not in str(refused.value)

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    with pytest.raises(TofuTypesError) as refused:
        load_schemas("-")
    assert str(refused.value).startswith(message.replace("bad: ", "standard input: "))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("", "SOURCE is empty"),
        ("nowhere.json", "nowhere.json: no such file"),
        ("schema.json/x", "schema.json/x: cannot read the file"),
        ("a\0b", "cannot read the file"),
    ],
)
def test_no_such_source(here: Path, source: str, message: str) -> None:
    with pytest.raises(TofuTypesError, match=message):
        load_schemas(source)


def test_closed_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(GeneratorError, match="standard input is closed"):
        load_schemas("-")


# Folders


@pytest.mark.parametrize(
    ("installed", "used"),
    [(["tofu"], "tofu"), (["terraform"], "terraform"), (["terraform", "tofu"], "tofu")],
)
def test_a_folder(
    install: Install,
    configuration: Path,
    document: bytes,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    installed: list[str],
    used: str,
) -> None:
    (tmp_path / "schema.json").write_bytes(document)
    monkeypatch.setenv("TF_DATA_DIR", "elsewhere")
    for name in installed:
        install(
            name,
            f'echo "{name} $* in $PWD, data in $TF_DATA_DIR" > {tmp_path}/called\n'
            f"cat\ncat {tmp_path}/schema.json",
        )
    with typed("what is typed"):
        assert list(load_schemas(str(configuration))) == [CLOUD]
    called = (tmp_path / "called").read_text()
    assert called == f"{used} providers schema -json in {configuration}, data in elsewhere\n"


def test_a_program_in_a_relative_folder_of_the_path(
    install: Install, configuration: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("tofu", """echo '{"format_version":"1.0","provider_schemas":{"a/b/c":{}}}'""")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "bin")
    assert list(load_schemas("configuration")) == ["a/b/c"]


FRAMED = """\
There are some problems with the CLI configuration:
╷
│ Warning: Unable to open CLI configuration file
╵

\x1b[31m╷\x1b[0m\x1b[0m
\x1b[31m│\x1b[0m \x1b[0m\x1b[1m\x1b[31mError: \x1b[0m\x1b[0m\x1b[1mInconsistent lock file\x1b[0m
\x1b[31m│\x1b[0m \x1b[0m
\x1b[31m│\x1b[0m \x1b[0mTo make the initial selections, run init
\x1b[31m╵\x1b[0m\x1b[0m
"""
IN_FILE = """
│ Error: Missing name for resource
│
│   on main.tf line 1:
│    1: resource
"""


@pytest.mark.parametrize(
    ("printed", "message"),
    [
        (FRAMED, "failed: Error: Inconsistent lock file; run `tofu init` there first"),
        (
            IN_FILE,
            "failed: Error: Missing name for resource on main.tf line 1; correct the configuration",
        ),
        ("boom\nbang", "failed: boom; run `tofu init` there first"),
        ("Error: " + "x" * 9999, "failed: Error: " + "x" * 293 + "; run `tofu init` there first"),
        ("", "failed: exit code 3; run `tofu init` there first"),
    ],
)
def test_a_program_that_fails(
    install: Install, configuration: Path, tmp_path: Path, printed: str, message: str
) -> None:
    (tmp_path / "printed").write_text(printed)
    install("tofu", f"cat {tmp_path}/printed >&2\nexit 3")
    with pytest.raises(GeneratorError) as refused:
        load_schemas(str(configuration))
    assert str(refused.value) == f"{configuration}: `tofu providers schema -json` {message}"


def test_a_program_that_prints_something_else(install: Install, configuration: Path) -> None:
    install("tofu", "echo hello")
    with pytest.raises(GeneratorError, match=r"the schemas of .*configuration: invalid JSON"):
        load_schemas(str(configuration))


def test_a_configuration_without_providers(install: Install, configuration: Path) -> None:
    install("tofu", """echo '{"format_version":"1.0"}'""")
    with pytest.raises(GeneratorError, match="configuration: the document has no provider schemas"):
        load_schemas(str(configuration))


def test_no_program(install: Install, configuration: Path) -> None:
    with pytest.raises(GeneratorError, match="neither `tofu` nor `terraform` is on the PATH"):
        load_schemas(str(configuration))


def test_a_program_that_cannot_run(install: Install, configuration: Path) -> None:
    install("tofu", "").write_text("#!/nowhere/sh\n")
    with pytest.raises(GeneratorError, match=r"cannot run .*bin/tofu: No such file"):
        load_schemas(str(configuration))


IGNORE = "trap '' TERM"


@pytest.mark.parametrize(
    "script",
    [
        "sleep 60 & echo $! > $PROVIDER; wait",
        f"{IGNORE}; sleep 60 & echo $! > $PROVIDER; wait",
        f"({IGNORE}; echo > $PROVIDER.ready; exec sleep 60) & echo $! > $PROVIDER; wait",
    ],
    ids=["obeys", "ignores", "leaves a provider that ignores"],
)
def test_a_program_that_takes_too_long(
    install: Install,
    configuration: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    script: str,
) -> None:
    """It is stopped, and so is the provider that it has started, which holds its pipes open."""
    monkeypatch.setattr(process, "_GRACE", 0.2)
    monkeypatch.setenv("PROVIDER", str(tmp_path / "provider"))
    install("tofu", script)
    started = time.monotonic()
    with pytest.raises(GeneratorError, match=r"timed out after 0\.3 seconds"):
        load_schemas(str(configuration), timeout=0.3)
    assert time.monotonic() - started < 10
    assert is_gone(int((tmp_path / "provider").read_text()))


def is_gone(process: int) -> bool:
    for _ in range(100):
        status = Path(f"/proc/{process}/stat")
        try:
            os.kill(process, 0)
            if status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.skipif(
    not (shutil.which("tofu") or shutil.which("terraform")),
    reason="neither tofu nor terraform is installed: skipped",
)
def test_the_real_program(configuration: Path) -> None:
    program = shutil.which("tofu") or shutil.which("terraform")
    subprocess.run([str(program), "init"], cwd=configuration, check=True, capture_output=True)
    [(address, schema)] = load_schemas(str(configuration)).items()
    assert address == "terraform.io/builtin/terraform"
    assert "terraform_data" in schema.resources

    (configuration / "main.tf").write_text("resource {")
    with pytest.raises(GeneratorError, match=r"Error: .* on main\.tf line 1, in resource; correct"):
        load_schemas(str(configuration))
