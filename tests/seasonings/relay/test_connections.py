"""Relays before providers with aliases, data sources, large values and crashes; and two plugins."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from tests.counterparts import need
from tests.seasonings.relay.folders import RECORDER, ROOT, Folder

PREFIXED = ROOT / "tests" / "seasonings" / "plugins" / "prefixed_provider.py"

ALIASES = """
provider "prefixed" {
  prefix = "one"
}
provider "prefixed" {
  alias  = "two"
  prefix = "two"
}
resource "prefixed_thing" "first" {
  name = "a"
}
resource "prefixed_thing" "second" {
  provider = prefixed.two
  name     = "b"
}
data "prefixed_question" "second" {
  provider = prefixed.two
  text     = "who?"
  secret   = "hush"
}
output "answer" {
  value = data.prefixed_question.second.answer
}
"""


@pytest.fixture(params=["tofu", "terraform"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Folder:
    return prefixed(tmp_path, request.param, ALIASES)


def prefixed(path: Path, program: str, main: str) -> Folder:
    provider = path / "provider"
    search = f"{ROOT}:{ROOT / 'codegen'}"
    start = shlex.join([sys.executable, str(PREFIXED)])
    provider.write_text(f"#!/bin/sh\nPYTHONPATH={search} exec {start}\n")
    provider.chmod(0o755)
    return Folder(path, program, main, {"prefixed": provider})


def test_aliases_keep_their_configurations(folder: Folder) -> None:
    done = folder.hooked("apply", "-auto-approve")
    assert done.returncode == 0, done.stdout + done.stderr
    resources = folder.named_resources
    assert resources["first"]["label"] == "one-a"
    assert '"two?"' in done.stdout
    applied = [entry for entry in folder.entries if entry["hook"] == "post_apply"]
    assert sorted(entry["values"]["after"] for entry in applied) == [
        "{'label': 'one-a', 'name': 'a'}",
        "{'label': 'two-b', 'name': 'b'}",
    ]


def test_hooks_of_data_sources(folder: Folder) -> None:
    done = folder.hooked("plan", ON_PRE_REFRESH="warn prefixed_question")
    assert "Warning: pre_refresh is not happy (plugin recorder)" in done.stdout
    seen = [entry for entry in folder.entries if entry.get("mode") == "data"]
    assert [(entry["hook"], entry["action"]) for entry in seen] == [
        ("pre_refresh", "read"),
        ("post_refresh", "read"),
    ]
    before, after = (entry["values"] for entry in seen)
    assert "'text': 'who?'" in before["config"]
    assert (before["before"], before["after"]) == ("None", "None")
    assert "'answer': 'two?'" in after["after"]
    assert seen[1]["redacted"] == ["secret"]
    assert "hush" not in json.dumps(seen)
    done = folder.hooked("plan", ON_POST_REFRESH="fail prefixed_question")
    assert done.returncode == 1
    assert "Error: post_refresh says no (plugin recorder)" in done.stderr
    assert 'in data "prefixed_question" "second"' in done.stderr
    done = folder.hooked("plan", ON_PRE_REFRESH="fail prefixed_question")
    assert "Error: pre_refresh says no (plugin recorder)" in done.stderr


def test_large_values(tmp_path: Path) -> None:
    name = "x" * 3_000_000  # many frames, and windows of HTTP/2
    main = 'provider "prefixed" {\n prefix = "p"\n}\nresource "prefixed_thing" "large" {\n'
    folder = prefixed(tmp_path, "tofu", f'{main} name = "{name}"\n}}\n')
    done = folder.hooked("apply", "-auto-approve")
    assert done.returncode == 0, done.stderr[-2000:]
    assert folder.resources["prefixed_thing"]["name"] == name
    assert folder.hooked("plan", "-detailed-exitcode").returncode == 0


def test_providers_that_crash(tmp_path: Path) -> None:
    main = ALIASES.replace('name     = "b"', 'name     = "crash"')
    folder = prefixed(tmp_path, "tofu", main)
    done = folder.hooked("apply", "-auto-approve")
    assert done.returncode == 1
    assert "Error: Plugin did not respond" in done.stderr
    end = 'the provider ended (exit code 7); its last log line: "panic: out of order"'
    assert f"error: registry.opentofu.org/hashicorp/prefixed: {end}\n" in done.stderr
    assert folder.resources["prefixed_thing"]["name"] == "a"


def test_plugins_in_a_chain(tmp_path: Path) -> None:
    folder = prefixed(tmp_path, "tofu", ALIASES)
    options = ["--plugin", f"{RECORDER} second"]
    done = folder.hooked("plan", plugin=f"{RECORDER} first", options=options)
    assert done.returncode == 0, done.stderr
    planned = [
        entry
        for entry in folder.entries
        if entry.get("type") == "prefixed_thing" and "'a'" in str(entry["values"])
    ]
    assert [(entry["plugin"], entry["hook"], entry["metadata"]) for entry in planned] == [
        ("first", "pre_plan", {}),
        ("second", "pre_plan", {"first": {"saw": "pre_plan"}}),
        ("first", "post_plan", {name: {"saw": "pre_plan"} for name in ("first", "second")}),
        (
            "second",
            "post_plan",
            {"first": {"saw": "post_plan"}, "second": {"saw": "pre_plan"}},
        ),
    ]
    document = json.loads((tmp_path / "plugin-metadata.json").read_text())
    both = [entry for entry in document["hooks"] if entry["hook"] == "postPlan"]
    assert [set(entry["metadata"]) for entry in both] == [{"first", "second"}] * 2


@pytest.mark.parametrize("hook", ["post_plan", "pre_apply", "pre_refresh"])
def test_protocol_5(tmp_path: Path, hook: str) -> None:
    main = 'data "null_data_source" "in" {\n inputs = { a = "b" }\n}\n'
    main += 'resource "null_resource" "any" {\n triggers = data.null_data_source.in.outputs\n}\n'
    null = need("terraform-provider-null")
    folder = Folder(tmp_path, "tofu", main, {"null": null})
    subject = "null_data_source" if hook == "pre_refresh" else "null_resource"
    variable = {f"ON_{hook.upper()}": f"fail {subject}"}
    done = folder.hooked("apply", "-auto-approve", **variable)
    assert done.returncode == 1
    assert f"Error: {hook} says no (plugin recorder)" in done.stderr
    assert "null_resource" not in folder.resources
    done = folder.hooked("apply", "-auto-approve")
    assert done.returncode == 0, done.stderr
    assert folder.resources["null_resource"]["triggers"] == {"a": "b"}
    types = {(entry["mode"], entry["type"]) for entry in folder.entries if "type" in entry}
    assert types == {("managed", "null_resource"), ("data", "null_data_source")}
