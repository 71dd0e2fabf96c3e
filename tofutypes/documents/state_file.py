"""State files of version 4: `terraform.tfstate`, and what `tofu state pull` prints."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tofutypes.documents.records import (
    Member,
    Record,
    as_object,
    bounded,
    read_integer,
    read_list,
    read_required_text,
    read_text,
    read_texts,
)
from tofutypes.documents.redacted import (
    redacted_instance,
    redacted_outputs,
)
from tofutypes.documents.resources import StateResource, StoredResource
from tofutypes.documents.state import State
from tofutypes.documents.values import copied
from tofutypes.documents.writing import dump
from tofutypes.errors import DocumentError
from tofutypes.models import Model
from tofutypes.models.bases import SchemaModel
from tofutypes.numbers import parse_number
from tofutypes.wire.removed_attributes import drop_removed


class StoredCheckObject(Record):
    """The stored result of the checks of one object."""

    address = Member(read_required_text, "object_addr")
    status = Member(read_required_text)
    problems = Member(read_texts, "failure_messages")


class StoredCheck(Record):
    """The stored result of the checks of one block."""

    kind = Member(read_required_text, "object_kind")
    address = Member(read_required_text, "config_addr")
    status = Member(read_required_text)
    member_names = frozenset({"objects"})

    @property
    def objects(self) -> tuple[StoredCheckObject, ...]:
        """The results by object."""
        place = self.place_of("objects")
        objects = read_list(self.members.get("objects"), place)
        return tuple(StoredCheckObject(member, f"{place}[{n}]") for n, member in enumerate(objects))


class StoredState(State):
    """A state file of version 4.

    It can be changed through models and written again:

        [server] = state.resources_of(NimbusServer)
        values = present(server.values)
        values.size = "large"
        text = state.updated({server.address: values}).to_json()
    """

    @property
    def serial(self) -> int:
        """The number that grows with every change."""
        return read_integer(self.json.get("serial"), "serial") or 0

    @property
    def lineage(self) -> str:
        """What all versions of one state have in common."""
        return read_text(self.json.get("lineage"), "lineage") or ""

    @property
    def check_results(self) -> tuple[StoredCheck, ...]:
        """The stored results of checks."""
        results = read_list(self.json.get("check_results"), "check_results")
        return tuple(StoredCheck(result, f"check_results[{n}]") for n, result in enumerate(results))

    @property
    def extra(self) -> dict[str, object]:
        """The members that this version of the library does not know."""
        known = {"version", "terraform_version", "serial", "lineage", "outputs", "resources"}
        known.add("check_results")
        return {name: value for name, value in self.json.items() if name not in known}

    def updated(self, values: Mapping[str, Model]) -> StoredState:
        """This state with other values for some resources.

        The serial grows by one, so that `tofu state push` takes it, unless nothing changes.
        Attributes that the model does not have stay as they are.

        Args:
            values: the new values of current objects, by address.

        Raises:
            DocumentError: If there is no such resource, its type is not that of the model, or it
                has attributes in nested blocks that the model would lose.
            EncodeError: If a value is unknown, or does not fit the schema.
        """
        document = dict(self.json)
        stored: dict[str, StateResource] = {
            resource.address: resource
            for resource in self.resources
            if resource.deposed_key is None
        }
        new: dict[int, dict[str, Any]] = {}
        for address, model in values.items():
            resource = stored.get(address)
            if resource is None:
                raise DocumentError(f"{address}: no such resource in the state")
            instance = _updated(resource, model)
            if dump(instance) != dump(resource.members):
                new[id(resource.members)] = instance
        if not new:
            return self
        document["resources"] = _with_instances(document, new)
        document["serial"] = self.serial + 1
        return StoredState(document, self.models)

    def redacted(self) -> StoredState:
        """This state without what is sensitive, and without private state of providers.

        It may be shared, but not be pushed.
        """
        with bounded("document"):
            return StoredState(_redacted(self), self.models)

    def to_json(self) -> str:
        """The state file, as OpenTofu and Terraform write it."""
        return dump(self.json, indent=True) + "\n"

    def _outputs_json(self) -> object:
        return self.json.get("outputs")

    def _resources(self, promised: type[Model] | None) -> Iterator[StateResource[Any]]:
        resources = read_list(self.json.get("resources"), "resources")
        for position, json_ in enumerate(resources):
            place = f"resources[{position}]"
            group = as_object(json_, place)
            instances = read_list(group.get("instances"), f"{place}.instances")
            for number, instance in enumerate(instances):
                inside = f"{place}.instances[{number}]"
                yield StoredResource(instance, inside, self.models, group, promised)


def _updated(resource: StateResource[Any], model: Model) -> dict[str, Any]:
    """The JSON of an object of state with the values of a model."""
    address, kind = resource.address, type(model)
    info = kind.__tofu_info__
    if not isinstance(model, SchemaModel) or info.type_name not in (None, address.type):
        raise DocumentError(f"{address}: expected a model of {address.type}, got {kind.__name__}")
    kept = copied(resource.attributes)
    removed = drop_removed(kept, kind.__tofu_layout__())
    if inside := next((path for path in removed if len(path.steps) > 1), None):
        raise DocumentError(f"{address}: {inside}: not in {kind.__name__}, which would lose it")
    attributes = json.loads(model.to_json(), parse_float=parse_number)
    before = as_object(resource.attributes, resource.place)
    gone = {path.steps[0][0] for path in removed}
    attributes.update({name: before[name] for name in before if name in gone})
    return {**resource.members, "schema_version": info.version, "attributes": attributes}


def _redacted(state: StoredState) -> dict[str, Any]:
    redactor = state.redactor
    new = {
        id(resource.members): redacted_instance(redactor, resource) for resource in state.resources
    }
    json = {**state.json, "resources": _with_instances(state.json, new)}
    if "outputs" in json:
        json["outputs"] = redacted_outputs(redactor, state.outputs)
    return json


def _with_instances(
    json: Mapping[str, Any], new: Mapping[int, dict[str, Any]]
) -> list[dict[str, Any]]:
    """The resources of a state file, with new objects in place of some."""
    groups: list[dict[str, Any]] = json.get("resources") or []
    return [
        {**group, "instances": [new.get(id(old), old) for old in group["instances"]]}
        if group.get("instances")
        else group
        for group in groups
    ]
