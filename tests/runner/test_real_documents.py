"""Plans and states of real runs, with many features of the language, of OpenTofu and Terraform."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.counterparts import find
from tests.documents.shown import plain
from tests.documents.test_changes import independent_merge, leaves
from tofutypes import UNKNOWN, Dynamic, Model
from tofutypes.documents import InferredDynamic, StoredState, read_state
from tofutypes.runner import Tofu

MAIN = """
variable "secret" {
  type      = string
  sensitive = true
}
variable "names" {
  type    = set(string)
  default = ["a", "b c", "ü\\"$${x}"]
}
locals { both = "${var.secret}-x" }
module "m" {
  source   = "./m"
  for_each = var.names
  name     = each.key
  up       = terraform_data.base.output
}
resource "terraform_data" "base" {
  input = {
    big = 123456789012345678901234567890, small = 0.1234567890123456789012345
    s   = var.secret, list = [1, "x", null, true], empty = {}, nothing = null
  }
  triggers_replace = local.both
}
resource "terraform_data" "counted" {
  count = 2
  input = count.index
  lifecycle {
    precondition {
      condition     = count.index < 5
      error_message = "too many"
    }
    replace_triggered_by = [terraform_data.base]
  }
}
check "health" {
  assert {
    condition     = terraform_data.base.id == "never"
    error_message = "not healthy"
  }
}
output "o" {
  value     = terraform_data.base.output
  sensitive = true
}
output "set" { value = toset(["b", "a"]) }
"""
MODULE = """
variable "name" { type = string }
variable "up" { type = any }
resource "terraform_data" "inner" { input = { name = var.name, up = var.up } }
"""
MOVED = """
moved {
  from = terraform_data.counted
  to   = terraform_data.renamed
}
"""


@pytest.mark.parametrize("name", ["tofu", "terraform"])
def test_a_real_run(name: str, tmp_path: Path) -> None:
    program = find(name)
    if program is None:
        pytest.skip(f"{name} is not installed: skipped")
    main = tmp_path / "main.tf"
    main.write_text(MAIN)
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "main.tf").write_text(MODULE)
    plain_run = Tofu(tmp_path, program=program, timeout=120)
    plain_run.init()
    schemas = plain_run.providers_schema()
    tofu = Tofu(tmp_path, program=program, timeout=120, models=schemas)

    plan = tofu.plan({"secret": "hunter2-secret"})
    assert [
        str(each.address) for each in sorted(plan.resource_changes, key=lambda c: c.address)
    ] == [
        "terraform_data.base",
        "terraform_data.counted[0]",
        "terraform_data.counted[1]",
        'module.m["a"].terraform_data.inner',
        'module.m["b c"].terraform_data.inner',
        'module.m["ü\\"$${x}"].terraform_data.inner',
    ]
    for change in plan.resource_changes:
        assert isinstance(change.after, Model), change.notes
        assert change.notes == ()
        expected = independent_merge(change.json["change"])
        assert leaves(plain(change.after_values)) == expected
        typed = {
            path: leaf for path, leaf in leaves(plain(change.after)).items() if leaf is not None
        }
        assert typed == {path: leaf for path, leaf in expected.items() if leaf is not None}
    base: Any = plan.change("terraform_data.base")
    assert base.after.input.value["small"] == Decimal("0.1234567890123456789012345")
    assert base.after.input.value["big"] == 123456789012345678901234567890
    assert base.after.output is UNKNOWN
    assert base.is_sensitive("input.s")
    assert not base.is_sensitive("input.big")
    assert [str(each) for each in plan.references('module.m["a"].terraform_data.inner')] == [
        "module.m.terraform_data.inner.input → terraform_data.base.output"
    ]
    checks = {check.address: (check.kind, check.status) for check in plan.checks}
    assert checks == {
        "check.health": ("check", "unknown"),
        "terraform_data.counted": ("resource", "pass"),
    }
    assert plan.extra == {}
    assert plan.variables["secret"].is_sensitive
    assert "hunter2" not in plan.redacted().to_json()

    state = tofu.apply(variables={"secret": "hunter2-secret"})
    assert all(isinstance(each.values, Model) and not each.notes for each in state.resources)
    assert state.outputs["o"].is_sensitive
    assert [check.status for check in state.checks if check.kind == "check"] == ["fail"]
    assert "hunter2" not in state.redacted().to_json()

    file = tmp_path / "terraform.tfstate"
    stored = read_state(file, schemas)
    assert isinstance(stored, StoredState)
    # Terraform ends the file with a newline, OpenTofu does not.
    assert stored.to_json().rstrip() == file.read_text().rstrip()
    for resource in stored.resources:
        assert isinstance(resource.values, Model)
        shown: Any = state.resource(resource.address)
        assert plain(resource.values) == plain(shown.values)
        assert type(vars(resource.values)["output"]) is Dynamic
        assert type(vars(shown.values)["output"]) is InferredDynamic
    assert "hunter2" not in stored.redacted().to_json()
    assert "hunter2" in stored.to_json()

    renamed = MAIN.replace('"counted"', '"renamed"').replace("count = 2", "count = 1")
    main.write_text(renamed + MOVED)
    changes = {
        str(each.address): each for each in tofu.plan({"secret": "hunter3"}).resource_changes
    }
    base = changes["terraform_data.base"]
    assert base.is_replace
    assert [str(path) for path in base.replace_paths] == ["triggers_replace"]
    assert [str(path) for path in base.relevant_attributes] == ["output"]
    moved = changes["terraform_data.renamed[0]"]
    assert moved.previous_address == "terraform_data.counted[0]"
    assert moved.action_reason == "replace_by_triggers"
    assert changes["terraform_data.renamed[1]"].is_delete
    assert changes["terraform_data.renamed[1]"].after is None
