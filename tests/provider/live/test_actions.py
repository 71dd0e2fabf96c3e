"""Actions and list resources under Terraform; OpenTofu has neither, and loads their providers."""

from __future__ import annotations

import json
import re
import signal

import pytest

from tests.counterparts.cores import TERRAFORM
from tests.provider.live.scenarios import APPLY
from tests.provider.live.terraform import PATIENCE, Workspace, wait_for

pytestmark = pytest.mark.parametrize("core", [TERRAFORM], ids=str)

SHIPS = """
resource "harbor_ship" "a" {
  name = "Peking"
  port = "Hamburg"
}
"""

SIGNAL = """
action "harbor_signal" "horn" {
  config {
    ship = harbor_ship.a.id
    times = 2
  }
}
"""

TRIGGER = """
  lifecycle {
    action_trigger {
      events  = [after_create, after_update]
      actions = [action.harbor_signal.horn]
    }
  }
}
"""


def triggered(more: str = "") -> str:
    return SHIPS.removesuffix("}\n") + more + TRIGGER + SIGNAL


def sounded(workspace: Workspace) -> list[str]:
    """What the horns wrote down, by the ids of ships."""
    return [path.read_text() for path in (workspace.cloud / "signal").glob("*.json")]


def test_an_action_after_a_creation(workspace: Workspace) -> None:
    """The id of the ship is unknown in the plan, and known when the horn sounds."""
    workspace.configure(triggered())
    planned = workspace.plan()
    (invocation,) = planned["action_invocations"]
    assert invocation["address"] == "action.harbor_signal.horn"
    assert "ship" not in invocation["config_values"]
    ran = workspace.apply()
    assert "Peking sounds its horn (1 of 2)" in ran.out
    assert "Peking sounds its horn (2 of 2)" in ran.out
    assert sounded(workspace) == ["2"]
    assert workspace.actions() == {"harbor_ship.a": ["no-op"]}
    workspace.configure(triggered("  speed = 9\n"))
    (workspace.cloud / "signal").rename(workspace.cloud / "before")
    workspace.apply()
    assert sounded(workspace) == ["2"]


def test_an_action_alone(workspace: Workspace) -> None:
    workspace.configure(SHIPS + SIGNAL)
    workspace.apply()
    assert sounded(workspace) == []
    ran = workspace.apply("-invoke=action.harbor_signal.horn")
    assert "Peking sounds its horn (2 of 2)" in ran.out
    assert sounded(workspace) == ["2"]


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("times = 0", "Nobody would hear it"),
        ('ship = "ship-0"', "There is no such ship"),
        ('times = "often"', "a number is required"),
    ],
)
def test_actions_that_fail(workspace: Workspace, config: str, said: str) -> None:
    name = config.partition(" ")[0]
    workspace.configure(SHIPS + re.sub(rf"{name} = .*", config, SIGNAL))
    ran = workspace.run("apply", "-auto-approve")
    if name == "ship":
        assert ran.code == 0
        ran = workspace.run("apply", "-auto-approve", "-invoke=action.harbor_signal.horn")
    assert ran.code == 1
    assert said in ran.said
    assert sounded(workspace) == []


def test_a_warning_of_a_plan(workspace: Workspace) -> None:
    workspace.configure(triggered().replace("times = 2", "times = 6"))
    assert "The port may complain" in workspace.do("plan").said


def test_an_interrupted_action(workspace: Workspace) -> None:
    workspace.configure(triggered().replace("times = 2", "times = 2\n    pause = 600"))
    with workspace.started(*APPLY) as core:
        wait_for("the horn does not sound", lambda: sounded(workspace) == ["1"])
        core.send_signal(signal.SIGINT)
        out, err = core.communicate(timeout=PATIENCE)
    assert core.returncode == 1
    assert "The signal is not finished" in err, out + err
    assert "status" not in workspace.instance("harbor_ship.a")  # the ship is there


def test_an_action_whose_core_was_killed(workspace: Workspace) -> None:
    workspace.configure(triggered().replace("times = 2", "times = 2\n    pause = 600"))
    with workspace.started(*APPLY) as core:
        wait_for("the horn does not sound", lambda: sounded(workspace) == ["1"])
        assert workspace.processes
        core.kill()
    wait_for("an orphan is running", lambda: not workspace.processes)


FLEET = "".join(
    f'resource "harbor_ship" "{name.lower()}" {{\n  name = "{name}"\n  port = "{port}"\n}}\n'
    for name, port in [("Peking", "Hamburg"), ("Passat", "Kiel"), ("Pamir", "Hamburg")]
)


def queried(workspace: Workspace, text: str, *arguments: str) -> list[dict[str, object]]:
    """What `terraform query` finds."""
    workspace.write({"ships.tfquery.hcl": text})
    lines = workspace.do("query", "-json", *arguments).out.splitlines()
    events = [json.loads(line) for line in lines if line.startswith("{")]
    return [event["list_resource_found"] for event in events if "list_resource_found" in event]


def test_a_query(workspace: Workspace) -> None:
    workspace.configure(FLEET)
    workspace.apply()
    found = queried(workspace, 'list "harbor_ship" "all" {\n  provider = harbor\n}\n')
    assert sorted(str(each["display_name"]) for each in found) == [
        "Pamir of Hamburg",
        "Passat of Kiel",
        "Peking of Hamburg",
    ]
    assert {"name": "Pamir", "port": "Hamburg"} in [each["identity"] for each in found]
    assert not any(each.get("resource_object") for each in found)


def test_a_query_with_everything(workspace: Workspace) -> None:
    workspace.configure(FLEET)
    workspace.apply()
    (found,) = queried(
        workspace,
        """
        list "harbor_ship" "some" {
          provider         = harbor
          include_resource = true
          limit            = 1
          config {
            port = "Kiel"
          }
        }
        """,
    )
    assert found["display_name"] == "Passat of Kiel"
    ship = found["resource_object"]
    assert isinstance(ship, dict)
    assert (ship["name"], ship["id"]) == (
        "Passat",
        workspace.attributes("harbor_ship.passat")["id"],
    )


def test_a_limited_query(workspace: Workspace) -> None:
    workspace.configure(FLEET)
    workspace.apply()
    found = queried(workspace, 'list "harbor_ship" "two" {\n  provider = harbor\n  limit = 2\n}\n')
    assert len(found) == 2


def test_configuration_that_is_generated_from_a_query(workspace: Workspace) -> None:
    workspace.configure(FLEET)
    workspace.apply()
    queried(
        workspace,
        'list "harbor_ship" "kiel" {\n  provider = harbor\n  config {\n    port = "Kiel"\n  }\n}\n',
        "-generate-config-out=generated.tf",
    )
    generated = (workspace.folder / "generated.tf").read_text()
    assert re.search(r'resource "harbor_ship" "kiel_0" {', generated)
    assert re.search(r'name\s+= "Passat"', generated)
    assert re.search(r"import {[^}]*identity = {", generated)
