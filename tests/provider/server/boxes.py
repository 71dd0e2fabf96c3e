"""A provider whose code each test brings along: `Toy(create=...)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tofutypes import (
    Action,
    Attr,
    DataSource,
    EphemeralResource,
    ListBlock,
    ListResource,
    NestedBlock,
    Number,
    ProviderConfig,
    Resource,
    ResourceIdentity,
    SetBlock,
    present,
)
from tofutypes.provider import (
    ActionHandler,
    ApplyContext,
    ConfigureContext,
    Context,
    DataSourceHandler,
    EphemeralContext,
    EphemeralResourceHandler,
    InvokeContext,
    ListContext,
    ListHandler,
    PlanContext,
    Provider,
    ResourceHandler,
    StoredState,
    ValidateContext,
    ValidateListContext,
    conflicting,
)
from tofutypes.provider.objchange.planning import without_unknown

Code = Callable[..., Any]


class Slot(NestedBlock):
    size: Attr[Number] = Attr(required=True)
    key: Attr[str | None] = Attr(optional=True, sensitive=True, default=None)
    id: Attr[str | None] = Attr(computed=True, default=None)


class Box(Resource, type_name="toy_box", version=2):
    name: Attr[str] = Attr(required=True)
    id: Attr[str | None] = Attr(computed=True, default=None)
    serial: Attr[Number | None] = Attr(computed=True, default=None)
    color: Attr[str | None] = Attr(optional=True, computed=True, default=None)
    secret: Attr[str | None] = Attr(optional=True, sensitive=True, default=None)
    once: Attr[str | None] = Attr(optional=True, write_only=True, default=None)
    slot: ListBlock[Slot] = ListBlock(default=())
    bag: SetBlock[Slot] = SetBlock(default=())


class BoxIdentity(ResourceIdentity, type_name="toy_box"):
    id: Attr[str] = Attr(required_for_import=True)


class Shelf(DataSource, type_name="toy_shelf"):
    name: Attr[str] = Attr(required=True)
    boxes: Attr[list[str] | None] = Attr(computed=True, default=None)


class Key(EphemeralResource, type_name="toy_key"):
    name: Attr[str] = Attr(required=True)
    value: Attr[str | None] = Attr(computed=True, sensitive=True, default=None)


class Shake(Action, type_name="toy_shake"):
    """Shakes a box."""

    box: Attr[str] = Attr(required=True)
    times: Attr[int | None] = Attr(optional=True, default=None)
    seconds: Attr[int | None] = Attr(optional=True, default=None)


class BoxFilter(ListResource, type_name="toy_box"):
    """Lists boxes."""

    prefix: Attr[str | None] = Attr(optional=True, default=None)


class Room(ProviderConfig, type_name="toy"):
    name: Attr[str | None] = Attr(optional=True, default=None)


class Toy(Provider[Room]):
    """Runs the code that a test gives for a call; without it, what works."""

    address = "registry.opentofu.org/example/toy"

    def __init__(self, **code: Code) -> None:
        self.code = code

    def run(self, call: str, *given: Any, default: Code = lambda *_: None) -> Any:
        return self.code.get(call, default)(*given)

    def validate(self, config: Room, context: ValidateContext) -> Any:
        return self.run("validate_provider", config, context)

    def configure(self, config: Room, context: ConfigureContext) -> Any:
        return self.run("configure", config, context)


class Boxes(ResourceHandler[Box, Toy]):
    identity = BoxIdentity
    replace_on = ("name", "slot.size")
    keep = ("id",)

    def validate(self, config: Box, context: ValidateContext) -> Any:
        return self.provider.run("validate", config, context)

    def plan(self, planned: Box, context: PlanContext[Box]) -> Any:
        return self.provider.run("plan", planned, context, default=lambda box, _: box)

    def plan_delete(self, state: Box, context: Context) -> Any:
        return self.provider.run("plan_delete", state, context)

    def create(self, planned: Box, context: ApplyContext[Box]) -> Any:
        return self.provider.run("create", planned, context, default=made)

    def read(self, state: Box, context: Context) -> Any:
        return self.provider.run("read", state, context, default=lambda box, _: box)

    def update(self, planned: Box, prior: Box, context: ApplyContext[Box]) -> Any:
        return self.provider.run(
            "update", planned, prior, context, default=lambda box, *_: made(box)
        )

    def delete(self, state: Box, context: Context) -> Any:
        return self.provider.run("delete", state, context)

    def import_state(self, wanted: str | ResourceIdentity, context: Context) -> Any:
        return self.provider.run("import_state", wanted, context)

    def upgrade(self, state: StoredState, context: Context) -> Any:
        return self.provider.run("upgrade", state, context)

    def identify(self, state: Box) -> BoxIdentity:
        return BoxIdentity(id=present(state.id))


class Shelves(DataSourceHandler[Shelf, Toy]):
    def read(self, config: Shelf, context: Context) -> Any:
        return self.provider.run("read_data", config, context)


class Keys(EphemeralResourceHandler[Key, Toy]):
    def open(self, config: Key, context: EphemeralContext) -> Any:
        return self.provider.run("open", config, context)


class Shakes(ActionHandler[Shake, Toy]):
    validators = (conflicting("times", "seconds"),)

    def validate(self, config: Shake, context: ValidateContext) -> Any:
        return self.provider.run("validate_action", config, context)

    def plan(self, config: Shake, context: Context) -> Any:
        return self.provider.run("plan_action", config, context)

    def invoke(self, config: Shake, context: InvokeContext) -> Any:
        return self.provider.run("invoke", config, context)


class BoxList(ListHandler[Box, Toy, BoxFilter]):
    def validate(self, config: BoxFilter, context: ValidateListContext) -> Any:
        return self.provider.run("validate_list", config, context)

    def list_objects(self, config: BoxFilter, context: ListContext) -> Any:
        return self.provider.run("list", config, context)


class Workshop(Toy):
    """A toy with an action and a list resource."""

    actions = (Shakes,)
    list_resources = (BoxList,)


Toy.resources = (Boxes,)
Toy.data_sources = (Shelves,)
Toy.ephemeral_resources = (Keys,)


def made(box: Box, *_: object) -> Box:
    """The box with a value for everything that is unknown."""
    found = Box.model_validate(without_unknown(box))
    found.id = found.id or "box-1"
    found.serial = 7
    found.color = found.color or "red"
    return found
