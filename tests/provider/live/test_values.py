"""Unknown values and odd ones, under Terraform's core."""

import re
from collections.abc import Sequence

import pytest

from tests.counterparts.cores import TOFU
from tests.provider.live.scenarios import KEPT, Step, play
from tests.provider.live.terraform import Workspace

SHIP = "harbor_ship.a"
DOCK = "harbor_dock.a"


def ship(more: str = "", name: str = "Peking", port: str = "Hamburg") -> str:
    return f'resource "harbor_ship" "a" {{\n  name = "{name}"\n  port = "{port}"\n{more}\n}}\n'


UNKNOWN = """
resource "terraform_data" "n" { input = 3 }
resource "terraform_data" "l" { input = ["x", "y"] }
resource "harbor_ship" "a" {
  name  = "ship ${terraform_data.n.output}"
  port  = "Hamburg"
  draft = terraform_data.n.output / 10
  log   = terraform_data.l.output
  captain { name = "Ann ${terraform_data.n.output}" }
  berth { latitude = terraform_data.n.output }
  dynamic "hold" {
    for_each = terraform_data.l.output
    content { tons = terraform_data.n.output }
  }
  flag { country = "c${terraform_data.n.output}" }
  flag { country = "c3" }
  cabin "bow" { beds = terraform_data.n.output }
}
resource "harbor_dock" "a" {
  name     = "north"
  crane    = { reach = terraform_data.n.output }
  lanes    = [for each in terraform_data.l.output : { width = 1 }]
  rules    = [{ cargo = "c${terraform_data.n.output}" }, { cargo = "c3" }]
  slots    = { for each in terraform_data.l.output : each => { length = 1 } }
  openings = [for each in terraform_data.l.output : { day = each, hour = 1 }]
}
"""

UNKNOWN_VALUES = [
    Step(
        "anything may be unknown until it is applied",
        UNKNOWN,
        {
            SHIP: "create",
            DOCK: "create",
            "terraform_data.n": "create",
            "terraform_data.l": "create",
        },
        {
            SHIP: {
                "name": "ship 3",
                "draft": "0.3",
                "log": {"value": ["x", "y"]},
                "captain": {"license": "license-Ann 3"},
                "hold": [{"tons": 3}, {"tons": 3}],
                "tonnage": 6,
                "flag": [{"country": "c3"}],  # both are the same
                "cabin": {"bow": {"deck": "A"}},
            },
            DOCK: {
                "crane": {"reach": 3},
                "lanes": [{"buoy": "buoy 0"}, {"buoy": "buoy 1"}],
                "rules": [{"cargo": "c3"}],
                "slots": {"x": {"free": True}, "y": {"free": True}},
                "openings": [{"day": "x"}, {"day": "y"}],
            },
        },
    ),
    Step("nothing to do"),
    Step(
        "and when it changes",
        UNKNOWN.replace('"x", "y"', '"y"').replace("input = 3", "input = 4"),
        {
            SHIP: "update",
            DOCK: "update",
            "terraform_data.n": "update",
            "terraform_data.l": "update",
        },
        {
            SHIP: {
                "id": KEPT,
                "hold": [{"tons": 4, "id": KEPT}],
                "flag": [{"country": "c3", "registration": KEPT}, {"country": "c4"}],
            },
            DOCK: {"slots": {"y": KEPT}, "lanes": [KEPT]},
        },
    ),
]

NULL_ELEMENTS = [
    Step(
        "elements that are null",
        """
        resource "harbor_dock" "a" {
          name  = "north"
          lanes = [null, { width = 1 }]
          rules = []
          slots = { east = null, west = { length = 1 } }
        }
        """,
        {DOCK: "create"},
        {
            DOCK: {
                "lanes": [None, {"buoy": "buoy 1"}],
                "slots": {"east": None, "west": {"free": True}},
                "rules": [],
            }
        },
    ),
    Step("nothing to do"),
]

ODD_VALUES = [
    Step(
        "numbers with many digits, types inside of a dynamic value",
        ship(
            """
            draft = 1 / 3
            log = {
              a = null
              b = []
              c = toset(["x"])
              d = tomap({ x = 1 / 3 })
            }
            hold { tons = 1 / 3 }
            hold { tons = 1e100 }
            hold { tons = 123456789012345678901234567890.123456789 }
            """,
            name="A\u030angstr\u00f6m",
        ),
        {SHIP: "create"},
        {SHIP: {"name": "\u00c5ngstr\u00f6m", "draft": re.compile("0[.]3{150,}5?")}},
    ),
    Step("nothing to do"),
    Step(
        "changes are ignored",
        ship("draft = 3\nlifecycle { ignore_changes = all }", name="other", port="other"),
    ),
    Step(
        "some changes are ignored",
        ship("draft = 3\nlifecycle { ignore_changes = [draft, hold] }", name="other"),
        {SHIP: "update"},
        {SHIP: {"name": "other", "draft": KEPT, "log": None, "hold": [KEPT, KEPT, KEPT]}},
    ),
]

SCENARIOS = {"unknown values": UNKNOWN_VALUES, "odd values": ODD_VALUES}


@pytest.mark.parametrize("steps", SCENARIOS.values(), ids=SCENARIOS.keys())
def test_values(workspace: Workspace, steps: Sequence[Step]) -> None:
    with workspace.debugging() as variable:
        play(workspace, steps, **variable)


def test_null_elements(workspace: Workspace, request: pytest.FixtureRequest) -> None:
    if workspace.core is TOFU:
        crash = "observed, OpenTofu 1.12.6: panic in assertPlannedAttrValid"
        request.applymarker(pytest.mark.xfail(reason=crash, strict=False))
    with workspace.debugging() as variable:
        play(workspace, NULL_ELEMENTS, **variable)
