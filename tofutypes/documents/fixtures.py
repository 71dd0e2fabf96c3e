"""Plans made of models, for tests of policies and of other readers of plans.

Values are written as OpenTofu's `jsonplan` writes them, so what tests see is what real plans give:
refinements of unknown values and the types of dynamic values are lost on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from tofutypes.documents.addresses import ResourceAddress, ResourceMode
from tofutypes.documents.marks import with_schema_marks
from tofutypes.documents.paths import PathLike, to_path
from tofutypes.documents.plan import Plan
from tofutypes.documents.state import kind_of
from tofutypes.documents.typed import Models
from tofutypes.dynamic import Dynamic
from tofutypes.errors import DocumentError
from tofutypes.models import Model
from tofutypes.models.secrets import mark_at
from tofutypes.narrowing import has_attributes, is_dict, is_list, is_mapping, is_number, is_sequence
from tofutypes.numbers import normalize_number
from tofutypes.sets import is_tofu_set
from tofutypes.unknown import Unknown

_MISSING = object()


@dataclass(frozen=True, kw_only=True)
class PlannedChange:
    """A change for `planned`.

    Attributes:
        before: the values before; None if the object does not exist yet.
        after: the values after, with `Unknown` for what is not known yet; None if it is destroyed.
        address: where it is; by default `TYPE.example`.
        actions: what is done; by default what `before` and `after` tell.
        replace_paths: the places that are the reason to replace it.
        sensitive: the places that the configuration makes sensitive, beside those of the schema.
    """

    before: Model | None = None
    after: Model | None = None
    address: str | None = None
    actions: Sequence[str] | None = None
    replace_paths: Sequence[PathLike] = ()
    sensitive: Sequence[PathLike] = ()


def planned(*changes: Model | PlannedChange) -> Plan:
    """Make a plan of models: each model is created, a `PlannedChange` says more.

        plan = planned(NimbusBucket(name="logs", public=True))
        assert violations(plan) == ["nimbus_bucket.example: public"]

    Raises:
        DocumentError: If a model has no type name, or a change neither `before` nor `after`.
    """
    classes: dict[str, type[Model]] = {}
    addresses: set[str] = set()
    resource_changes: list[dict[str, Any]] = []
    for wanted in changes:
        change = wanted if isinstance(wanted, PlannedChange) else PlannedChange(after=wanted)
        model = change.before if change.after is None else change.after
        if model is None:
            raise DocumentError("a planned change needs before or after")
        mode, type_name = kind_of(type(model))
        classes[type_name] = type(model)
        address = _address(change, type_name, ResourceMode(mode), addresses)
        addresses.add(address)
        resource_changes.append(_resource_change(address, change, type(model)))
    document = {
        "format_version": "1.2",
        "terraform_version": "1.10.0",
        "resource_changes": resource_changes,
    }
    return Plan(document, Models(classes))


def _address(
    change: PlannedChange, type_name: str, mode: ResourceMode, taken: set[str]
) -> ResourceAddress:
    if change.address is not None:
        address = ResourceAddress(change.address)
        if (address.type, address.mode) != (type_name, mode):
            raise DocumentError(f"{address}: expected the address of a {type_name}")
        return address
    names = (f"example{number or ''}" for number in count())
    addresses = (ResourceAddress.of(type_name, name, None, mode) for name in names)
    return next(address for address in addresses if address not in taken)


def _resource_change(
    address: ResourceAddress, change: PlannedChange, model: type[Model]
) -> dict[str, Any]:
    document: dict[str, Any] = {
        "address": str(address),
        "mode": address.mode.value,
        "type": address.type,
        "name": address.name,
        "provider_name": f"registry.opentofu.org/example/{address.type.partition('_')[0]}",
        "change": _change(change, model),
    }
    if address.module:
        document["module_address"] = str(address.module)
    if address.key is not None:
        document["index"] = address.key
    return document


def _change(change: PlannedChange, model: type[Model]) -> dict[str, Any]:
    layout = model.__tofu_layout__()
    before, after = _shown(change.before), _shown(change.after)
    marks: object = None
    for path in change.sensitive:
        marks = _marked(marks, [step[0] for step in to_path(path).steps])
    return {
        "actions": list(change.actions or _actions(change)),
        "before": before,
        "after": after,
        "after_unknown": _unknown(change.after),
        "before_sensitive": _marks_json(before, with_schema_marks(before, marks, layout)),
        "after_sensitive": _marks_json(after, with_schema_marks(after, marks, layout)),
        "replace_paths": [
            [step[0] for step in to_path(path).steps] for path in change.replace_paths
        ],
    }


def _actions(change: PlannedChange) -> list[str]:
    if change.before is None:
        return ["create"]
    if change.after is None:
        return ["delete"]
    if change.replace_paths:
        return ["delete", "create"]
    return ["no-op"] if change.before == change.after else ["update"]


def _shown(value: object) -> object:
    """The JSON of a value, without what is unknown."""
    if isinstance(value, Unknown):
        return _MISSING
    if isinstance(value, Dynamic):
        return _shown(value.value)
    if has_attributes(value):
        value = value.__tofu_attributes__()
    if is_mapping(value):
        shown = {str(name): _shown(inner) for name, inner in value.items()}
        return {name: inner for name, inner in shown.items() if inner is not _MISSING}
    if is_sequence(value) or is_tofu_set(value):
        elements = [_shown(element) for element in value]
        return [None if element is _MISSING else element for element in elements]
    return normalize_number(value) if is_number(value) else value


def _unknown(value: object) -> object:
    """The JSON that says which parts of a value are unknown."""
    if isinstance(value, Unknown):
        return True
    if isinstance(value, Dynamic):
        return _unknown(value.value)
    if has_attributes(value):
        value = value.__tofu_attributes__()
    if is_mapping(value):
        unknown = {str(name): _unknown(inner) for name, inner in value.items()}
        return {name: inner for name, inner in unknown.items() if inner is not False}
    if is_sequence(value) or is_tofu_set(value):
        return [_unknown(element) for element in value]
    return False


def _marks_json(value: object, marks: object) -> object:
    """The marks of a value as documents write them: with lists where the value has lists."""
    if marks is True:
        return True
    if is_dict(value):
        shown = {name: _marks_json(inner, mark_at(marks, name)) for name, inner in value.items()}
        return {name: mark for name, mark in shown.items() if mark is not False}
    if is_list(value):
        return [_marks_json(inner, mark_at(marks, number)) for number, inner in enumerate(value)]
    return False


def _marked(marks: object, keys: list[str | int]) -> object:
    """Marks with one more place."""
    if not keys or marks is True:
        return True
    members = dict(marks) if is_dict(marks) else {}
    members[keys[0]] = _marked(members.get(keys[0]), keys[1:])
    return members
