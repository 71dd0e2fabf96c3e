"""State: what exists, from `show -json` or from a state file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, TypeVar

from tofutypes.documents.checks import CheckResult
from tofutypes.documents.outputs import OutputValue, read_outputs
from tofutypes.documents.records import (
    bounded,
    read_list,
    read_object,
    read_text,
    records,
)
from tofutypes.documents.redacted import (
    redacted_values,
    sensitive_in_outputs,
    sensitive_in_resources,
)
from tofutypes.documents.redaction import Redactor
from tofutypes.documents.resources import ShownResource, StateResource
from tofutypes.documents.typed import BASES, Models
from tofutypes.documents.writing import dump
from tofutypes.errors import DocumentError
from tofutypes.models import Model
from tofutypes.models.bases import SchemaModel
from tofutypes.narrowing import is_dict

M = TypeVar("M", bound=Model)


class State:
    """What exists: resources, and outputs of the root module.

    Made by `read_state`. Its resources and their values are read when they are asked for.
    """

    def __init__(self, json: Mapping[str, Any], models: Models, place: str = "") -> None:
        self.json: Final = json
        self.models: Final = models
        self._place: Final = place

    @property
    def terraform_version(self) -> str | None:
        """The version of OpenTofu or Terraform that wrote it."""
        return read_text(self.json.get("terraform_version"), self._at("terraform_version"))

    @cached_property
    def resources(self) -> Sequence[StateResource]:
        """All objects, each with a model or with plain values."""
        return tuple(self._resources(None))

    def resources_of(self, model: type[M]) -> list[StateResource[M]]:
        """The objects of the resource or data source that a model is of, typed.

            for server in state.resources_of(NimbusServer):
                print(server.address, server.values)

        Raises:
            DocumentError: If the model has no type name.
        """
        mode, type_name = kind_of(model)
        return [
            resource
            for resource in self._resources(model)
            if resource.type == type_name and resource.mode == mode
        ]

    def resource(self, address: str) -> StateResource | None:
        """The current object at an address; None if there is none."""
        return self._by_address.get(address)

    @cached_property
    def _by_address(self) -> Mapping[str, StateResource]:
        return {
            resource.address: resource
            for resource in self.resources
            if resource.deposed_key is None
        }

    @cached_property
    def outputs(self) -> Mapping[str, OutputValue]:
        """The outputs of the root module by name."""
        return read_outputs(self._outputs_json(), self._at("outputs"))

    @property
    def checks(self) -> tuple[CheckResult, ...]:
        """The results of checks."""
        return _CHECKS(self.json.get("checks"), self._at("checks"))

    @cached_property
    def redactor(self) -> Redactor:
        """What replaces sensitive values of this state, wherever they stand."""
        with bounded("document"):
            return Redactor(
                [*sensitive_in_resources(self.resources), *sensitive_in_outputs(self.outputs)]
            )

    def redacted(self) -> State:
        """This state without what is sensitive, of the same shape: it may be shared.

        Sensitive values become null, `false`, 0, `(sensitive)` or empty, after their kind.
        """
        raise NotImplementedError

    def to_json(self) -> str:
        """The document as JSON, with exact numbers."""
        raise NotImplementedError

    def _at(self, name: str) -> str:
        return f"{self._place}.{name}" if self._place else name

    def _outputs_json(self) -> object:
        raise NotImplementedError

    def _resources(self, promised: type[Model] | None) -> Iterator[StateResource[Any]]:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__} with {len(self.resources)} resources>"


_CHECKS: Final = records(CheckResult).read


class ShownState(State):
    """State as `show -json` prints it, and the prior state inside of a plan."""

    @property
    def format_version(self) -> str | None:
        """The version of the document's format."""
        return read_text(self.json.get("format_version"), self._at("format_version"))

    @property
    def extra(self) -> dict[str, object]:
        """The members that this version of the library does not know."""
        known = {"format_version", "terraform_version", "values", "checks"}
        return {name: value for name, value in self.json.items() if name not in known}

    def redacted(self) -> ShownState:
        with bounded("document"):
            return self.redacted_by(self.redactor)

    def redacted_by(self, redactor: Redactor) -> ShownState:
        """The same with what is known to be sensitive already."""
        json = dict(self.json)
        if is_dict(json.get("values")):
            json["values"] = redacted_values(redactor, json["values"], self.outputs, self.resources)
        return ShownState(json, self.models, self._place)

    def to_json(self) -> str:
        return dump(self.json)

    def _values(self) -> dict[str, Any]:
        return read_object(self.json.get("values"), self._at("values"))

    def _outputs_json(self) -> object:
        return self._values().get("outputs")

    def _resources(self, promised: type[Model] | None) -> Iterator[StateResource[Any]]:
        root = self._values().get("root_module")
        return shown_resources(root, self._at("values.root_module"), self.models, promised)


def shown_resources(
    module: object, place: str, models: Models, promised: type[Model] | None = None
) -> Iterator[ShownResource]:
    """The resources of a module of a document and of the modules below it."""
    stack = [(module, place)]
    while stack:
        module, place = stack.pop()
        members = read_object(module, place)
        resources = read_list(members.get("resources"), f"{place}.resources")
        for position, resource in enumerate(resources):
            yield ShownResource(resource, f"{place}.resources[{position}]", models, promised)
        children = read_list(members.get("child_modules"), f"{place}.child_modules")
        places = (f"{place}.child_modules[{position}]" for position in range(len(children)))
        stack += reversed(list(zip(children, places, strict=True)))


def kind_of(model: type[Model]) -> tuple[str, str]:
    """The mode and the type name of the resource that a model is of.

    Raises:
        DocumentError: If it is not the model of a resource, or has no type name.
    """
    if not issubclass(model, SchemaModel) or model.__tofu_info__.type_name is None:
        raise DocumentError(
            f"expected the model of a resource with a type name, got {model.__name__}"
        )
    mode = next((mode for mode, base in BASES.items() if issubclass(model, base)), None)
    if mode is None:
        raise DocumentError(f"expected the model of a resource, got {model.__name__}")
    return mode, model.__tofu_info__.type_name
