"""Plans: what is about to change, as `show -json` prints it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, TypeVar

from tofutypes.documents.addresses import ResourceAddress
from tofutypes.documents.change import OutputChange
from tofutypes.documents.changes import ChangeContext, ResourceChange
from tofutypes.documents.checks import ActionInvocation, CheckResult
from tofutypes.documents.configuration import Configuration, ConfigVariable
from tofutypes.documents.lazy import LazyDocument
from tofutypes.documents.plan_parts import (
    DeferredChange,
    PlannedValues,
    RelevantAttribute,
    Variable,
)
from tofutypes.documents.records import (
    Member,
    Record,
    bounded,
    read_flag,
    read_list,
    read_object,
    read_optional_flag,
    read_text,
    record,
    records,
)
from tofutypes.documents.redacted import (
    redacted_change,
    redacted_values,
    sensitive_in_outputs,
    sensitive_in_resources,
)
from tofutypes.documents.redaction import (
    Marked,
    Redactor,
    sensitive_in_change,
    sensitive_in_configuration,
)
from tofutypes.documents.references import Reference, ReferenceGraph
from tofutypes.documents.state import ShownState, kind_of
from tofutypes.documents.typed import Models
from tofutypes.documents.writing import dump
from tofutypes.errors import Path
from tofutypes.models import Model

M = TypeVar("M", bound=Model)


class Plan(Record):
    """What is about to change.

    Made by `read_plan`. Changes and their values are read when they are asked for.

    Attributes:
        format_version: the version of the document's format.
        terraform_version: the version of OpenTofu or Terraform that wrote it.
        timestamp: when it was made (RFC 3339).
        errored: whether planning failed: the plan holds what was planned until then.
        applyable: whether it can be applied (Terraform); None in documents that do not tell.
        complete: whether nothing is deferred (Terraform); None in documents that do not tell.
        configuration: the configuration that it was made of; None in documents without one.
        planned_values: the state after apply, as far as it is known.
        checks: the results of checks.
        action_invocations: the actions that are invoked (Terraform).
    """

    member_names = frozenset(
        {"resource_changes", "resource_drift", "deferred_changes", "output_changes", "variables"}
        | {"prior_state", "relevant_attributes"}
    )
    format_version = Member(read_text)
    terraform_version = Member(read_text)
    timestamp = Member(read_text)
    errored = Member(read_flag)
    applyable = Member(read_optional_flag)
    complete = Member(read_optional_flag)
    configuration = record(Configuration)
    planned_values = record(PlannedValues)
    checks = records(CheckResult)
    action_invocations = records(ActionInvocation)

    def __init__(self, json: Mapping[str, Any], models: Models) -> None:
        self.members = json
        self.place = ""
        self.models: Final = models

    @cached_property
    def resource_changes(self) -> Sequence[ResourceChange]:
        """All changes of resources, in the order of the document; most change nothing (`no-op`)."""
        return tuple(self._changes("resource_changes", None))

    @cached_property
    def resource_drift(self) -> Sequence[ResourceChange]:
        """The changes that were made outside of OpenTofu and Terraform, found when refreshing."""
        return tuple(self._changes("resource_drift", None))

    @cached_property
    def deferred_changes(self) -> Sequence[DeferredChange]:
        """The changes that have to wait for another run (Terraform)."""
        changes = enumerate(read_list(self.members.get("deferred_changes"), "deferred_changes"))
        return tuple(DeferredChange(c, f"deferred_changes[{n}]", self.models) for n, c in changes)

    @cached_property
    def output_changes(self) -> Mapping[str, OutputChange]:
        """The changes of the outputs of the root module by name."""
        changes = read_object(self.members.get("output_changes"), "output_changes")
        return {n: OutputChange(change, f"output_changes.{n}") for n, change in changes.items()}

    @cached_property
    def variables(self) -> Mapping[str, Variable]:
        """The input variables of the root module by name."""
        configured: Mapping[str, ConfigVariable] = (
            self.configuration.root_module.variables if self.configuration else {}
        )
        return {
            name: Variable(
                value,
                f"variables.{name}",
                is_sensitive=name in configured and configured[name].sensitive,
            )
            for name, value in read_object(self.members.get("variables"), "variables").items()
        }

    @cached_property
    def prior_state(self) -> ShownState | None:
        """The state before; None if there is none."""
        state = self.members.get("prior_state")
        if state is None:
            return None
        return ShownState(read_object(state, "prior_state"), self.models, "prior_state")

    @cached_property
    def relevant_attributes(self) -> Sequence[RelevantAttribute]:
        """The attributes of resources that changes of this plan may come from."""
        place = "relevant_attributes"
        attributes = enumerate(read_list(self.members.get(place), place))
        return tuple(RelevantAttribute(members, f"{place}[{n}]") for n, members in attributes)

    def changes_of(self, model: type[M]) -> list[ResourceChange[M]]:
        """The changes of the resource or data source that a model is of, typed.

            for change in plan.changes_of(NimbusServer):
                if change.after is not None and is_known(change.after.size):
                    print(change.address, change.after.size)

        Raises:
            DocumentError: If the model has no type name.
        """
        return list(self._changes("resource_changes", model))

    def drift_of(self, model: type[M]) -> list[ResourceChange[M]]:
        """The same for the changes that were made outside.

        Raises:
            DocumentError: If the model has no type name.
        """
        return list(self._changes("resource_drift", model))

    def change(self, address: str) -> ResourceChange | None:
        """The change of the current object at an address; None if there is none."""
        return self._by_address.get(address)

    def references(self, address: str) -> tuple[Reference, ...]:
        """What a resource refers to: attributes of other resources, also through modules.

        Args:
            address: of a resource; keys of instances do not matter.

        Raises:
            DocumentError: If it is not an address.
        """
        return self._graph.references(ResourceAddress(address))

    def referrers(self, address: str) -> tuple[Reference, ...]:
        """What refers to a resource or a variable of the root module, also through modules.

        Args:
            address: of a resource, where keys of instances do not matter; or `var.NAME`.
        """
        return self._graph.referrers(address)

    def redacted(self) -> Plan:
        """This plan without what is sensitive, of the same shape: it may be shared.

        Sensitive values become null, `false`, 0 or `(sensitive)` after their kind: in variables,
        outputs, prior state, before, after, and constants of the configuration that equal them.
        """
        with bounded("document"):
            return Plan(_redacted(self), self.models)

    def to_json(self, *, indent: bool = False) -> str:
        """The document as JSON, with exact numbers."""
        return dump(dict(self.members), indent=indent)

    @cached_property
    def redactor(self) -> Redactor:
        """What replaces sensitive values of this plan, wherever they stand."""
        with bounded("document"):
            return Redactor(_sensitive_in_plan(self))

    @cached_property
    def _by_address(self) -> Mapping[str, ResourceChange]:
        return {
            change.address: change for change in self.resource_changes if change.deposed is None
        }

    @cached_property
    def _graph(self) -> ReferenceGraph:
        return ReferenceGraph(self.configuration)

    @cached_property
    def _context(self) -> ChangeContext:
        return ChangeContext(lambda address: self._relevant.get(address, ()))

    @cached_property
    def _relevant(self) -> Mapping[str, tuple[Path, ...]]:
        by_resource: dict[str, tuple[Path, ...]] = {}
        for attribute in self.relevant_attributes:
            resource = attribute.resource
            by_resource[resource] = (*by_resource.get(resource, ()), attribute.path)
        return by_resource

    def _changes(self, member: str, model: type[Model] | None) -> Iterator[ResourceChange[Any]]:
        mode, type_name = ("", "") if model is None else kind_of(model)
        members = self.members
        changes = (
            members.changes(member) if isinstance(members, LazyDocument) else members.get(member)
        )
        for position, json in enumerate(read_list(changes, member)):
            change = ResourceChange(
                json,
                f"{member}[{position}]",
                self.models,
                self._context,
                model,
            )
            if model is None or change.is_of(mode, type_name):
                yield change

    def __repr__(self) -> str:
        return f"<Plan with {len(self.resource_changes)} resource changes>"


def _redacted(plan: Plan) -> dict[str, Any]:
    redactor = plan.redactor
    json = dict(plan.json)
    for name, changes in (
        ("resource_changes", plan.resource_changes),
        ("resource_drift", plan.resource_drift),
    ):
        if name in json:
            json[name] = [redacted_change(redactor, change) for change in changes]
    if "deferred_changes" in json:
        json["deferred_changes"] = [
            {
                **deferred.members,
                "resource_change": redacted_change(redactor, deferred.resource_change),
            }
            for deferred in plan.deferred_changes
        ]
    if "output_changes" in json:
        json["output_changes"] = {
            name: redactor.change(output, None) for name, output in plan.output_changes.items()
        }
    if "variables" in json:
        json["variables"] = {
            name: {
                **variable.members,
                "value": redactor.value(variable.members.get("value"), variable.is_sensitive),
            }
            for name, variable in plan.variables.items()
        }
    if plan.prior_state is not None:
        json["prior_state"] = plan.prior_state.redacted_by(redactor).json
    if plan.planned_values is not None:
        values = plan.planned_values
        json["planned_values"] = redacted_values(
            redactor, values.members, values.outputs, values.resources
        )
    if "action_invocations" in json:
        json["action_invocations"] = [
            {
                **action.members,
                "config_values": redactor.value(
                    action.members.get("config_values"), action.members.get("config_sensitive")
                ),
            }
            for action in plan.action_invocations
        ]
    if "configuration" in json:
        json["configuration"] = redactor.configuration(json["configuration"])
    return json


def _sensitive_in_plan(plan: Plan) -> Iterator[Marked]:
    deferred = (deferred.resource_change for deferred in plan.deferred_changes)
    for change in (*plan.resource_changes, *plan.resource_drift, *deferred):
        yield from sensitive_in_change(change.change, change.layout)
    for output in plan.output_changes.values():
        yield from sensitive_in_change(output, None)
    for variable in plan.variables.values():
        if variable.is_sensitive:
            yield variable.members.get("value"), True
    if plan.configuration is not None:
        yield from sensitive_in_configuration(plan.configuration)
    for values in (plan.prior_state, plan.planned_values):
        if values is not None:
            yield from sensitive_in_resources(values.resources)
            yield from sensitive_in_outputs(values.outputs)
    for action in plan.action_invocations:
        yield action.members.get("config_values"), action.members.get("config_sensitive")
