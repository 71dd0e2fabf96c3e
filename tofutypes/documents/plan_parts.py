"""What a plan says beside the changes of resources and outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

from tofutypes.documents.changes import ResourceChange
from tofutypes.documents.outputs import OutputValue, read_outputs
from tofutypes.documents.paths import path_of
from tofutypes.documents.records import Member, Record, read_plain, read_required_text, read_text
from tofutypes.documents.resources import ShownResource
from tofutypes.documents.state import shown_resources
from tofutypes.documents.typed import Models
from tofutypes.errors import Path


class Variable(Record):
    """An input variable of the root module, with its value.

    Attributes:
        value: the plain value.
    """

    value = Member(read_plain)

    def __init__(self, json: object, place: str, *, is_sensitive: bool) -> None:
        super().__init__(json, place)
        self.is_sensitive: Final = is_sensitive

    def __repr__(self) -> str:
        return f"<Variable {'(sensitive)' if self.is_sensitive else repr(self.value)}>"


class PlannedValues(Record):
    """The state after apply, as far as it is known.

    What is unknown is missing here: `Plan.resource_changes` tells it from what is null.
    """

    member_names = frozenset({"outputs", "root_module"})

    @cached_property
    def outputs(self) -> Mapping[str, OutputValue]:
        """The outputs of the root module by name."""
        return read_outputs(self.members.get("outputs"), self.place_of("outputs"))

    @cached_property
    def resources(self) -> Sequence[ShownResource]:
        """The resources, with plain values."""
        root = self.members.get("root_module")
        return tuple(shown_resources(root, self.place_of("root_module"), Models()))


class DeferredChange(Record):
    """A change that has to wait for another run (Terraform).

    Attributes:
        reason: why, `resource_config_unknown`.
    """

    member_names = frozenset({"resource_change"})
    reason = Member(read_text)

    def __init__(self, json: object, place: str, models: Models) -> None:
        super().__init__(json, place)
        self._models = models

    @cached_property
    def resource_change(self) -> ResourceChange:
        """The change, as far as it is known."""
        json, place = self.members.get("resource_change"), self.place_of("resource_change")
        return ResourceChange(json, place, self._models)


class RelevantAttribute(Record):
    """An attribute of a resource that changes may come from."""

    member_names = frozenset({"attribute"})
    resource = Member(read_required_text)

    @property
    def path(self) -> Path:
        """The place inside of the resource."""
        return path_of(self.members.get("attribute"), None, self.place_of("attribute"))
