"""What OpenTofu and Terraform do differently with the same provider: `docs/reference/cores.md`."""

from __future__ import annotations

import pytest

from tests.counterparts.cores import EXPERIMENTAL, TERRAFORM, TOFU
from tests.provider.live.terraform import ROOT, Workspace
from tofutypes.documents import read_state
from tofutypes.errors import TofuTypesError

SHIP = 'resource "harbor_ship" "a" {\n  name = "Peking"\n  port = "Hamburg"\n}\n'

PASSPHRASE = "correct horse battery staple"
ENCRYPTION = f"""
terraform {{
  encryption {{
    key_provider "pbkdf2" "a" {{ passphrase = "{PASSPHRASE}" }}
    method "aes_gcm" "a" {{ keys = key_provider.pbkdf2.a }}
    state {{ method = method.aes_gcm.a }}
    plan {{ method = method.aes_gcm.a }}
  }}
}}
"""

RECORDER = """
    def configure(self, config, context):
        with open(RECORD, "a") as record:
            record.write(f"{context.core_version}\\n")
"""


@pytest.fixture
def only_tofu(workspace: Workspace) -> Workspace:
    if workspace.core is not TOFU:
        pytest.skip("only OpenTofu has it")
    return workspace


def test_only_opentofu_reads_tofu_files(workspace: Workspace) -> None:
    workspace.configure("")
    workspace.write(
        {"out.tf": 'output "a" { value = "tf" }', "out.tofu": 'output "a" { value = "tofu" }'}
    )
    workspace.apply()
    assert workspace.output["a"] == ("tofu" if workspace.core is TOFU else "tf")


def test_state_is_encrypted(only_tofu: Workspace) -> None:
    workspace = only_tofu
    workspace.configure(ENCRYPTION + SHIP)
    workspace.apply()
    stored = workspace.folder / "terraform.tfstate"
    assert "Peking" not in stored.read_text()
    with pytest.raises(TofuTypesError, match="encrypted"):
        read_state(stored)
    pulled = read_state(workspace.do("state", "pull").out.encode())
    (ship,) = pulled.resources
    assert str(ship.address) == "harbor_ship.a"
    workspace.configure(ENCRYPTION + SHIP.replace("Hamburg", "Kiel"))
    assert workspace.actions() == {"harbor_ship.a": ["delete", "create"]}
    workspace.do("destroy", "-auto-approve")


def test_only_opentofu_calls_functions_of_configured_providers(workspace: Workspace) -> None:
    workspace.configure(
        """
        provider "harbor" {
          alias  = "north"
          folder = "$FOLDER/north"
        }
        output "a" { value = provider::harbor::north::join_name("-", "a", "b") }
        """
    )
    ran = workspace.run("apply", "-auto-approve")
    if workspace.core is TOFU:
        assert workspace.output["a"] == "a-b"
    else:
        assert "Invalid function" in ran.said or "Unknown provider function" in ran.said, ran.said


def test_opentofu_has_no_actions(workspace: Workspace) -> None:
    workspace.configure('action "harbor_signal" "a" {\n  config {}\n}\n')
    ran = workspace.run("validate")
    unknown_block = 'Blocks of type "action" are not expected here' in ran.said
    assert unknown_block == (workspace.core is TOFU), ran.said


def test_opentofu_claims_to_be_a_terraform(workspace: Workspace) -> None:
    text = (ROOT / "examples" / "first" / "provider.py").read_text()
    start = "class First(Provider):"
    assert start in text
    record = workspace.folder / "record"
    recorder = RECORDER.replace("RECORD", repr(str(record)))
    where = text.index("    address = ", text.index(start))
    workspace.write({"recording.py": text[:where] + recorder + text[where:]})
    program = workspace.folder / "bin" / "terraform-provider-first"
    workspace.write_program(program, workspace.folder, [str(workspace.folder / "recording.py")])
    workspace.configure('resource "first_file" "a" {\n path = "$FOLDER/a"\n text = "a"\n}', "first")
    workspace.apply()
    own = workspace.do("version").out.splitlines()[0].rpartition("v")[2]
    (told,) = set(record.read_text().split())
    assert (told == own) == (workspace.core is TERRAFORM), told


def test_no_core_defers_by_default(workspace: Workspace) -> None:
    workspace.configure('resource "faulty_thing" "a" { way = "defer" }', "faulty")
    assert "Error: This cannot be done yet" in workspace.run("plan").said


@pytest.mark.parametrize("core", [EXPERIMENTAL], ids=str, indirect=True)
def test_an_experimental_terraform_defers(workspace: Workspace) -> None:
    workspace.configure(
        """
        resource "faulty_thing" "a" { way = "defer" }
        resource "faulty_thing" "b" { way = "create" }
        """,
        "faulty",
    )
    plan = workspace.plan("-allow-deferral")
    (deferred,) = plan["deferred_changes"]
    assert deferred["reason"] == "absent_prereq"
    assert deferred["resource_change"]["address"] == "faulty_thing.a"
    assert [change["address"] for change in plan["resource_changes"]] == ["faulty_thing.b"]
    workspace.apply("-allow-deferral")
    assert workspace.addresses == ["faulty_thing.b"]
