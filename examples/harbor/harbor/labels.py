"""Labels: `harbor_label`, which cannot be changed, and may have been `terraform_data`."""

from __future__ import annotations

from tofutypes import Attr, Resource
from tofutypes.provider import (
    ApplyContext,
    Context,
    MovedState,
    ProviderError,
    ResourceHandler,
)

from .account import Account
from .values import given


class Label(Resource, type_name="harbor_label"):
    """A text that other objects point to."""

    text: Attr[str] = Attr(required=True)
    id: Attr[str | None] = Attr(computed=True, default=None)


class Labels(ResourceHandler[Label, Account]):
    """Without `update`, every change makes a new label."""

    def create(self, planned: Label, context: ApplyContext[Label]) -> Label:
        planned.id = self.provider.cloud.create("label")
        return self._put(planned)

    def read(self, state: Label, context: Context) -> Label | None:
        found = self.provider.cloud.get("label", given(state.id))
        return None if found is None else Label.from_json(found)

    def delete(self, state: Label, context: Context) -> None:
        self.provider.cloud.delete("label", given(state.id))

    def move(self, source: MovedState, context: Context) -> Label:
        if source.type_name != "terraform_data":
            raise ProviderError(f"A {source.type_name} cannot become a harbor_label")
        old = source.state.values()
        # A `terraform_data` is known to nobody, so that this is where the label begins.
        return self._put(Label(text=old["input"]["value"], id=old["id"]))

    def _put(self, label: Label) -> Label:
        self.provider.cloud.put("label", given(label.id), label.to_json())
        return label
