"""Faults of a provider: its author hears of them, and of the place, before the core finds them."""

import pytest

from tests.provider.live.scenarios import APPLY, PLAN, messages_of, texts
from tests.provider.live.terraform import SOURCES, Workspace

PLANNED = "The provider made an invalid plan"
GIVEN = "The provider returned another result than it had planned"

IN_PLAN = {
    "plan another value": f"{PLANNED}: text is planned as another value than the configuration has",
    "plan another element": f"{PLANNED}: part[0].size is planned as another value",
    "plan nothing": "The provider is at fault: Things.plan must return Thing, but returned None.",
}

IN_APPLY = {
    "plan a refinement": f"{GIVEN}: id is outside the refinements",
    "give another value": f"{GIVEN}: text was planned as another value",
    "give another secret": f"{GIVEN}: secret is not what was planned",
    "give another element": f"{GIVEN}: part[1].size was planned as another value",
    "leave unknown": f"{GIVEN}: id is still unknown after apply",
    "give nothing": "The provider is at fault: Things.create must return Thing, but returned None.",
    "give a dict": "Things.create must return Thing, but returned an instance of dict.",
    "raise": "The provider failed: ValueError in the creation of faulty_thing (",
    "exit": "The provider failed: SystemExit in the creation of faulty_thing (",
    "save, then raise": "The provider failed: ValueError in the creation of faulty_thing (",
}


FIRST = SOURCES["first"][0] / "provider.py"
ADDRESS = '    address = "registry.opentofu.org/example/first"\n'

AT_THE_START = {
    "no address": (ADDRESS, "", "The provider is at fault: First: no address; write"),
    "a handler twice": ("(Files,)", "(Files, Files)", "first_file: two handlers or functions"),
    "a method missing": ("def delete", "def remove", "Files: the method `delete` is missing"),
    "no model": (
        "Handler[File]",
        "Handler",
        "Files: no model; write `class Files(",
    ),
    "no type name": (', type_name="first_file"', "", "File: no type name; write"),
    "nothing required": ("required=True", "", "first_file.path: an attribute must be required"),
    "no such name": (
        "    def create",
        '    keep = ("x",)\n\n    def create',
        "Files.keep: ",
    ),
    "an exception": (
        ADDRESS,
        f"{ADDRESS}    __init__ = 0\n",
        "cannot start: TypeError: 'int' object",
    ),
    "an import": ("class File(", "import nothing\n\nclass File(", "No module named 'nothing'"),
    "a name": ("path: Attr[str]", "path: Attribute[str]", "faulty.py, line 13): name 'Attribute'"),
    "no such type": ("path: Attr[str]", "path: Attr[complex]", "File.path: "),
    "a wrong value": ("class File(", "int('swordfish')\n\nclass File(", "faulty.py, line 10)"),
}


def config_of(ways: dict[str, str]) -> str:
    return "\n".join(
        f'resource "faulty_thing" "{way.replace(" ", "_").replace(",", "")}" {{\n'
        f'  way    = "{way}"\n  text   = "one"\n  secret = "two"\n'
        "  part { size = 1 }\n  part { size = 2 }\n}"
        for way in ways
    )


@pytest.mark.parametrize(("command", "ways"), [(PLAN, IN_PLAN), (APPLY, IN_APPLY)])
def test_faults(workspace: Workspace, command: list[str], ways: dict[str, str]) -> None:
    workspace.configure(config_of(ways), "faulty")
    ran = workspace.run(*command, "-json", TF_LOG="trace", TF_LOG_PATH=f"{workspace.folder}/log")
    told = texts(messages_of(ran))
    errors = [line for line in told.splitlines() if line.startswith("error")]
    assert ran.code == 1
    for way, expected in ways.items():
        assert any(expected in error for error in errors), f"{way}: {told}"
    assert len(errors) == len(ways), told  # none is left to the core
    assert "swordfish" not in told


def test_what_was_saved_is_stored(workspace: Workspace) -> None:
    workspace.configure(config_of({"save, then raise": ""}), "faulty")
    workspace.run(*APPLY)
    assert workspace.instance("faulty_thing.save_then_raise")["status"] == "tainted"


@pytest.mark.parametrize("way", AT_THE_START)
def test_faults_at_the_start(workspace: Workspace, way: str) -> None:
    before, after, expected = AT_THE_START[way]
    text = FIRST.read_text()
    assert before in text
    workspace.write({"faulty.py": text.replace(before, after)})
    program = workspace.folder / "bin" / "terraform-provider-first"
    workspace.write_program(program, workspace.folder, [str(workspace.folder / "faulty.py")])
    workspace.configure("", "first")
    ran = workspace.run("validate")
    assert ran.code == 1
    assert expected in ran.said, ran.said
    assert "swordfish" not in ran.said
