"""OpenTofu and Terraform run in a folder, with the resource that needs no provider."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.counterparts import find
from tofutypes import UNKNOWN, Attr, DocumentError, Dynamic, EncodeError, Resource, Unknown
from tofutypes.documents import StateResource
from tofutypes.runner import Event, RunError, Tofu

MAIN = """
variable "text" { type = string }
variable "number" { type = number }
variable "tags" {
  type      = map(string)
  default   = {}
  sensitive = true
}
resource "terraform_data" "first" {
  input            = { text = var.text, number = var.number, tags = var.tags }
  triggers_replace = var.text
}
resource "terraform_data" "second" {
  count = 2
  input = "${terraform_data.first.id}-${count.index}"
}
output "text" { value = var.text }
output "number" { value = var.number }
output "tags" {
  value     = var.tags
  sensitive = true
}
"""
NUMBER = Decimal("0.1234567890123456789012345")


class TerraformData(Resource, type_name="terraform_data"):
    """The resource that is built in."""

    id: Attr[str | None] = Attr(computed=True, default=None)
    input: Attr[Dynamic | None] = Attr(optional=True, default=None)
    output: Attr[Dynamic | None] = Attr(computed=True, default=None)
    triggers_replace: Attr[Dynamic | None] = Attr(optional=True, default=None)


@pytest.fixture(params=["tofu", "terraform"])
def tofu(request: pytest.FixtureRequest, tmp_path: Path) -> Tofu:
    program = find(request.param)
    if program is None:
        pytest.skip(f"{request.param} is not installed: skipped")
    folder = tmp_path / "root"
    folder.mkdir()
    (folder / "main.tf").write_text(MAIN)
    environment = {"CHECKPOINT_DISABLE": "1", "HOME": str(tmp_path)}
    models = {"terraform_data": TerraformData}
    return Tofu(folder, program=program, models=models, environment=environment, timeout=120)


VARIABLES: dict[str, Any] = {"text": "a", "number": NUMBER, "tags": {"k": "hunter2"}}


def test_from_plan_to_destroy(tofu: Tofu, tmp_path: Path) -> None:
    tofu.init()
    assert tofu.validate() == ()
    events: list[Event] = []
    saved = tmp_path / "saved"
    plan = tofu.plan(VARIABLES, out=saved, on_event=events.append)
    first, *second = plan.changes_of(TerraformData)
    assert first.address == "terraform_data.first"
    assert first.after is not None
    assert first.after.id is UNKNOWN
    assert isinstance(first.after.input, Dynamic)
    assert first.after.input.value == {"text": "a", "number": NUMBER, "tags": {"k": "hunter2"}}
    assert first.is_sensitive("input.tags")
    assert "hunter2" not in repr(first.after)
    assert [change.address.key for change in second] == [0, 1]
    assert all(change.is_unknown("input") for change in second)
    referrers = plan.referrers("terraform_data.first")
    assert {(each.source, str(each.target_path)) for each in referrers} == {
        ("terraform_data.second", "id")
    }
    planned = [event for event in events if event.type == "planned_change"]
    assert {event.resource for event in planned} == {
        change.address for change in plan.resource_changes
    }
    assert {event.action for event in planned} == {"create"}

    events.clear()
    state = tofu.apply(saved, on_event=events.append)
    assert sum(event.type == "apply_complete" for event in events) == 3
    assert len(state.resources_of(TerraformData)) == 3
    resource = state.resource("terraform_data.first")
    assert isinstance(resource, StateResource)
    assert isinstance(resource.values, TerraformData)
    assert not isinstance(resource.values.id, Unknown)
    outputs = tofu.output()
    assert (outputs["text"].value, outputs["number"].value) == ("a", NUMBER)
    assert outputs["tags"].is_sensitive
    assert tofu.show().outputs["number"].value == NUMBER

    assert all(change.is_no_op for change in tofu.plan(VARIABLES).resource_changes)
    replaced = tofu.plan({**VARIABLES, "text": "b"}).change("terraform_data.first")
    assert replaced is not None
    assert replaced.is_replace
    assert "triggers_replace" in map(str, replaced.replace_paths)
    tofu.destroy(VARIABLES)
    assert tofu.show().resources == ()


def test_the_schemas(tofu: Tofu) -> None:
    tofu.init()
    [provider] = tofu.providers_schema().values()
    assert "terraform_data" in provider.resources


def test_errors_have_their_place(tofu: Tofu) -> None:
    (tofu.directory / "more.tf").write_text('output "x" {\n  value = var.missing\n}\n')
    tofu.init()
    for run in (tofu.validate, lambda: tofu.plan(VARIABLES)):
        with pytest.raises(RunError, match=r"more\.tf:2: .*undeclared input variable") as caught:
            run()
        [diagnostic] = [each for each in caught.value.diagnostics if each.is_error]
        assert (diagnostic.file, diagnostic.line) == ("more.tf", 2)
        assert diagnostic.context == 'output "x"'
    (tofu.directory / "more.tf").write_text("resource {")
    with pytest.raises(RunError, match=r"more\.tf:1: ") as caught:
        tofu.init()
    assert any(each.line == 1 for each in caught.value.diagnostics)


def test_no_value_is_in_an_error(tofu: Tofu) -> None:
    tofu.init()
    with pytest.raises(RunError) as caught:
        tofu.plan({**VARIABLES, "number": "hunter2", "unheard": 1})
    assert "hunter2" not in caught.value.command
    with pytest.raises(
        DocumentError, match="variables: expected plain values or models, got Unknown"
    ):
        tofu.plan({"text": UNKNOWN})
    with pytest.raises(EncodeError):
        tofu.plan({"text": TerraformData(id=UNKNOWN)})


def test_nothing_is_left_behind(
    tofu: Tofu, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    tofu.init()
    tofu.plan(VARIABLES)
    assert list((tmp_path / "temporary").iterdir()) == []


# Without a core


def program(folder: Path, script: str) -> Path:
    if sys.platform == "win32":
        pytest.skip("the program of the test is a shell script: skipped")
    file = folder / "tofu"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return file


def test_no_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RunError, match="tofu or terraform is not on the PATH"):
        Tofu(tmp_path)
    with pytest.raises(RunError, match="nowhere is not on the PATH"):
        Tofu(tmp_path, program="nowhere")
    found = program(tmp_path, "exit 0")
    assert Tofu(tmp_path).program == str(found)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="No such file"):
        Tofu(tmp_path / "nowhere", program=program(tmp_path, "exit 0")).init()


def test_a_program_that_takes_too_long(tmp_path: Path) -> None:
    tofu = Tofu(tmp_path, program=program(tmp_path, "sleep 60"), timeout=0.3)
    with pytest.raises(RunError, match=r"`tofu init` failed: it did not end within 0\.3 seconds"):
        tofu.init()


@pytest.mark.parametrize("script", ["exit 3", "echo junk; exit 3", "echo '[1]' ; exit 0"])
def test_a_program_that_prints_something_else(tmp_path: Path, script: str) -> None:
    tofu = Tofu(tmp_path, program=program(tmp_path, script))
    for run in (tofu.validate, tofu.output, tofu.plan, tofu.show):
        with pytest.raises((RunError, DocumentError)):
            run()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals: skipped")
def test_an_interrupt_is_handed_on(tmp_path: Path) -> None:
    script = "trap 'echo finished > done; exit 1' INT; echo > ready; while :; do sleep 0.05; done"
    code = f"""
from tofutypes.runner import Tofu
try:
    Tofu({str(tmp_path)!r}, program={str(program(tmp_path, script))!r}).init()
except KeyboardInterrupt:
    print("interrupted")
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    for _ in range(600):
        if (tmp_path / "ready").exists():
            break
        time.sleep(0.05)
    time.sleep(1)  # until it waits for the program
    os.kill(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert out == "interrupted\n"
    assert (tmp_path / "done").read_text() == "finished\n"


def test_it_runs_in_any_thread(tmp_path: Path) -> None:
    found: list[object] = []
    tofu = Tofu(tmp_path, program=program(tmp_path, "echo A warning; echo '{}'"))
    thread = threading.Thread(target=lambda: found.extend(tofu.validate()))
    thread.start()
    thread.join(60)
    assert found == []
    assert not thread.is_alive()
