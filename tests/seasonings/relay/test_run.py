"""Hooks around OpenTofu and Terraform, with real providers behind relays."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.seasonings.relay.folders import Folder


@pytest.fixture(params=["tofu", "terraform"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Folder:
    return Folder(tmp_path, request.param)


@pytest.fixture
def tofu(tmp_path: Path) -> Folder:
    return Folder(tmp_path, "tofu")


def by_hook(entries: list[dict[str, Any]], hook: str) -> dict[str, dict[str, Any]]:
    return {entry["type"]: entry for entry in entries if entry["hook"] == hook}


def test_a_life_without_secrets(folder: Folder) -> None:
    done = folder.hooked("apply", "-auto-approve")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 added" in done.stdout
    secret = folder.resources["random_password"]["result"]
    assert folder.resources["local_file"]["content"] == secret
    assert secret not in folder.record.read_text()
    entries = folder.entries
    planned = by_hook(entries, "post_plan")["random_string"]
    assert planned["action"] == "create"
    assert planned["metadata"] == {"recorder": {"saw": "pre_plan"}}
    assert planned["provider"].endswith("/hashicorp/random")
    assert planned["values"]["before"] == "None"
    assert "'length': 9" in planned["values"]["after"]
    assert "'id': Unknown(" in planned["values"]["after"]
    applied = by_hook(entries, "post_apply")
    assert applied["random_password"]["redacted"] == ["bcrypt_hash", "result"]
    assert applied["local_file"]["redacted"] == ["content"]  # equal to the password
    assert repr(folder.resources["random_string"]["result"]) in str(applied["random_string"])
    assert secret not in (folder.path / "plugin-metadata.json").read_text()

    done = folder.hooked("plan", "-out=the.plan")
    assert done.returncode == 0
    assert "No changes" in done.stdout
    assert secret not in folder.record.read_text()
    entries = folder.entries
    assert by_hook(entries, "post_refresh")["random_string"]["action"] == "read"
    assert by_hook(entries, "post_plan")["random_string"]["action"] == "no-op"
    metadata = json.loads((folder.path / "the.plan.metadata.json").read_text())
    assert {"hook": "planStageStart", "metadata": {"recorder": {"saw": "plan_start"}}} in metadata[
        "hooks"
    ]

    done = folder.hooked("destroy", "-auto-approve")
    assert "3 destroyed" in done.stdout
    assert by_hook(folder.entries, "post_apply")["random_string"]["action"] == "delete"


def test_secrets_on_demand(tofu: Folder) -> None:
    tofu.hooked("apply", "-auto-approve", options=["--send-sensitive"])
    assert tofu.resources["random_password"]["result"] in tofu.record.read_text()


def test_a_plan_that_fails_at_its_line(folder: Folder) -> None:
    done = folder.hooked("plan", ON_POST_PLAN="fail random_string")
    assert done.returncode == 1
    assert "Error: post_plan says no (plugin recorder)" in done.stderr
    assert 'on main.tf line 6, in resource "random_string" "name"' in done.stderr
    assert "length = var.length" in done.stderr
    assert "Ask somebody else." in done.stderr
    assert [entry["hook"] for entry in folder.entries if "error" in entry] == [
        "plan_start",
        "plan_fail",
    ]


def test_warnings(tofu: Folder) -> None:
    done = tofu.hooked("plan", ON_PRE_PLAN="warn random_string")
    assert done.returncode == 0
    assert "Warning: pre_plan is not happy (plugin recorder)" in done.stdout


def test_what_a_hook_refuses_is_not_applied(tofu: Folder) -> None:
    done = tofu.hooked("apply", "-auto-approve", ON_PRE_APPLY="fail random_string")
    assert done.returncode == 1
    assert "Error: pre_apply says no (plugin recorder)" in done.stderr
    assert set(tofu.resources) == {"random_password", "local_file"}
    done = tofu.hooked("apply", "-auto-approve")
    assert "1 added" in done.stdout
    done = tofu.hooked("destroy", "-auto-approve", ON_PRE_APPLY="fail random_string")
    assert done.returncode == 1
    assert set(tofu.resources) == {"random_string"}


def test_a_refresh_that_fails(tofu: Folder) -> None:
    tofu.hooked("apply", "-auto-approve")
    before = tofu.resources
    done = tofu.hooked("plan", ON_PRE_REFRESH="fail random_string")
    assert done.returncode == 1
    assert "Error: pre_refresh says no" in done.stderr
    assert tofu.resources == before


def test_hooks_that_raise_and_plugins_that_die(tofu: Folder) -> None:
    done = tofu.hooked("plan", ON_POST_PLAN="raise random_string")
    assert done.returncode == 1
    assert "hook postPlan: hook post_plan: raised ValueError (recorder.py, line" in " ".join(
        done.stderr.replace("│", " ").split()
    )
    assert "a secret" not in done.stderr
    done = tofu.hooked("plan", ON_POST_PLAN="die random_string")
    assert done.returncode == 1
    assert "exited with code 3" in " ".join(done.stderr.split())


def test_stages_that_fail(tofu: Folder) -> None:
    done = tofu.hooked("plan", ON_PLAN_START="fail")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: plan_start says no (plugin recorder)")
    assert [entry["hook"] for entry in tofu.entries] == ["plan_start"]
    done = tofu.hooked("plan", ON_PLAN_COMPLETE="fail")
    assert done.returncode == 1
    assert "3 to add" in done.stdout
    complete = tofu.entries[-1]
    assert complete["hook"] == "plan_complete"
    assert len(complete["resources"]) == 3


def test_exit_codes_are_those_of_the_command(tofu: Folder) -> None:
    assert tofu.hooked("plan", "-detailed-exitcode").returncode == 2
    assert tofu.entries[-1]["hook"] == "plan_complete"
    assert tofu.hooked("plan", "-no-such-option").returncode == 1
    assert tofu.hooked("fmt", "-check", "-diff").returncode in (0, 3)


def test_plugins_and_commands_that_are_not_there(tofu: Folder) -> None:
    done = tofu.hooked("plan", options=["--plugin", "no-such-plugin"])
    assert done.returncode == 2
    assert done.stderr == "tofutypes: error: no-such-plugin: command not found\n"
    tofu.program = "no-such-program"
    done = tofu.hooked("plan")
    assert done.returncode == 2
    assert done.stderr == "tofutypes: error: no-such-program: No such file or directory\n"
