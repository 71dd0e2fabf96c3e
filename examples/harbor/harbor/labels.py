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


class Label(Resource, type_name="harbor_label"):
    """A text that other objects point to. It is nowhere but in the state."""

    text: Attr[str] = Attr(required=True)
    id: Attr[str | None] = Attr(computed=True, default=None)


class Labels(ResourceHandler[Label, Account]):
    """Without `update`, every change makes a new label; without `read`, none is ever gone."""

    def create(self, planned: Label, context: ApplyContext[Label]) -> Label:
        planned.id = self.provider.cloud.create("label")
        return planned

    def delete(self, state: Label, context: Context) -> None:
        pass

    def move(self, source: MovedState, context: Context) -> Label:
        if source.type_name != "terraform_data":
            raise ProviderError(f"A {source.type_name} cannot become a harbor_label")
        old = source.state.values()
        return Label(text=old["input"]["value"], id=old["id"])
