"""What a provider offers beside resources: functions, data sources, ephemeral resources, itself."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from examples.harbor.harbor.provider import Harbor
from tests.counterparts.cores import TOFU
from tests.provider.live.scenarios import PLAN, VALIDATE, Step, play
from tests.provider.live.terraform import Workspace
from tofutypes import read_schemas
from tofutypes.provider.client import host

SHIP = "harbor_ship.a"

FLEET = """
resource "harbor_ship" "a" {
  name = "Peking"
  port = "Hamburg"
  hold { tons = 0.1 }
}
data "harbor_fleet" "a" {
  port = harbor_ship.a.port
  %s
}
output "fleet" { value = data.harbor_fleet.a.ships }
"""


def output(expression: str) -> str:
    return f'output "a" {{\n  value = {expression}\n}}'


def call(expression: str, value: object) -> Step:
    return Step(expression, output(f"provider::harbor::{expression}"), output={"a": value})


def refused(expression: str, why: str) -> Step:
    config = output(f"provider::harbor::{expression}")
    return Step(expression, config, says=["error: Invalid function argument", why], fails=True)


FUNCTIONS = [
    call('join_name("-", "a", "", "b")', "a-b"),
    call('join_name("-")', ""),
    call("sum_exactly(0.1, 0.2)", "0.3"),
    call('parse_position("53.55,9.990000000000000000001").longitude', "9.990000000000000000001"),
    refused('parse_position("here")', 'for "text" parameter: Two numbers with a comma'),
    refused('join_name("-", "a", "b-c")', 'for "parts" parameter: A part must not'),
    refused("join_name(null)", "argument must not be null"),
]

DATA = [
    Step(
        "read in apply, after what it depends on",
        FLEET % "depends_on = [harbor_ship.a]",
        {SHIP: "create", "data.harbor_fleet.a": "read"},
        output={
            "fleet": [{"name": "Peking", "tonnage": "0.1", "id": re.compile("ship-[0-9a-f]{8}")}]
        },
    ),
    Step("read in plan", FLEET % "", output={"fleet": [{"name": "Peking", "tonnage": "0.1"}]}),
]

EPHEMERAL = [
    Step(
        "a write-only attribute of another ephemeral value",
        """
        ephemeral "harbor_pass" "a" { bearer = "Ann" }
        resource "harbor_ship" "a" {
          name               = "Peking"
          port               = "Hamburg"
          start_code         = ephemeral.harbor_pass.a.token
          start_code_version = 1
        }
        """,
        {SHIP: "create"},
        {SHIP: {"start_code": None}},
        says=[
            re.compile(
                "ephemeral.harbor_pass.a: Open(ing)? complete.* Clos(e|ing) complete", re.DOTALL
            )
        ],
    ),
    Step(
        "a wrong one",
        'ephemeral "harbor_pass" "a" {\n  bearer = "Ann"\n  token = "x"\n}',
        says=["error: Invalid value: token is decided by the provider and cannot be set."],
        fails=True,
    ),
]

CONFIGURATION = [
    Step(
        "of the provider",
        FLEET % "",
        command=VALIDATE,
        settings='folder = "x"\nspeed_limit = 0',
        says=["error: Nobody could move: At least 1 knot is required. @ speed_limit = 0"],
        fails=True,
    ),
    Step(
        "missing",
        FLEET % "",
        command=VALIDATE,
        settings="folder = null",
        says=["error: Invalid value: Expected a value, got null. @ folder = null"],
        fails=True,
    ),
    Step(
        "unknown in the plan, and known in apply",
        """
        resource "terraform_data" "a" { input = "$FOLDER/cloud" }
        resource "harbor_ship" "a" {
          name = "Peking"
          port = "Hamburg"
        }
        """,
        {SHIP: "create", "terraform_data.a": "create"},
        {SHIP: {"id": re.compile("ship-[0-9a-f]{8}"), "speed": 12}},
        settings="folder = terraform_data.a.output",
    ),
    Step(
        "what a plan needs while it is unknown",
        """
        resource "terraform_data" "a" { input = "$FOLDER/cloud" }
        resource "terraform_data" "b" { input = "$FOLDER/cloud" }
        resource "harbor_ship" "a" {
          name = "Peking"
          port = "Hamburg"
        }
        """,
        {"terraform_data.b": "create"},
        settings="folder = terraform_data.b.output",
        says=["error: The harbor cannot be reached yet: Its folder is known only after apply."],
        fails=True,
        command=PLAN,
    ),
    Step(
        "several errors, each at its place",
        """
        resource "harbor_ship" "a" {
          name = null
          port = "Hamburg"
          tonnage = 3
          hold { tons = 1 }
          hold { tons = -1 }
        }
        """,
        command=VALIDATE,
        says=["Expected a value, got null. @ name = null"],
        fails=True,
    ),
    Step(
        "inside of a block",
        """
        resource "harbor_ship" "a" {
          name = "Peking"
          port = "Hamburg"
          hold { tons = 1 }
          hold { tons = -1 }
        }
        """,
        command=VALIDATE,
        says=["error: An empty hold: It takes more than 0 tons. @ hold { tons = -1 }"],
        fails=True,
    ),
]

SCENARIOS = {
    "functions": FUNCTIONS,
    "data": DATA,
    "ephemeral": EPHEMERAL,
    "configuration": CONFIGURATION,
}


@pytest.mark.parametrize("steps", SCENARIOS.values(), ids=SCENARIOS.keys())
def test_offer(workspace: Workspace, steps: Sequence[Step]) -> None:
    with workspace.debugging() as variable:
        play(workspace, steps, **variable)
    assert not list((workspace.cloud / "pass").glob("*.json"))  # all are closed


def test_the_core_sees_the_schema_that_is_meant(workspace: Workspace) -> None:
    workspace.configure("")
    seen = read_schemas(workspace.do("providers", "schema", "-json").out.encode())
    with host(Harbor) as harbor:
        meant = harbor.schema
    if workspace.core is TOFU:  # which knows neither
        meant = replace(meant, list_resources={}, actions={})
    assert seen[Harbor.address] == meant


def test_refinements_reach_the_configuration(workspace: Workspace) -> None:
    """What the plan says of an unknown value is enough to decide this."""
    workspace.configure(
        """
        resource "harbor_ship" "a" {
          name = "Peking"
          port = "Hamburg"
        }
        resource "terraform_data" "a" { count = harbor_ship.a.id == null ? 1 : 2 }
        output "is_ship" { value = startswith(harbor_ship.a.id, "ship-") }
        """
    )
    plan = workspace.plan()
    assert plan["planned_values"]["outputs"]["is_ship"]["value"] is True
    assert len(plan["resource_changes"]) == 3
