"""The command line as people and scripts meet it."""

import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.codegen.command import ALL, GENERATE, Run, environment, files
from tests.codegen.fake_renderer import FakeRenderer
from tofutypes import __version__
from tofutypes.models.labels import MARKER
from tofutypes_codegen import cli, output
from tofutypes_codegen.commands import completion
from tofutypes_codegen.commands.table import COMMANDS

# What it does


def test_generate(run: Run, here: Path) -> None:
    assert run(*GENERATE) == (
        0,
        [
            "infra: 5 modules written, 0 unchanged, 0 removed; "
            "next: from infra.cloud.resources import cloud_disk"
        ],
        [],
    )
    assert files(here) == ALL | {"schema.json"}


def test_generate_again(run: Run, here: Path) -> None:
    run(*GENERATE)
    (here / "infra/cloud/resources/cloud_disk.py").unlink()
    code, [line], _ = run(*GENERATE, "--exclude", "*_image")
    assert code == 0
    assert line.startswith("infra: 1 module written, 3 unchanged, 1 removed; next: ")
    assert files(here / "infra" / "cloud") == {
        "__init__.py",
        "resources/cloud_disk.py",
        "resources/cloud_server.py",
    }


def test_a_dotted_package(run: Run, here: Path) -> None:
    code, [line], _ = run("generate", "schema.json", "--output", "src", "--package", "acme.infra")
    assert code == 0
    assert line.endswith("next: from acme.infra.cloud.resources import cloud_disk")
    assert "# acme.infra\n" in (here / "src/acme/infra/cloud/__init__.py").read_text()


def test_a_selection(run: Run, here: Path) -> None:
    selection = ("--provider", "cloud", "--include", "*_disk", "--include", "*_image")
    assert run(*GENERATE, *selection, "--exclude", "*image", "--quiet") == (0, [], [])
    assert files(here) - {"schema.json"} == {
        "infra/__init__.py",
        "infra/py.typed",
        "infra/cloud/__init__.py",
        "infra/cloud/resources/cloud_disk.py",
    }


def test_what_a_configuration_uses(run: Run, here: Path) -> None:
    (here / "live").mkdir()
    (here / "live" / "main.tf").write_text(
        'resource "cloud_disk" "a" {}\ndata "cloud_disk" "b" {}\nresource "random_id" "c" {}\n'
    )
    code, lines, err = run(*GENERATE, "--used-in", "live", "--include", "*_image")
    assert (code, err) == (0, [])
    assert lines[1:] == [
        "  used, but not in the schemas: data cloud_disk",
        "  used, but not in the schemas: resource random_id",
    ]
    assert files(here / "infra") == {
        "__init__.py",
        "py.typed",
        "cloud/__init__.py",
        "cloud/resources/cloud_disk.py",
        "cloud/data_sources/cloud_image.py",
    }
    assert run(*GENERATE, "--used-in", "live", "--check", "--quiet")[0] == 1


def test_standard_input(run: Run, document: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(document)))
    assert run("generate", "-", "--output", "infra")[0] == 0


def test_dry_run(run: Run, here: Path) -> None:
    run(*GENERATE, "--exclude", "cloud_server")
    (here / "infra/cloud/__init__.py").write_text(f"{MARKER} long ago\n")
    before = files(here)
    assert run(*GENERATE, "--dry-run", "--exclude", "cloud_disk") == (
        0,
        [
            "create infra/cloud/resources/cloud_server.py",
            "change infra/cloud/__init__.py",
            "remove infra/cloud/resources/cloud_disk.py",
            "infra: 2 modules would be written, 2 unchanged, 1 would be removed",
        ],
        [],
    )
    assert files(here) == before


def test_check_of_what_is_up_to_date(run: Run) -> None:
    run(*GENERATE)
    assert run(*GENERATE, "--check") == (0, ["infra: up to date, 5 modules"], [])


def test_check_of_what_is_stale(run: Run, here: Path) -> None:
    run(*GENERATE, "--exclude", "cloud_server", body="a = 1\nb = 2")
    before = files(here)
    assert run(*GENERATE, "--check", "--exclude", "cloud_disk", body="a = 1\nc = 3") == (
        1,
        [
            "infra: stale: 1 missing, 3 changed, 1 no longer generated; "
            "generate it again without --check",
            "  missing: cloud/resources/cloud_server.py",
            "  changed: __init__.py",
            "  changed: cloud/__init__.py",
            "  changed: cloud/data_sources/cloud_image.py",
            *(
                line
                for path in (
                    "__init__.py",
                    "cloud/__init__.py",
                    "cloud/data_sources/cloud_image.py",
                )
                for line in (f"  {path}, from line 4:", "    - b = 2", "    + c = 3")
            ),
            "  no longer generated: cloud/resources/cloud_disk.py",
        ],
        [],
    )
    assert files(here) == before
    assert run(*GENERATE, "--check", "--quiet") == (1, [], [])


def test_check_of_nothing(run: Run, here: Path) -> None:
    code, [line, *_], _ = run(*GENERATE, "--check")
    assert code == 1
    assert line.startswith("infra: stale: 6 missing, 0 changed, 0 no longer generated")
    assert files(here) == {"schema.json"}


def test_a_long_list_is_cut(run: Run, here: Path) -> None:
    run(*GENERATE)
    for number in range(30):
        (here / f"infra/m{number:02}.py").write_text(f"{MARKER}\n")
    _, lines, _ = run(*GENERATE, "--check")
    assert lines[-2:] == ["  no longer generated: m09.py", "  no longer generated: and 20 more"]


def test_control_characters_of_files_do_not_reach_the_terminal(run: Run, here: Path) -> None:
    run(*GENERATE)
    (here / "infra/__init__.py").write_text(f"{MARKER}\x1b[31m{'x' * 500}\n")
    _, lines, _ = run(*GENERATE, "--check")
    assert not any("\x1b" in line for line in lines)
    assert max(map(len, lines)) < 120


# What it refuses


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("generte",), 'unknown command "generte"; did you mean "generate"?; see'),
        (("x\x1b",), 'unknown command "x\\x1b"; see tofutypes --help'),
        (("--verbose",), "unrecognized arguments: --verbose; see tofutypes --help"),
        (("generate",), "the following arguments are required: SOURCE, --output; see"),
        ((*GENERATE, "--check", "--dry-run"), "argument --dry-run: not allowed with"),
        ((*GENERATE, "--inc", "x"), "unrecognized arguments: --inc x; see tofutypes"),
        ((*GENERATE, "--line\nbreak"), "unrecognized arguments: --line break; see"),
        (("generate", "no.json", "--output", "infra"), "no.json: no such file"),
        (("generate", "schema.json", "--output", "my-infra"), '--output "my-infra": "my-infra"'),
        (("generate", "schema.json", "--output", "below"), "below: expected a folder, got a file"),
        (("generate", "schema.json", "--output", "taken"), "taken: the folder has files that"),
        (
            ("generate", "schema.json", "--output", "below/infra"),
            "below/infra: cannot write the package",
        ),
        (("generate", "schema.json", "--output", "x" * 300), f"{'x' * 300}: "),
        ((*GENERATE, "--package", "a b"), '--package "a b": "a b" is not a valid'),
        ((*GENERATE, "--document-size", "0"), "argument --document-size: expected a positive"),
        ((*GENERATE, "--provider", "aws"), '--provider "aws": unknown provider; the schemas have'),
        ((*GENERATE, "--include", "aws_*"), '--include "aws_*" matches nothing'),
        ((*GENERATE, "--used-in", "no"), '--used-in "no": no such folder'),
        ((*GENERATE, "--used-in", "taken"), '--used-in "taken": the folder has no configuration'),
    ],
)
def test_bad_input_gets_one_line(
    run: Run, here: Path, arguments: tuple[str, ...], message: str
) -> None:
    (here / "below").write_text("a file")
    (here / "taken").mkdir()
    (here / "taken" / "notes.txt").touch()
    before = files(here)
    code, out, [line] = run(*arguments)
    assert (code, out) == (2, [])
    assert line.startswith(f"tofutypes: error: {message}")
    assert files(here) == before


def test_larger_documents_are_read_on_request(run: Run, here: Path) -> None:
    document = (here / "schema.json").read_bytes()
    (here / "schema.json").write_bytes(document + b" " * (2 << 20))
    code, _, [line] = run(*GENERATE, "--document-size", "1")
    assert code == 2
    assert line.startswith("tofutypes: error: schema.json: document is too large: the limit is")
    assert run(*GENERATE, "--document-size", "3")[0] == 0


def test_bad_input_is_bad_for_check_too(run: Run, here: Path) -> None:
    (here / "infra").mkdir()
    (here / "infra" / "__init__.py").write_text("mine")
    for mode in ("--check", "--dry-run"):
        code, out, [line] = run(*GENERATE, mode)
        assert (code, out) == (2, [])
        assert "infra: the folder has files that tofutypes did not generate" in line


def test_all_problems_of_all_schemas_are_told(run: Run, here: Path) -> None:
    faulty = {"block": {"attributes": {"a": {"type": "string"}}}}
    provider = {
        "provider": faulty,
        "resource_schemas": {
            "cloud_disk": {"block": {"block_types": {"b": {"nesting_mode": "list", **faulty}}}}
        },
        "data_source_schemas": {"cloud_image": faulty},
        "ephemeral_resource_schemas": {"cloud_key": faulty},
    }
    document = {"format_version": "1.0", "provider_schemas": {"acme/cloud": provider}}
    (here / "schema.json").write_text(json.dumps(document))
    place = 'provider_schemas["acme/cloud"]'
    message = "an attribute must be required, optional or computed"
    assert run(*GENERATE) == (
        2,
        [],
        [
            "tofutypes: error: the schema breaks 4 rules:",
            f"  {place}.provider.a: {message}",
            f"  {place}.resource_schemas.cloud_disk.b.a: {message}",
            f"  {place}.data_source_schemas.cloud_image.a: {message}",
            f"  {place}.ephemeral_resource_schemas.cloud_key.a: {message}",
        ],
    )
    assert files(here) == {"schema.json"}
    assert run(*GENERATE, "--include", "cloud_image")[2][0].endswith("breaks 2 rules:")


def test_names_that_are_not_text(run: Run) -> None:
    code, _, [line] = run("generate", "\udcff.json", "--output", "infra")
    assert (code, line.startswith("tofutypes: error: \\udcff.json: ")) == (2, True)


def test_other_errors_of_the_system(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def compare(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "infra/x.py")

    monkeypatch.setattr(output, "compare", compare)
    assert run(*GENERATE, "--check") == (
        2,
        [],
        ["tofutypes: error: infra/x.py: Permission denied"],
    )


def test_a_fault_of_ours_is_not_hidden(here: Path) -> None:
    def fault() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        cli.main(GENERATE, FakeRenderer(before_each=fault))


# What else it says


@pytest.mark.parametrize("arguments", [(), ("--help",), ("-h",)])
def test_help(run: Run, arguments: tuple[str, ...]) -> None:
    code, out, err = run(*arguments)
    assert (code, err) == (0, [])
    for command in COMMANDS:
        assert any(line.split() == [command.name, *command.help.split()] for line in out)


def test_help_of_a_command(run: Run) -> None:
    code, out, err = run("generate", "--help")
    assert (code, err) == (0, [])
    assert "  1    with --check: the package is stale" in out


@pytest.mark.parametrize("option", ["-V", "--version"])
def test_version(run: Run, option: str) -> None:
    assert run(option) == (0, [f"tofutypes {__version__}"], [])


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "tcsh"])
def test_completion(run: Run, shell: str) -> None:
    code, out, err = run("completion", shell)
    assert (code, err) == (0, [])
    script = "\n".join(out)
    assert all(command.name in script for command in COMMANDS)
    assert "used-in" in script


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_completion_in_bash(run: Run, here: Path) -> None:
    _, out, _ = run("completion", "bash")
    (here / "completion").write_text("\n".join(out))
    typed = "COMP_WORDS=(tofutypes generate --ch); COMP_CWORD=2; _shtab_tofutypes"
    done = subprocess.run(
        ["bash", "-c", f". ./completion; {typed}; echo $COMPREPLY"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "--check\n"


def test_completion_without_the_extra(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completion, "find_spec", lambda name: None)
    message = "tofutypes: error: completion needs shtab: pip install 'tofutypes[codegen]'"
    assert run("completion", "bash") == (2, [], [message])


@pytest.mark.parametrize("arguments", [["--help"], ["generate", "--help"]])
def test_help_imports_little(arguments: list[str]) -> None:
    code = (
        "import sys\n"
        "from tofutypes_codegen.cli import main\n"
        f"main({arguments})\n"
        "heavy = {'tofutypes', 'pydantic', 'rich', 'orjson', 'shtab', 'subprocess'}\n"
        "heavy &= set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, env=environment())
