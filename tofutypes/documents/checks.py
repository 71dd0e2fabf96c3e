"""Results of checks, and what a plan says beside its changes."""

from __future__ import annotations

from tofutypes.documents.records import (
    Member,
    Record,
    read_integer,
    read_list,
    read_object,
    read_plain,
    read_required_text,
    read_text,
    record,
    wrong,
)


class CheckInstance(Record):
    """The result of the checks of one object.

    Attributes:
        status: `pass`, `fail`, `error` or `unknown`.
    """

    member_names = frozenset({"address", "problems"})
    status = Member(read_required_text)

    @property
    def address(self) -> str:
        """Which object."""
        return _display(self)

    @property
    def problems(self) -> tuple[str, ...]:
        """The messages of the conditions that do not hold."""
        place = self.place_of("problems")
        problems = read_list(self.members.get("problems"), place)
        return tuple(
            read_required_text(read_object(problem, place).get("message"), place)
            for problem in problems
        )


class CheckResult(Record):
    """The result of the checks of one block: conditions of a resource, an output, a check block.

    Attributes:
        status: `pass`, `fail`, `error` or `unknown`.
    """

    member_names = frozenset({"address", "instances"})
    status = Member(read_required_text)

    @property
    def address(self) -> str:
        """Which block."""
        return _display(self)

    @property
    def kind(self) -> str | None:
        """`resource`, `output_value`, `check` or `var`."""
        place = self.place_of("address")
        return read_text(read_object(self.members.get("address"), place).get("kind"), place)

    @property
    def instances(self) -> tuple[CheckInstance, ...]:
        """The results by object."""
        place = self.place_of("instances")
        instances = read_list(self.members.get("instances"), place)
        return tuple(
            CheckInstance(instance, f"{place}[{position}]")
            for position, instance in enumerate(instances)
        )


def _display(check: Record) -> str:
    place = check.place_of("address")
    address = check.members.get("address")
    if isinstance(address, str):
        return address
    if address is None:
        raise wrong(place, "an object", address)
    return read_required_text(read_object(address, place).get("to_display"), place)


class ActionTrigger(Record):
    """What starts an action of a resource's life cycle."""

    triggering_resource_address = Member(read_text)
    action_trigger_event = Member(read_text)
    action_trigger_block_index = Member(read_integer)
    actions_list_index = Member(read_integer)


class ActionInvocation(Record):
    """An action that is invoked during apply (Terraform 1.14).

    Attributes:
        config_values: the plain configuration of the action.
        config_sensitive: which parts of it are sensitive.
        config_unknown: which parts of it are not known yet.
    """

    address = Member(read_text)
    type = Member(read_text)
    name = Member(read_text)
    provider_name = Member(read_text)
    config_values = Member(read_plain)
    config_sensitive = Member(read_plain)
    config_unknown = Member(read_plain)
    lifecycle_action_trigger = record(ActionTrigger)
    invoke_action_trigger = Member(read_plain)
