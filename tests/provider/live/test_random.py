"""The port of HashiCorp's `random` and `local` in `examples/random`, under the cores."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.counterparts import need
from tests.provider.live.terraform import ROOT, Workspace
from tofutypes.provider.client import host, launch

pytest.importorskip("bcrypt")

EVERYTHING = """
resource "random_id" "a" {
  byte_length = 4
  prefix      = "id-"
  keepers     = { region = "eu" }
}
resource "random_integer" "a" {
  min  = 1
  max  = 6
  seed = "dice"
}
resource "random_password" "a" {
  length      = 20
  special     = false
  min_numeric = 3
}
resource "random_string" "a" {
  length = 8
  upper  = false
}
resource "random_pet" "a" {}
resource "random_shuffle" "a" {
  input        = ["a", "b", "c"]
  result_count = 5
  seed         = "s"
}
resource "random_uuid" "a" {}
resource "local_file" "a" {
  provider = random
  filename = "$FOLDER/made/a.txt"
  content  = "hello"
}
data "local_file" "a" {
  provider = random
  filename = local_file.a.filename
}
ephemeral "random_password" "a" { length = 12 }
output "exists" { value = provider::random::direxists("$FOLDER") }
output "read" { value = data.local_file.a.content }
"""


REQUIRED: dict[str, dict[str, object]] = {"random_id": {"byte_length": 4}, "random_pet": {}}
CHANGES: dict[str, object] = {
    "prefix": "x",
    "override_special": "!",
    "special": False,
    "numeric": False,
    "min_upper": 2,
    "keepers": {"a": "b"},
}


def of(state: dict[str, Any], address: str) -> dict[str, Any]:
    """The values of a resource in `show -json`."""
    resources = state["values"]["root_module"]["resources"]
    values: dict[str, Any] = next(r["values"] for r in resources if r["address"] == address)
    return values


def test_everything(workspace: Workspace) -> None:
    workspace.configure(EVERYTHING, "random")
    workspace.apply()
    state = json.loads(workspace.do("show", "-json").out)
    password = of(state, "random_password.a")
    assert re.fullmatch("[A-Za-z0-9]{20}", password["result"])
    assert sum(map(str.isdigit, password["result"])) >= 3
    assert (password["lower"], password["min_lower"], password["number"]) == (True, 0, True)
    assert of(state, "random_id.a")["hex"].startswith("id-")
    assert 1 <= of(state, "random_integer.a")["result"] <= 6
    assert len(of(state, "random_shuffle.a")["result"]) == 5
    assert re.fullmatch("[a-z]+-[a-z]+", of(state, "random_pet.a")["id"])
    assert workspace.output == {"exists": True, "read": "hello"}
    assert set(map(tuple, workspace.actions().values())) == {("no-op",)}

    # A removed setting goes back to its default, and that makes a new password.
    changed = EVERYTHING.replace("special     = false", "").replace('"hello"', '"hello again"')
    changed = changed.replace('region = "eu"', 'region = "eu", note = null')
    workspace.configure(changed, "random")
    actions = workspace.actions()
    assert actions.pop("random_password.a") == ["delete", "create"]
    assert actions.pop("local_file.a") == ["delete", "create"]
    assert actions.pop("random_id.a") == ["update"]  # a keeper that is null changes nothing
    actions.pop("data.local_file.a")
    assert set(map(tuple, actions.values())) == {("no-op",)}
    workspace.apply()

    (workspace.folder / "made" / "a.txt").write_text("changed by somebody")
    assert workspace.actions()["local_file.a"] == ["create"]
    workspace.do("destroy", "-auto-approve")


def test_imports(workspace: Workspace) -> None:
    workspace.configure('resource "random_integer" "a" {\nmin = 1\nmax = 6\n}', "random")
    workspace.do("import", "random_integer.a", "4,1,6")
    assert workspace.actions() == {"random_integer.a": ["no-op"]}


@pytest.mark.parametrize("name", ["random_id", "random_pet", "random_password", "random_string"])
def test_the_plans_are_those_of_the_original(name: str) -> None:
    from examples.random.provider import RandomProvider

    model = next(each.model for each in RandomProvider.resources if each.type_name() == name)
    nothing = dict.fromkeys(model.model_fields) | REQUIRED.get(name, {"length": 9})
    config = model.model_validate(nothing)
    with host(RandomProvider) as ours, launch(need("terraform-provider-random")) as theirs:
        assert ours.plan(config).planned == theirs.plan(config).planned
        state = ours.apply(ours.plan(config))
        for key in CHANGES.keys() & model.model_fields:
            change = model.model_validate(nothing | {key: CHANGES[key]})
            mine, original = ours.plan(change, state), theirs.plan(change, state)
            assert mine.planned == original.planned, key
            assert bool(mine.requires_replace) == bool(original.requires_replace), key


def test_the_port_is_short() -> None:
    lines = (ROOT / "examples" / "random" / "provider.py").read_text().splitlines()
    assert len(lines) < 398
