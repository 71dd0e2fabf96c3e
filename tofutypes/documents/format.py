"""Which kind of document it is, and whether it can be read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from tofutypes.documents.source import how_to_write
from tofutypes.errors import DocumentError, describe

LAST_MAJOR_VERSION: Final = 1
"""The newest major version of the formats that is read. A minor version only adds members."""

STATE_FILE_VERSION: Final = 4

_PLAN_ONLY: Final = (
    *("resource_changes", "planned_values", "configuration", "output_changes", "errored"),
    *("resource_drift", "variables"),
)


def check_plan(document: Mapping[str, Any]) -> None:
    """Raise unless it is a plan that can be read.

    Raises:
        DocumentError: If it is another document, or of a newer major version.
    """
    _check_encryption(document)
    if "serial" in document or "lineage" in document:
        raise DocumentError("this is a state file; read it with read_state")
    if "values" in document and not any(name in document for name in _PLAN_ONLY):
        raise DocumentError("this is a state; read it with read_state")
    if "provider_schemas" in document:
        raise DocumentError("this is a schema document; read it with read_schemas")
    _check_version(document)
    if "format_version" not in document and not any(name in document for name in _PLAN_ONLY):
        raise DocumentError(f"this is not a plan; {how_to_write('plan')}")


def check_state(document: Mapping[str, Any]) -> None:
    """Raise unless it is a state that can be read, of `show -json` or a state file.

    Raises:
        DocumentError: If it is another document, or of a version that is not read.
    """
    _check_encryption(document)
    if any(name in document for name in _PLAN_ONLY):
        raise DocumentError("this is a plan; read it with read_plan")
    if "provider_schemas" in document:
        raise DocumentError("this is a schema document; read it with read_schemas")
    if "format_version" in document or "values" in document:
        _check_version(document)
        return
    version = document.get("version")
    if isinstance(version, bool) or not isinstance(version, int):
        raise DocumentError(f"this is not a state; {how_to_write('state')}")
    if version < STATE_FILE_VERSION:
        raise DocumentError(
            f"version: state files of version {version} are not read; upgrade it to version "
            f"{STATE_FILE_VERSION} with Terraform 0.12 or newer"
        )
    if version > STATE_FILE_VERSION:
        raise DocumentError(
            f"version: {version} is newer than {STATE_FILE_VERSION}, the newest that is read; use "
            "a newer version of tofutypes"
        )


def is_plan(document: Mapping[str, Any]) -> bool:
    """Whether it is a plan rather than a state."""
    return any(name in document for name in _PLAN_ONLY)


def is_state_file(document: Mapping[str, Any]) -> bool:
    """Whether a state is a state file, and not what `show -json` prints."""
    return "format_version" not in document and "values" not in document


def _check_encryption(document: Mapping[str, Any]) -> None:
    if "encrypted_data" in document:
        raise DocumentError(
            "this document is encrypted; run `tofu show -json` or `tofu state pull` where its key "
            "is configured"
        )


def _check_version(document: Mapping[str, Any]) -> None:
    version = document.get("format_version")
    if version is None:
        return  # documents that other tools cut down often have none
    match = re.fullmatch(r"([0-9]{1,9})(\.[0-9]+)*", version) if isinstance(version, str) else None
    if match is None:
        got = "other text" if isinstance(version, str) else describe(version)
        raise DocumentError(f'format_version: expected a version such as "1.2", got {got}')
    if int(match[1]) > LAST_MAJOR_VERSION:
        raise DocumentError(
            f"format_version: {version} is newer than {LAST_MAJOR_VERSION}.x, the newest that is "
            "read; use a newer version of tofutypes"
        )
