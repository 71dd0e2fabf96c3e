"""A provider in Go that is moved to Python a resource at a time, under the cores."""

from __future__ import annotations

import json
import os
import shutil
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from tests.counterparts import need
from tests.provider.live.scenarios import APPLY, DESTROY
from tests.provider.live.terraform import HERE, PATIENCE, ROOT, Workspace, wait_for

MOVED = ("random_id", "random_pet")

BEFORE = """
resource "random_id" "a" {
  byte_length = 4
  prefix      = "id-"
  keepers     = { region = "eu", zone = null }
}
resource "random_pet" "a" {
  length = 3
}
resource "random_password" "a" {
  length  = 12
  keepers = { id = random_id.a.hex }
}
resource "random_uuid" "a" {}
"""
AFTER = f"""{BEFORE}
resource "random_greeting" "a" {{
  name = random_uuid.a.id
}}
"""
SLOW = """
resource "random_greeting" "a" {
  name    = "Ann"
  seconds = 600
}
"""


@pytest.fixture
def random(workspace: Workspace) -> Workspace:
    """A workspace whose provider `random` is HashiCorp's."""
    original = need("terraform-provider-random")
    program = go_program(workspace)
    program.parent.mkdir()
    program.write_text(
        f"#!/bin/sh\ncd '{workspace.folder}'\necho $$ >> pids\necho $$ >> go-pids\n"
        f"env > go-environment\nexec '{original}'\n"
    )
    program.chmod(0o755)
    (workspace.folder / "go-pids").touch()
    link = workspace.folder / "bin" / "terraform-provider-random"
    link.unlink()
    link.symlink_to(program)
    return workspace


def go_program(workspace: Workspace) -> Path:
    return workspace.folder / "go" / "terraform-provider-random"


def move(workspace: Workspace, *without: str) -> None:
    """Replace the provider by one that has some of its resources in Python."""
    program = workspace.folder / "bin" / "terraform-provider-random"
    program.unlink()
    start = [str(HERE / "muxed.py"), str(go_program(workspace)), *without]
    workspace.write_program(program, ROOT / "examples" / "random", start)


def go_processes(workspace: Workspace) -> set[int]:
    """The processes of the executable that are running."""
    started = map(int, (workspace.folder / "go-pids").read_text().split())
    return set(started) & set(workspace.processes)


def kill_go(workspace: Workspace) -> None:
    for process in go_processes(workspace):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def test_resources_are_moved(random: Workspace) -> None:
    random.configure(BEFORE, "random")
    random.apply()
    before = {address: random.attributes(address) for address in random.addresses}
    assert len(before) == 4

    move(random, *MOVED)
    assert set(map(tuple, random.actions().values())) == {("no-op",)}
    random.configure(AFTER, "random")
    random.apply()
    after = {address: random.attributes(address) for address in random.addresses}
    greeting = after.pop("random_greeting.a")
    assert after == before
    assert greeting["text"] == f"Hello {before['random_uuid.a']['id']}"

    random.configure(AFTER.replace('"eu"', '"us"').replace("length = 3", "length = 4"), "random")
    assert random.actions() == {
        "random_id.a": ["delete", "create"],
        "random_pet.a": ["delete", "create"],
        "random_password.a": ["delete", "create"],
        "random_uuid.a": ["no-op"],
        "random_greeting.a": ["no-op"],
    }
    random.apply()
    assert random.attributes("random_id.a")["hex"] != before["random_id.a"]["hex"]
    random.do(*DESTROY)
    assert random.addresses == []


def test_imports(random: Workspace) -> None:
    """One by the executable, one by Python."""
    move(random, *MOVED)
    random.configure(
        """
        resource "random_id" "a" { byte_length = 8 }
        resource "random_uuid" "a" {}
        """,
        "random",
    )
    uuid = "aabbccdd-eeff-0011-2233-445566778899"
    random.do("import", "random_id.a", "p-,9hRSvLQ")
    random.do("import", "random_uuid.a", uuid)
    assert random.attributes("random_uuid.a")["result"] == uuid
    assert random.attributes("random_id.a")["prefix"] == "p-"


def test_back_to_go(random: Workspace) -> None:
    """State that Python has written is taken over by the executable, and so is a plan."""
    move(random, *MOVED)
    random.configure(BEFORE, "random")
    random.apply()
    move(random, "random_pet", "random_id")
    random.do("plan", "-out=plan")
    (random.folder / "bin" / "terraform-provider-random").unlink()
    (random.folder / "bin" / "terraform-provider-random").symlink_to(go_program(random))
    assert set(map(tuple, random.actions().values())) == {("no-op",)}
    random.do("apply", "plan")


def test_clashes_are_told_at_once(random: Workspace) -> None:
    move(random, "random_pat")
    random.configure(BEFORE, "random")
    ran = random.run("validate", "-json")
    (error,) = [each for each in json.loads(ran.out)["diagnostics"] if each["severity"] == "error"]
    told = f"{error['summary']} {error['detail']}"
    for text in (
        "The parts of the provider do not fit together",
        'without: terraform-provider-random has no random_pat; did you mean "random_pet"?',
        "random_id: two parts have this resource: Moved and terraform-provider-random",
        "random_pet: two parts have this resource: Moved and terraform-provider-random",
        'without=["random_id", "random_pet"]',
    ):
        assert text in told


def test_an_executable_that_is_not_there(random: Workspace) -> None:
    move(random, *MOVED)
    go_program(random).unlink()
    random.configure(BEFORE, "random")
    ran = random.run("plan")
    assert ran.code == 1
    assert ran.said.count("terraform-provider-random: no such file") == 1


def test_an_executable_that_is_killed_is_one_clear_error(random: Workspace) -> None:
    move(random, *MOVED)
    config = f"""
        {SLOW.replace("600", "2")}
        resource "random_uuid" "b" {{
          depends_on = [random_greeting.a]
        }}
        """
    random.configure(config, "random")
    mark = random.folder / "greeting"
    with random.started(*APPLY, GREETING=str(mark)) as core:
        wait_for("nobody greets", mark.exists)
        kill_go(random)
        out, err = core.communicate(timeout=PATIENCE)
    said = " ".join((out + err).replace("│", " ").split())
    assert core.returncode == 1
    assert said.count("Error:") == 1
    assert "terraform-provider-random cannot answer" in said
    assert "ValidateResourceConfig: the provider ended (killed by SIGKILL)." in said
    assert random.addresses == ["random_greeting.a"]


@pytest.mark.parametrize("victim", ["provider", "core"])
def test_no_executable_is_left_when_somebody_is_killed(random: Workspace, victim: str) -> None:
    move(random, *MOVED)
    random.configure(SLOW, "random")
    mark = random.folder / "greeting"
    with random.started(*APPLY, GREETING=str(mark)) as core:
        wait_for("nobody greets", mark.exists)
        assert len(random.processes) == 2
        if victim == "core":
            core.kill()
            core.wait()
        # The provider would complete the call that is under way, which takes too long here.
        for process in set(random.processes) - go_processes(random):
            os.kill(process, signal.SIGKILL)
        wait_for("an executable is left", lambda: not random.processes)
    random.remove_sockets()
    for folder in random.temporary.glob("tofutypes-*"):
        shutil.rmtree(folder)


def test_the_executable_ends_with_a_killed_core(random: Workspace) -> None:
    """After the call that is under way."""
    move(random, *MOVED)
    random.configure(SLOW.replace("600", "3"), "random")
    mark = random.folder / "greeting"
    with random.started(*APPLY, GREETING=str(mark)) as core:
        wait_for("nobody greets", mark.exists)
        assert len(random.processes) == 2
        core.kill()
        core.wait()
        wait_for("an executable is left", lambda: not random.processes)


def test_the_executable_gets_its_own_handshake(random: Workspace) -> None:
    move(random, *MOVED)
    random.configure('resource "random_uuid" "a" {}', "random")
    random.apply(FOR_EVERYBODY="x", PLUGIN_UNIX_SOCKET_GROUP="", TF_LOG="off")
    lines = (random.folder / "go-environment").read_text().splitlines()
    environment = dict(line.split("=", 1) for line in lines if "=" in line)
    assert environment["FOR_EVERYBODY"] == "x"
    assert Path(environment["PLUGIN_UNIX_SOCKET_DIR"]).name.startswith("tofutypes-")
    assert not {"PLUGIN_CLIENT_CERT", "PLUGIN_UNIX_SOCKET_GROUP"} & environment.keys()


def test_log_lines_of_the_executable(random: Workspace) -> None:
    """They arrive as they are, and the core reads level and module of each."""
    move(random, *MOVED)
    random.configure('resource "random_uuid" "a" {}', "random")
    log = random.folder / "log"
    random.apply(TF_LOG="TRACE", TF_LOG_PATH=str(log))
    lines = [line for line in log.read_text().splitlines() if "random_uuid" in line]
    assert any("[TRACE] provider.terraform-provider-random" in line for line in lines)
    assert any("@module=sdk.framework" in line for line in lines)


def test_debugging(random: Workspace) -> None:
    """The executable runs as long as the provider, over several commands."""
    move(random, *MOVED)
    random.configure(BEFORE, "random")
    with random.debugging("random") as variable:
        random.apply(**variable)
        random.do("plan", "-detailed-exitcode", **variable)
        assert len(go_processes(random)) == 1
