"""The life of a ship: the handler of `harbor_ship`."""

from __future__ import annotations

from hashlib import sha256
from secrets import token_hex

from tofutypes import Number, ResourceIdentity, Unknown, is_known, known, present
from tofutypes.provider import (
    ApplyContext,
    Context,
    PlanContext,
    ProviderError,
    ResourceHandler,
    StoredState,
    ValidateContext,
)

from .account import Account
from .exact import add, hundredth
from .ship import Cabin, Flag, Ship, ShipIdentity, ShipV0


class Ships(ResourceHandler[Ship, Account]):
    """`context.private` is the fingerprint of the start code that the ship has."""

    identity = ShipIdentity
    replace_on = ("port",)
    keep = (
        "id",
        "radio_code",
        "captain.license",
        "hold.id",
        "flag.registration",
        "cabin.deck",
    )

    def validate(self, config: Ship, context: ValidateContext) -> None:
        if not is_known(config.hold):
            return
        for position, hold in enumerate(config.hold):
            if is_known(hold) and is_known(hold.tons) and hold.tons <= 0:
                context.error(
                    "An empty hold", "It takes more than 0 tons.", f"hold[{position}].tons"
                )

    def plan(self, planned: Ship, context: PlanContext[Ship]) -> Ship:
        if not is_known(planned.id):
            planned.id = Unknown(prefix="ship-", not_null=True)
        if not is_known(planned.speed) and context.config.speed is None:
            planned.speed = self.provider.speed_limit
        if not is_known(planned.tonnage):
            found = tonnage(planned)
            planned.tonnage = Unknown(lower=0, not_null=True) if found is None else found
        self._check_start_code(planned, context)
        return planned

    def plan_delete(self, state: Ship, context: Context) -> None:
        if state.protected is True:
            raise ProviderError(
                "The ship is protected", "Set `protected = false` first.", "protected"
            )
        if known(state.cabin):
            context.warn("There may be people on board", "All cabins are sunk with the ship.")

    def create(self, planned: Ship, context: ApplyContext[Ship]) -> Ship:
        planned.id = self.provider.cloud.create("ship")
        self._send_start_code(planned, context)
        return self._put(planned)

    def read(self, state: Ship, context: Context) -> Ship | None:
        found = self.provider.cloud.get("ship", present(state.id))
        return None if found is None else Ship.from_json(found)

    def update(self, planned: Ship, prior: Ship, context: ApplyContext[Ship]) -> Ship:
        if planned.start_code_version != prior.start_code_version:
            self._send_start_code(planned, context)
        return self._put(planned)

    def delete(self, state: Ship, context: Context) -> None:
        self.provider.cloud.delete("start_code", present(state.id))
        self.provider.cloud.delete("ship", present(state.id))

    def import_state(self, wanted: str | ResourceIdentity, context: Context) -> Ship:
        ships = map(Ship.from_json, self.provider.cloud.documents("ship"))
        found = next((ship for ship in ships if wanted in (ship.id, self.identify(ship))), None)
        if found is None:
            raise ProviderError("There is no such ship", "It has another port, name or id.")
        return found

    def upgrade(self, state: StoredState, context: Context) -> Ship:
        if state.version != 0:
            raise ProviderError(f"A ship of schema version {state.version} is not known")
        old = state.read(ShipV0)
        draft = None if old.draft_cm is None else hundredth(known(old.draft_cm))
        return Ship(name=old.title, port=old.port, id=old.id, draft=draft)

    def identify(self, state: Ship) -> ShipIdentity:
        return ShipIdentity(port=state.port, name=state.name)

    def _check_start_code(self, planned: Ship, context: PlanContext[Ship]) -> None:
        """Warn if there is a new start code that would not be sent."""
        code, prior = context.config.start_code, context.prior
        if prior is None or code is None or not is_known(code):
            return
        same_version = planned.start_code_version == prior.start_code_version
        if same_version and fingerprint(code) != context.private:
            context.warn(
                "The new start code is not sent", "Raise `start_code_version`.", "start_code"
            )

    def _send_start_code(self, ship: Ship, context: ApplyContext[Ship]) -> None:
        code = context.config.start_code
        if code is None:
            return
        context.private = fingerprint(known(code))
        self.provider.cloud.put("start_code", present(ship.id), known(code))

    def _put(self, ship: Ship) -> Ship:
        """Decide what was left to the harbor, and store the ship."""
        ship.tonnage = tonnage(ship)
        if not is_known(ship.radio_code):
            ship.radio_code = token_hex(4)
        captain = known(ship.captain)
        if captain is not None and not is_known(captain.license):
            captain.license = f"license-{captain.name}"
        for hold in map(known, known(ship.hold)):
            if not is_known(hold.id):
                hold.id = self.provider.cloud.create("hold")
        ship.flag = [registered(known(flag)) for flag in known(ship.flag)]
        for cabin in known(ship.cabin).values():
            _put_on_deck(known(cabin))
        self.provider.cloud.put("ship", present(ship.id), ship.to_json())
        return ship


def fingerprint(code: str) -> bytes:
    """What tells one code from another without telling the code."""
    return sha256(code.encode()).digest()


def tonnage(ship: Ship) -> Number | None:
    """What all holds take; None if that is not known yet."""
    if not is_known(ship.hold):
        return None
    holds = [hold for hold in ship.hold if is_known(hold)]
    tons = [hold.tons for hold in holds if is_known(hold.tons)]
    return add(tons) if len(tons) == len(ship.hold) else None


def registered(flag: Flag) -> Flag:
    """The flag with its number in the register."""
    if not is_known(flag.registration):
        flag.registration = f"{flag.country}-{token_hex(2)}"
    return flag


def _put_on_deck(cabin: Cabin) -> None:
    if not is_known(cabin.deck):
        cabin.deck = "A" if known(cabin.beds) > 1 else "B"
