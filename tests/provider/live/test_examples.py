"""The configuration in the README of the example provider does what it says."""

import re

from tests.provider.live.terraform import ROOT, Workspace


def test_harbor(workspace: Workspace) -> None:
    page = (ROOT / "examples" / "harbor" / "README.md").read_text()
    (config,) = re.findall(r"```hcl\n(.*?)```", page, re.DOTALL)
    workspace.write({"main.tf": config.replace("/tmp/harbor", str(workspace.cloud))})
    workspace.apply()
    workspace.apply("-replace=harbor_ship.peking")
    (ship,) = workspace.output["fleet"]
    assert (ship["name"], ship["tonnage"]) == ("peking-4", "0.3")
    workspace.do("destroy", "-auto-approve")
    assert not list(workspace.cloud.rglob("*.json"))
