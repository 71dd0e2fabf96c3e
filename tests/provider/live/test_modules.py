"""What modules tell a provider, and configurations made of imported objects."""

from __future__ import annotations

from tests.counterparts.cores import TERRAFORM
from tests.provider.live.terraform import Workspace

REQUIRED = """
terraform {
  required_providers {
    listening = { source = "registry.opentofu.org/example/listening" }
  }
  %s
}
"""
CONTENT = """
resource "listening_thing" "a" { name = "a" }
data "listening_note" "a" { name = "a" }
"""


def test_each_module_says_its_own(workspace: Workspace) -> None:
    meta = 'provider_meta "listening" {\n    team = "%s"\n  }'
    workspace.write(
        {
            "main.tf": REQUIRED % (meta % "blue")
            + CONTENT
            + 'module "green" { source = "./green" }\nmodule "silent" { source = "./silent" }',
            "green/main.tf": REQUIRED % (meta % "green") + CONTENT,
            "silent/main.tf": REQUIRED % "" + CONTENT,
        }
    )
    heard = workspace.folder / "heard"
    workspace.do("get")
    workspace.apply(LISTENING=str(heard))
    workspace.do("destroy", "-auto-approve", LISTENING=str(heard))
    calls = {call: set[str]() for call in ("plan", "create", "read", "delete", "data")}
    for line in heard.read_text().splitlines():
        call, _, said = line.partition(" ")
        calls[call].add(said)
    assert calls == {call: {"blue", "green", "nothing"} for call in calls}


def test_a_faulty_block(workspace: Workspace) -> None:
    workspace.write(
        {"main.tf": REQUIRED % 'provider_meta "listening" {\n    tea = 1\n  }' + CONTENT}
    )
    ran = workspace.run("plan", LISTENING=str(workspace.folder / "heard"))
    assert 'An argument named "tea" is not expected here.' in ran.said


def test_the_message_of_a_deprecation(workspace: Workspace) -> None:
    content = 'data "listening_note" "a" {\n  name = "a"\n  old = "b"\n}'
    workspace.write({"main.tf": REQUIRED % "" + content})
    said = workspace.do("validate").said
    assert "Warning: Argument is deprecated" in said
    assert "Write a name." in said


def test_a_configuration_for_an_import(workspace: Workspace) -> None:
    heard = str(workspace.folder / "heard")
    block = 'import {\n  to = listening_thing.a\n  id = "a"\n}\n'
    workspace.write({"main.tf": REQUIRED % "" + block})
    workspace.do("plan", "-generate-config-out=made.tf", LISTENING=heard)
    made = (workspace.folder / "made.tf").read_text()
    assert 'resource "listening_thing" "a" {' in made
    assert "serial" not in made
    # OpenTofu does not ask the provider, and cannot know that this is the default.
    assert ("color" in made) == (workspace.core is not TERRAFORM)
    workspace.apply(LISTENING=heard)
    assert workspace.attributes("listening_thing.a")["color"] == "red"
    assert "No changes" in workspace.do("plan", LISTENING=heard).said
