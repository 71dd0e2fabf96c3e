"""A small provider that uses all of the protocol, to call it."""

from __future__ import annotations

from datetime import UTC, datetime

from tofutypes import (
    UNKNOWN,
    Attr,
    DataSource,
    EphemeralResource,
    ListBlock,
    NestedBlock,
    Number,
    ProviderConfig,
    Resource,
    ResourceIdentity,
    function,
)
from tofutypes.provider import (
    ApplyContext,
    ArgumentError,
    ConfigureContext,
    Context,
    DataSourceHandler,
    DeferredReason,
    EphemeralContext,
    EphemeralResourceHandler,
    MovedState,
    PlanContext,
    Provider,
    ProviderError,
    ResourceHandler,
    StoredState,
    ValidateContext,
)

RENEWAL = datetime(2031, 5, 4, 3, 2, 1, tzinfo=UTC)


class HarbourConfig(ProviderConfig, type_name="harbour"):
    flag: Attr[str | None] = Attr(optional=True, default=None)


class Mooring(NestedBlock):
    place: Attr[str] = Attr(required=True)


class Ship(Resource, type_name="harbour_ship", version=3):
    id: Attr[str | None] = Attr(computed=True, default=None)
    name: Attr[str] = Attr(required=True)
    length: Attr[Number | None] = Attr(optional=True, computed=True, default=None)
    code: Attr[str | None] = Attr(optional=True, write_only=True, default=None)
    mooring: ListBlock[Mooring] = ListBlock(default=())


class ShipIdentity(ResourceIdentity, type_name="harbour_ship"):
    id: Attr[str] = Attr(required_for_import=True)


class Tide(DataSource, type_name="harbour_tide"):
    day: Attr[str] = Attr(required=True)
    height: Attr[Number | None] = Attr(computed=True, default=None)


class Permit(EphemeralResource, type_name="harbour_permit"):
    ship: Attr[str] = Attr(required=True)
    token: Attr[str | None] = Attr(computed=True, sensitive=True, default=None)


class Ships(ResourceHandler[Ship, "Harbour"]):
    identity = ShipIdentity
    replace_on = ("name",)
    keep = ("id",)

    def validate(self, config: Ship, context: ValidateContext) -> None:
        if config.name == "":
            raise ProviderError("No name", path="name")
        if config.length == 0:
            context.warn("A short ship", path="length")

    def plan(self, planned: Ship, context: PlanContext[Ship]) -> Ship:
        if planned.name == "later" and context.deferral_allowed:
            context.defer(DeferredReason.ABSENT_PREREQUISITE)
        context.private = b"planned"
        return planned

    def create(self, planned: Ship, context: ApplyContext[Ship]) -> Ship:
        assert context.private == b"planned"
        made = planned.model_copy(update={"id": "s1"})
        if made.length is UNKNOWN or made.length is None:
            made.length = 10
        if planned.name == "sinks":
            context.save(made)
            raise ProviderError("It sank", "Right after the launch.")
        code = context.config.code
        context.private = code.encode() if isinstance(code, str) else b"none"
        return made

    def update(self, planned: Ship, prior: Ship, context: ApplyContext[Ship]) -> Ship:
        if planned.length is UNKNOWN:
            planned.length = prior.length
        return planned

    def read(self, state: Ship, context: Context) -> Ship | None:
        if state.name == "gone":
            return None
        context.private += b"+read"
        return state

    def delete(self, state: Ship, context: Context) -> None:
        pass

    def import_state(self, wanted: str | ResourceIdentity, context: Context) -> Ship:
        assert isinstance(wanted, str | ShipIdentity)
        found = wanted if isinstance(wanted, str) else wanted.id
        context.warn("Found in the books")
        return Ship(id=found, name="found", length=1)

    def upgrade(self, state: StoredState, context: Context) -> Ship:
        context.warn("An old book")
        return Ship(id="s1", name=f"{state.values()['called']} of {state.version}", length=1)

    def move(self, source: MovedState, context: Context) -> Ship:
        context.private = source.private
        return Ship(id=source.provider_address, name=source.type_name, length=source.state.version)

    def identify(self, state: Ship) -> ShipIdentity:
        assert isinstance(state.id, str)
        return ShipIdentity(id=state.id)


class Tides(DataSourceHandler[Tide, "Harbour"]):
    def read(self, config: Tide, context: Context) -> Tide:
        context.warn("Only a forecast")
        return Tide(day=config.day, height=3)


class Permits(EphemeralResourceHandler[Permit, "Harbour"]):
    def open(self, config: Permit, context: EphemeralContext) -> Permit:
        context.private = b"first"
        context.renew_at = RENEWAL
        return Permit(ship=config.ship, token="secret")

    def renew(self, context: EphemeralContext) -> None:
        context.private += b"+second"

    def close(self, context: EphemeralContext) -> None:
        if context.private != b"first+second":
            raise ProviderError("Not renewed")
        context.warn("Closed")


@function()
def greet(name: str | None, *more: str) -> str:
    """Says hello."""
    if more and more[-1] == "nobody":
        raise ArgumentError("There is nobody", len(more))
    return ", ".join(["hello", name or "you", *more])


class Harbour(Provider[HarbourConfig]):
    address = "registry.opentofu.org/example/harbour"
    resources = (Ships,)
    data_sources = (Tides,)
    ephemeral_resources = (Permits,)
    functions = (greet,)

    def configure(self, config: HarbourConfig, context: ConfigureContext) -> None:
        context.warn(f"{config.flag} under {context.core_version}")
