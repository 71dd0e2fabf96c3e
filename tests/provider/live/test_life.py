"""What happens to objects in their lives, under Terraform's core."""

import re
from collections.abc import Sequence

import pytest

from tests.provider.live.scenarios import (
    CHANGED,
    DESTROY,
    KEPT,
    REFRESH,
    Step,
    play,
)
from tests.provider.live.terraform import Workspace

SHIP = "harbor_ship.a"
DOCK = "harbor_dock.a"
LABEL = "harbor_label.a"
FILE = "harbor_file.a"


def ship(more: str = "", name: str = "Peking", port: str = "Hamburg") -> str:
    return f'resource "harbor_ship" "a" {{\n  name = "{name}"\n  port = "{port}"\n{more}\n}}\n'


FITTED = """
  draft = 0.1
  log   = { crew = ["Ann", 3], weight = 0.1 }
  captain { name = "Ann" }
  berth { latitude = 53.5500000000000000000001 }
  hold { tons = 0.1 }
  hold { tons = 0.2 }
  flag { country = "de" }
  flag { country = "dk" }
  cabin "bow" { beds = 2 }
"""

BLOCKS = [
    Step(
        "create",
        ship(FITTED),
        {SHIP: "create"},
        {
            SHIP: {
                "id": re.compile("ship-[0-9a-f]{8}"),
                "draft": "0.1",
                "speed": 12,
                "tonnage": "0.3",  # exactly
                "log": {"value": {"crew": ["Ann", 3], "weight": "0.1"}},
                "captain": {"name": "Ann", "license": "license-Ann"},
                "berth": {"latitude": "53.5500000000000000000001", "pier": None},
                "hold": [{"tons": "0.1"}, {"tons": "0.2", "id": re.compile("hold-.*")}],
                "flag": [{"registration": re.compile("de-.*")}, {"country": "dk"}],
                "cabin": {"bow": {"beds": 2, "deck": "A"}},
            }
        },
    ),
    Step("nothing to do"),
    Step(
        "change in place: what is kept and what is new",
        ship(
            FITTED.replace("tons = 0.2", "tons = 0.25")
            .replace('flag { country = "dk" }', 'flag { country = "nl" }')
            .replace('cabin "bow" { beds = 2 }', 'cabin "stern" { beds = 1 }')
        ),
        {SHIP: "update"},
        {
            SHIP: {
                "id": KEPT,
                "radio_code": KEPT,
                "captain": KEPT,
                "tonnage": "0.35",
                "hold": [KEPT, {"tons": "0.25", "id": KEPT}],
                "flag": [KEPT, {"country": "nl", "registration": re.compile("nl-.*")}],
                "cabin": {"stern": {"deck": "B"}},
            }
        },
    ),
    Step(
        "add and remove blocks",
        ship('hold { tons = 0.1 }\nhold { tons = 1 }\nhold { tons = 2 }\nlog = "text"'),
        {SHIP: "update"},
        {
            SHIP: {
                "captain": None,
                "berth": {"latitude": None},
                "hold": [KEPT, {"id": KEPT}, {"id": re.compile("hold-.*")}],
                "flag": [],
                "cabin": {},
                "log": {"value": "text", "type": "string"},
                "draft": None,
            }
        },
    ),
]

ATTRIBUTES = """
resource "harbor_dock" "a" {
  name     = "north"
  crane    = { reach = 30 }
  lanes    = [{ width = 12.1 }, { width = 14 }]
  rules    = [{ cargo = "coal", allowed = false }, { cargo = "wood" }]
  slots    = { east = { length = 100 }, west = { length = 0.1 } }
  openings = [{ day = "mon", hour = 8 }, { day = "tue", hour = 9 }]
}
"""

NESTED_ATTRIBUTES = [
    Step(
        "create",
        ATTRIBUTES,
        {DOCK: "create"},
        {
            DOCK: {
                "crane": {"reach": 30, "serial": re.compile("crane of dock-.*")},
                "lanes": [{"width": "12.1", "buoy": "buoy 0"}, {"width": 14, "buoy": "buoy 1"}],
                "rules": [{"cargo": "coal", "allowed": False}, {"cargo": "wood"}],
                "slots": {"east": {"free": True}, "west": {"length": "0.1"}},
                "openings": [{"day": "mon", "hour": 8}, {"day": "tue"}],
            }
        },
    ),
    Step("nothing to do"),
    Step(
        "another order is no change of sets",
        ATTRIBUTES.replace(
            '{ cargo = "coal", allowed = false }, { cargo = "wood" }',
            '{ cargo = "wood" }, { cargo = "coal", allowed = false }',
        ).replace(
            '{ day = "mon", hour = 8 }, { day = "tue", hour = 9 }',
            '{ day = "tue", hour = 9 }, { day = "mon", hour = 8 }',
        ),
    ),
    Step(
        "change in place",
        ATTRIBUTES.replace("reach = 30", "reach = 40")
        .replace(", { width = 14 }", "")
        .replace("west", "south"),
        {DOCK: "update"},
        {
            DOCK: {
                "id": KEPT,
                "crane": {"reach": 40, "serial": KEPT},
                "lanes": [{"buoy": "buoy 0"}],
                "slots": {"east": KEPT, "south": {"free": True}},
            }
        },
    ),
    Step(
        "all of it gone",
        'resource "harbor_dock" "a" { name = "north" }',
        {DOCK: "update"},
        {DOCK: {"crane": None, "lanes": None, "rules": None, "slots": None, "openings": None}},
    ),
]

REPLACEMENT = [
    Step("create", ship(), {SHIP: "create"}),
    Step(
        "an attribute of `replace_on`",
        ship(port="Kiel"),
        {SHIP: "replace"},
        {SHIP: {"id": CHANGED}},
    ),
    Step(
        "on demand",
        does={SHIP: "replace"},
        state={SHIP: {"id": CHANGED}},
        command=("apply", "-auto-approve", f"-replace={SHIP}"),
    ),
    Step(
        "the new one first",
        ship("lifecycle { create_before_destroy = true }", port="Bremen"),
        {SHIP: "replace"},
        {SHIP: {"id": CHANGED, "port": "Bremen"}},
    ),
    Step(
        "what cannot be changed at all",
        ship(port="Bremen") + 'resource "harbor_label" "a" { text = "one" }',
        {LABEL: "create"},
    ),
    Step(
        "no `update`",
        ship(port="Bremen") + 'resource "harbor_label" "a" { text = "two" }',
        {LABEL: "replace"},
        {LABEL: {"id": CHANGED, "text": "two"}},
    ),
]

DELETION = [
    Step("create", ship('protected = true\ncabin "bow" { beds = 1 }'), {SHIP: "create"}),
    Step(
        "refused, and the attribute named",
        says=["error: The ship is protected: Set `protected = false` first."],
        fails=True,
        command=DESTROY,
        state={SHIP: {"id": KEPT}},
    ),
    Step("no longer protected", ship('cabin "bow" { beds = 1 }'), {SHIP: "update"}),
    Step(
        "warned of",
        does={SHIP: "delete"},
        says=["warning: There may be people on board: All cabins are sunk with the ship."],
        command=DESTROY,
    ),
]

WRITE_ONLY = [
    Step(
        "sent, and not stored",
        ship('start_code = "4711"\nstart_code_version = 1'),
        {SHIP: "create"},
        {SHIP: {"start_code": None}},
    ),
    Step(
        "a new code is not sent while its version is the same",
        ship('start_code = "4712"\nstart_code_version = 1\ndraft = 1'),
        {SHIP: "update"},
        says=["warning: The new start code is not sent", '@ start_code = "4712"'],
    ),
    Step(
        "what is kept beside the state is still there",
        ship('start_code = "4711"\nstart_code_version = 1\ndraft = 2'),
        {SHIP: "update"},
    ),
    Step(
        "a new version",
        ship('start_code = "4712"\nstart_code_version = 2\ndraft = 1'),
        {SHIP: "update"},
    ),
    Step("nothing to do"),
]

FILES = [
    Step(
        "computed in the plan",
        'resource "harbor_file" "a" {\n  path = "$FOLDER/note"\n  content = "hello"\n}',
        {FILE: "create"},
        {FILE: {"sha256": re.compile("2cf24dba5fb0a30e26e83b2ac5b9e29e1b16.*")}},
    ),
    Step(
        "changed by somebody else",
        files={"note": "bye"},
        says=["Drift detected"],
        state={FILE: {"content": "bye", "sha256": CHANGED}},
        command=REFRESH,
    ),
    Step("and back", does={FILE: "update"}, state={FILE: {"content": "hello"}}),
    Step(
        "another path",
        'resource "harbor_file" "a" {\n  path = "$FOLDER/other"\n  content = "hello"\n}',
        {FILE: "replace"},
    ),
    Step(
        "a relative path",
        'resource "harbor_file" "a" {\n  path = "note"\n  content = ""\n}',
        says=['error: The path is not absolute: It begins with a slash. @ path = "note"'],
        fails=True,
    ),
]

SCENARIOS = {
    "blocks": BLOCKS,
    "nested attributes": NESTED_ATTRIBUTES,
    "replacement": REPLACEMENT,
    "deletion": DELETION,
    "write-only": WRITE_ONLY,
    "files": FILES,
}


@pytest.mark.parametrize("steps", SCENARIOS.values(), ids=SCENARIOS.keys())
def test_life(workspace: Workspace, steps: Sequence[Step]) -> None:
    with workspace.debugging() as variable:  # one process, which is quicker
        play(workspace, steps, **variable)
