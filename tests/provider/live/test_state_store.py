"""A state store under Terraform's core: an experiment, which releases do not have."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.counterparts.cores import EXPERIMENTAL
from tests.provider.live.terraform import SOURCES, Ran, Workspace, wait_for

pytestmark = pytest.mark.parametrize("core", [EXPERIMENTAL], ids=str, indirect=True)

EXPERIMENT = {"TF_ENABLE_PLUGGABLE_STATE_STORAGE": "1"}
MIRROR = "mirror/registry.opentofu.org/example/depot/1.0.0"
PLATFORMS = ("linux_amd64", "linux_arm64")
CONFIGURATION = """
terraform {
  required_providers {
    depot = { source = "registry.opentofu.org/example/depot" }
  }
  state_store "depot_folder" {
    provider "depot" {}
    path = "$FOLDER/states"
  }
}
resource "terraform_data" "a" {
  input = "hello"
  provisioner "local-exec" {
    working_dir = "$FOLDER"
    command     = "$COMMAND"
  }
}
output "a" { value = terraform_data.a.output }
"""


def configure(workspace: Workspace, *, command: str = "true") -> None:
    """Write the configuration; the provider of a state store has to be installed."""
    for platform in PLATFORMS:
        folder = workspace.folder / MIRROR / platform
        folder.mkdir(parents=True, exist_ok=True)
        workspace.write_program(folder / "terraform-provider-depot_v1.0.0", *SOURCES["depot"])
    configuration = CONFIGURATION.replace("$COMMAND", command)
    workspace.write(
        {
            "main.tf": configuration.replace("$FOLDER", str(workspace.folder)),
            "rc": "provider_installation {\n"
            f'filesystem_mirror {{ path = "{workspace.folder}/mirror" }}\n}}',
        }
    )


def do(workspace: Workspace, *arguments: str) -> Ran:
    return workspace.do(*arguments, **EXPERIMENT)


def refused(workspace: Workspace, *arguments: str) -> str:
    ran = workspace.run(*arguments, **EXPERIMENT)
    assert ran.code == 1
    return ran.said


def files(workspace: Workspace) -> list[str]:
    return sorted(path.name for path in (workspace.folder / "states").iterdir())


def stored(workspace: Workspace) -> dict[str, Any]:
    state: dict[str, Any] = json.loads(
        (workspace.folder / "states" / "default.tfstate").read_text()
    )
    return state


def test_the_life_of_a_state(workspace: Workspace) -> None:
    configure(workspace)
    do(workspace, "init")
    assert files(workspace) == ["default.tfstate"]
    assert "1 to add" in do(workspace, "plan").said
    do(workspace, "apply", "-auto-approve")
    assert files(workspace) == ["default.tfstate"]  # no lock is left
    assert stored(workspace)["outputs"]["a"]["value"] == "hello"
    assert "No changes" in do(workspace, "plan").said
    assert do(workspace, "state", "list").out.split() == ["terraform_data.a"]

    do(workspace, "workspace", "new", "blue")
    assert files(workspace) == ["blue.tfstate", "default.tfstate"]
    assert "1 to add" in do(workspace, "plan").said
    assert do(workspace, "workspace", "list").out.split() == ["*", "blue", "default"]
    do(workspace, "workspace", "select", "default")
    do(workspace, "workspace", "delete", "blue")
    assert files(workspace) == ["default.tfstate"]


def test_the_lock_of_a_core_that_was_killed(workspace: Workspace) -> None:
    configure(workspace, command="touch started && sleep 600")
    do(workspace, "init")
    with workspace.started("apply", "-auto-approve", **EXPERIMENT) as core:
        wait_for("the provisioner does not run", (workspace.folder / "started").exists)
        core.kill()
    wait_for("an orphan is running", lambda: not workspace.processes)
    workspace.remove_sockets()
    assert stored(workspace)["resources"] == []  # a whole state
    lock = json.loads((workspace.folder / "states" / "default.lock").read_text())
    assert lock["operation"] == "OperationTypeApply"

    configure(workspace)
    locked = f"The state is locked: Lock {lock['id']} (OperationTypeApply, "
    assert locked in refused(workspace, "plan")
    assert "Failed to unlock state" in refused(workspace, "force-unlock", "-force", "wrong")
    do(workspace, "force-unlock", "-force", lock["id"])
    do(workspace, "plan")


def test_a_state_that_cannot_be_stored(workspace: Workspace) -> None:
    """Core keeps it in a file of its own."""
    configure(workspace, command="rm states/default.tfstate && mkdir states/default.tfstate")
    do(workspace, "init")
    said = refused(workspace, "apply", "-auto-approve")
    assert "writing of a state of depot_folder failed: Is a directory." in said
    errored = json.loads((workspace.folder / "errored.tfstate").read_text())
    assert errored["outputs"]["a"]["value"] == "hello"
    assert files(workspace) == ["default.tfstate"]


def test_a_configuration_that_cannot_be_used(workspace: Workspace) -> None:
    configure(workspace)
    (workspace.folder / "states").write_text("a file")
    assert "configuration of depot_folder failed File exists." in refused(workspace, "init")
