"""A core as a judge: many cases in one run."""

from __future__ import annotations

import json
import os
import pickle
import re
import stat
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.counterparts.cores import Core
from tests.provider.judged.cases import BLOCK, PARTS, Case, Tree
from tofutypes import Dynamic, Unknown, decode_msgpack, encode_json
from tofutypes.provider.objchange.schema_parts import Part, Parts
from tofutypes.schema import NestingMode, implied_type

ROOT = Path(__file__).parents[3]
TYPE = implied_type(BLOCK)
ADDRESS = "registry.terraform.io/example/judged"

_SETTINGS = """
provider_installation {
  dev_overrides { "%s" = "%s" }
  direct {}
}
"""


def judge(
    core: Core, cases: Sequence[Case], folder: Path, command: Sequence[str]
) -> dict[str, list[str]]:
    """What the core says of each case: the summaries of its errors, by name.

    Args:
        core: the core.
        cases: the cases.
        folder: an empty folder.
        command: the command of the core, `["plan"]`.
    """
    _write(cases, folder)
    environment = os.environ | {
        "TF_CLI_CONFIG_FILE": str(folder / "terraformrc"),
        "JUDGED": str(folder),
        "PYTHONPATH": str(ROOT),
        "CHECKPOINT_DISABLE": "1",
    }
    ran = subprocess.run(
        [*core.command, f"-chdir={folder}", *command, "-json", "-parallelism=50"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,  # the errors are what is asked for
    )
    said: dict[str, list[str]] = {each.name: [] for each in cases}
    for line in ran.stdout.splitlines():
        told = json.loads(line) if line.startswith("{") else {}
        diagnostic = told.get("diagnostic", {})
        if diagnostic.get("severity") == "error":
            detail = diagnostic["detail"]
            named = re.search(r"judged_thing\.(\w+)", diagnostic.get("address", "") + detail)
            name = named[1] if named else ""
            said.setdefault(name, []).append(f"{diagnostic['summary']}: {detail}")
    return said


def proposed(case: Case, folder: Path) -> object:
    """What the core proposed for a case."""
    return decode_msgpack((folder / "proposed" / case.name).read_bytes(), TYPE)


def _write(cases: Sequence[Case], folder: Path) -> None:
    (folder / "proposed").mkdir()
    (folder / "cases").write_bytes(pickle.dumps({each.name: asdict(each) for each in cases}))
    provider = folder / "terraform-provider-judged"
    provider.write_text(
        f'#!/bin/sh\nexec "{sys.executable}" -m tests.provider.judged.provider "$@"\n'
    )
    provider.chmod(provider.stat().st_mode | stat.S_IXUSR)
    (folder / "terraformrc").write_text(_SETTINGS % (ADDRESS, folder))
    (folder / "main.tf.json").write_text(json.dumps(_configuration(cases)))
    (folder / "terraform.tfstate").write_text(json.dumps(_stored(cases)))


def _configuration(cases: Sequence[Case]) -> Tree:
    return {
        "terraform": {"required_providers": {"judged": {"source": ADDRESS}}},
        "resource": {
            "terraform_data": {"later": {}},
            "judged_thing": {each.name: _block(PARTS, each.config) for each in cases},
        },
    }


def _block(parts: Parts, value: Tree) -> Tree:
    return {
        part.name: _written(part, value[part.name])
        for part in parts
        if value.get(part.name) is not None and not _no_blocks(part, value[part.name])
    }


def _no_blocks(part: Part, value: Any) -> bool:
    return part.attribute is None and part.nesting is NestingMode.MAP and not value


def _written(part: Part, value: Any) -> Any:
    if isinstance(value, Unknown):
        return "${terraform_data.later.id}"
    if isinstance(value, Dynamic):
        return value.value
    if part.nesting is None:
        return _plain(value)
    match part.nesting:
        case NestingMode.LIST | NestingMode.SET:
            return [_block(part.inner, each) for each in value]
        case NestingMode.MAP:
            return {key: _block(part.inner, each) for key, each in value.items()}
        case _:
            return _block(part.inner, value)


def _plain(value: Any) -> Any:
    if isinstance(value, Unknown):
        return "${terraform_data.later.id}"
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return value if isinstance(value, str | int) else [_plain(each) for each in value]


def _stored(cases: Sequence[Case]) -> Tree:
    resources = [
        {
            "mode": "managed",
            "type": "judged_thing",
            "name": each.name,
            "provider": f'provider["{ADDRESS}"]',
            "instances": [
                {"schema_version": 0, "attributes": json.loads(encode_json(each.prior, TYPE))}
            ],
        }
        for each in cases
        if each.prior is not None
    ]
    return {
        "version": 4,
        "terraform_version": "1.15.5",
        "serial": 1,
        "lineage": "judged",
        "outputs": {},
        "resources": resources,
    }
