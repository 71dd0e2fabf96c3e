"""The parts of plans and state without what is sensitive: which members hold values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tofutypes.documents.changes import ResourceChange
from tofutypes.documents.marks import with_schema_marks
from tofutypes.documents.outputs import OutputValue
from tofutypes.documents.redaction import Marked, Redactor
from tofutypes.documents.resources import StateResource
from tofutypes.narrowing import is_dict, is_list


def sensitive_in_resources(resources: Iterable[StateResource]) -> Iterator[Marked]:
    """The values of resources, with their marks."""
    for resource in resources:
        yield resource.attributes, _marks(resource)


def sensitive_in_outputs(outputs: Mapping[str, OutputValue]) -> Iterator[Marked]:
    """The values of sensitive outputs."""
    for output in outputs.values():
        if output.is_sensitive:
            yield output.members.get("value"), True


def _marks(resource: StateResource) -> object:
    return with_schema_marks(resource.attributes, resource.marks, resource.layout)


def redacted_change(redactor: Redactor, change: ResourceChange) -> dict[str, Any]:
    """A change of a resource."""
    if "change" not in change.members:
        return dict(change.members)
    return {**change.members, "change": redactor.change(change.change, change.layout)}


def redacted_values(
    redactor: Redactor,
    values: Mapping[str, Any],
    outputs: Mapping[str, OutputValue],
    resources: Iterable[StateResource],
) -> dict[str, Any]:
    """The values of a state: its outputs, and the resources of all modules."""
    by_json = {id(resource.members): resource for resource in resources}

    def module(json: Any) -> Any:
        if not is_dict(json):
            return json
        inside = dict(json)
        if is_list(shown := inside.get("resources")):
            inside["resources"] = [_shown(redactor, by_json[id(values)]) for values in shown]
        if is_list(children := inside.get("child_modules")):
            inside["child_modules"] = [module(child) for child in children]
        return inside

    tree = dict(values)
    if "outputs" in tree:
        tree["outputs"] = redacted_outputs(redactor, outputs)
    if "root_module" in tree:
        tree["root_module"] = module(tree["root_module"])
    return tree


def _shown(redactor: Redactor, resource: StateResource) -> dict[str, Any]:
    json = redactor.members(resource.members, "identity")
    if "values" in json:
        json["values"] = redactor.value(json["values"], _marks(resource))
    return json


def redacted_instance(redactor: Redactor, resource: StateResource) -> dict[str, Any]:
    """An object of a state file."""
    json = redactor.members(resource.members, "identity", "attributes_flat")
    if "attributes" in json:
        json["attributes"] = redactor.value(json["attributes"], _marks(resource))
    if "private" in json:
        json["private"] = ""
    return json


def redacted_outputs(redactor: Redactor, outputs: Mapping[str, OutputValue]) -> dict[str, Any]:
    """Outputs by name."""
    return {
        name: {
            **output.members,
            "value": redactor.value(output.members.get("value"), output.is_sensitive),
        }
        if "value" in output.members
        else output.members
        for name, output in outputs.items()
    }
