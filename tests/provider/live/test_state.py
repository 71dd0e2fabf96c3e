"""Objects that come from elsewhere: imported, moved, of older versions, gone."""

import json
import re
from collections.abc import Mapping, Sequence

import pytest

from tests.provider.live.scenarios import CHANGED, PLAN, Step, play
from tests.provider.live.terraform import Workspace

SHIP = "harbor_ship.a"
LABEL = "harbor_label.a"
FILE = "harbor_file.a"

CONFIG = """
resource "harbor_ship" "a" {
  name  = "Peking"
  port  = "Hamburg"
  draft = 0.1
}
"""

IN_THE_CLOUD = {
    "cloud/ship/ship-1.json": json.dumps(
        {
            "id": "ship-1",
            "name": "Peking",
            "port": "Hamburg",
            "draft": 0.1,
            "speed": 12,
            "tonnage": 0,
            "radio_code": "abc",
            "berth": {},
        }
    )
}


def state_of(version: int, attributes: Mapping[str, object]) -> str:
    """A state as a core stored it, with one ship in it."""
    provider = 'provider["registry.opentofu.org/example/harbor"]'
    instance = {"schema_version": version, "attributes": attributes, "sensitive_attributes": []}
    resource = {"mode": "managed", "type": "harbor_ship", "name": "a", "provider": provider}
    return json.dumps(
        {
            "version": 4,
            "terraform_version": "1.5.0",
            "serial": 1,
            "lineage": "0e8ad2a0-7e7d-4d1c-8c8d-0b3f2f3f7c11",
            "outputs": {},
            "resources": [{**resource, "instances": [instance]}],
            "check_results": None,
        }
    )


def import_block(wanted: str) -> str:
    return f"import {{\n  to = harbor_ship.a\n  {wanted}\n}}\n{CONFIG}"


IMPORTED = {SHIP: {"id": "ship-1", "draft": "0.1", "radio_code": "abc", "hold": []}}

IMPORT = [
    Step(
        "by the command",
        CONFIG,
        files=IN_THE_CLOUD,
        command=("import", SHIP, "ship-1"),
        state=IMPORTED,
    ),
    Step("nothing to do"),
    Step("forget it", command=("state", "rm", SHIP)),
    Step(
        "by a block",
        import_block('id = "ship-1"'),
        {SHIP: "import"},
        IMPORTED,
        says=["1 to import, 0 to add, 0 to change, 0 to destroy"],
    ),
    Step("forget it", command=("state", "rm", SHIP)),
    Step(
        "by its identity",
        import_block('identity = { port = "Hamburg", name = "Peking" }'),
        {SHIP: "import"},
        IMPORTED,
    ),
    Step("forget it", command=("state", "rm", SHIP)),
    Step(
        "one that is not there",
        import_block('identity = { port = "Kiel", name = "Peking" }'),
        says=["error: There is no such ship: It has another port, name or id."],
        fails=True,
    ),
    Step(
        "what cannot be imported",
        'resource "harbor_label" "a" { text = "x" }',
        command=("import", LABEL, "label-1"),
        says=["harbor_label cannot be imported"],
        fails=True,
    ),
    Step(
        "a file",
        'resource "harbor_file" "a" {\n  path = "$FOLDER/note"\n  content = "hello"\n}',
        files={"note": "hello"},
        command=("import", FILE, "note"),
        state={FILE: {"path": "note", "content": "hello"}},
    ),
]

MOVE = [
    Step(
        "of another provider",
        'resource "terraform_data" "a" { input = "Peking" }',
        {"terraform_data.a": "create"},
    ),
    Step(
        "moved",
        """
        resource "harbor_label" "a" { text = "Peking" }
        moved {
          from = terraform_data.a
          to   = harbor_label.a
        }
        """,
        {LABEL: "move"},
        {LABEL: {"text": "Peking", "id": re.compile("[-0-9a-f]{36}")}},
    ),
    Step("nothing to do"),
    Step(
        "make a file",
        'resource "harbor_file" "b" {\n  path = "$FOLDER/n"\n  content = ""\n}',
        {LABEL: "delete", "harbor_file.b": "create"},
    ),
    Step(
        "what cannot be moved",
        """
        resource "harbor_label" "b" { text = "x" }
        moved {
          from = harbor_file.b
          to   = harbor_label.b
        }
        """,
        says=["error: A harbor_file cannot become a harbor_label"],
        fails=True,
    ),
]

OLD = {"title": "Peking", "port": "Hamburg", "id": "ship-1", "draft_cm": "10"}

UPGRADE = [
    Step(
        "of version 0",
        CONFIG,
        command=PLAN,
        files={"terraform.tfstate": state_of(0, OLD), **IN_THE_CLOUD},
    ),
    Step(
        "and stored",
        CONFIG.replace("0.1", "0.2"),
        {SHIP: "update"},
        {SHIP: {"id": "ship-1", "draft": "0.2", "name": "Peking", "radio_code": "abc"}},
    ),
    Step(
        "of a version that the provider had never",
        files={"terraform.tfstate": state_of(7, OLD)},
        says=["Resource instance managed by newer provider version"],
        fails=True,
    ),
    Step(
        "that does not fit",
        files={"terraform.tfstate": state_of(0, {**OLD, "port": ["Hamburg"]})},
        says=[
            "error: The stored state of harbor_ship does not fit: port: expected a string, got "
            "a list"
        ],
        fails=True,
    ),
]

GONE = [
    Step("create", CONFIG, {SHIP: "create"}),
    Step("taint", command=("taint", SHIP)),
    Step("a tainted one is replaced", does={SHIP: "replace"}, state={SHIP: {"id": CHANGED}}),
    Step(
        "no longer managed",
        "removed {\n  from = harbor_ship.a\n  lifecycle { destroy = false }\n}",
        {SHIP: "remove"},
        says=[re.compile("Some objects will no longer be managed|will not be managed anymore")],
    ),
]

SCENARIOS = {"import": IMPORT, "move": MOVE, "upgrade": UPGRADE, "gone": GONE}


@pytest.mark.parametrize("steps", SCENARIOS.values(), ids=SCENARIOS.keys())
def test_state(workspace: Workspace, steps: Sequence[Step]) -> None:
    with workspace.debugging() as variable:
        play(workspace, steps, **variable)


def test_what_is_gone_is_created_again(workspace: Workspace) -> None:
    with workspace.debugging() as variable:
        play(workspace, [Step("create", CONFIG, {SHIP: "create"})], **variable)
        for document in (workspace.cloud / "ship").glob("*.json"):
            document.unlink()
        again = Step("gone", CONFIG, {SHIP: "create"}, {SHIP: {"name": "Peking"}})
        play(workspace, [again], **variable)
