"""Documents for tests: values as `show -json` prints them, written after OpenTofu's `jsonplan`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import orjson

from tofutypes import Dynamic, Model, Unknown
from tofutypes.narrowing import has_attributes, is_dict, is_mapping, is_sequence
from tofutypes.numbers import number_to_text
from tofutypes.sets import is_tofu_set

MISSING = object()


def plain(value: object) -> object:
    """A value without its type: lists, dicts, leaves; unknown values stay."""
    if isinstance(value, Dynamic):
        return plain(value.value)
    if has_attributes(value):
        value = value.__tofu_attributes__()
    if is_mapping(value):
        return {str(key): plain(inner) for key, inner in value.items()}
    if is_sequence(value) or is_tofu_set(value):
        return [plain(inner) for inner in value]
    return value


def without_unknown(value: object) -> object:
    """`omitUnknowns`: missing members of objects, null for elements."""
    if isinstance(value, Unknown):
        return MISSING
    if is_dict(value):
        shown = {key: without_unknown(inner) for key, inner in value.items()}
        return {key: inner for key, inner in shown.items() if inner is not MISSING}
    if isinstance(value, list):
        elements: list[object] = [without_unknown(inner) for inner in value]
        return [None if inner is MISSING else inner for inner in elements]
    return value


def unknown_as_bool(value: object) -> object:
    """`unknownAsBool`: members that are known and hold nothing are left out."""
    if isinstance(value, Unknown):
        return True
    if is_dict(value):
        shown = {key: unknown_as_bool(inner) for key, inner in value.items()}
        return {key: inner for key, inner in shown.items() if inner is not False}
    if isinstance(value, list):
        return [unknown_as_bool(inner) for inner in value]
    return False


def change_of(before: object, after: object, *actions: str, **more: object) -> dict[str, Any]:
    """The change between two plain values."""
    shown = without_unknown(after)
    return {
        "actions": list(actions),
        "before": before,
        "after": None if shown is MISSING else shown,
        "after_unknown": unknown_as_bool(after),
        "before_sensitive": {},
        "after_sensitive": {},
        **more,
    }


def resource_change(address: str, change: Mapping[str, Any], **more: object) -> dict[str, Any]:
    """A change of a resource in the root module."""
    type_name, _, name = address.removeprefix("data.").partition(".")
    return {
        "address": address,
        "mode": "data" if address.startswith("data.") else "managed",
        "type": type_name,
        "name": name.partition("[")[0],
        "provider_name": "registry.opentofu.org/example/nimbus",
        "change": dict(change),
        **more,
    }


def plan_of(*changes: Mapping[str, Any], **more: object) -> dict[str, Any]:
    """A plan with these changes of resources."""
    return {
        "format_version": "1.2",
        "terraform_version": "1.10.0",
        "resource_changes": list(changes),
        **more,
    }


def text_of(document: object) -> bytes:
    """The JSON of a document, with exact numbers."""

    def shown(value: object) -> object:
        if is_mapping(value):
            return {str(key): shown(inner) for key, inner in value.items()}
        if is_sequence(value):
            return [shown(inner) for inner in value]
        if isinstance(value, int | Decimal) and not isinstance(value, bool):
            return orjson.Fragment(number_to_text(value))
        return value

    return orjson.dumps(shown(document))


def planned_change(model: Model, address: str) -> dict[str, Any]:
    """The creation of a resource."""
    return resource_change(address, change_of(None, plain(model), "create"))


def shared_documents(shared: Path) -> list[Path]:
    """Real plans and states of other projects."""
    return sorted((shared / "plans").glob("*.json"))


def parsed(path: Path) -> Any:
    """A document as the standard library reads it, in whatever encoding."""
    data = path.read_bytes()
    return json.loads(data.decode(json.detect_encoding(data)).lstrip("\ufeff"))
