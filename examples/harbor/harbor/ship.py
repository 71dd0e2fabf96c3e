"""What a ship is: the model of `harbor_ship`, with nested blocks of every mode."""

from tofutypes import (
    AnyDynamic,
    AnyNumber,
    Attr,
    Dynamic,
    GroupBlock,
    ListBlock,
    MapBlock,
    NestedBlock,
    Number,
    Resource,
    ResourceIdentity,
    SetBlock,
    SingleBlock,
)


class Captain(NestedBlock):
    """Who commands the ship."""

    name: Attr[str] = Attr(required=True)
    license: Attr[str | None] = Attr(computed=True, default=None)
    """Number of the license, which the harbor gives."""


class Berth(NestedBlock):
    """Where the ship lies. It always lies somewhere, so the block is always there."""

    pier: Attr[str | None] = Attr(optional=True, default=None)
    """Pier of the port. At anchor if not set."""

    latitude: Attr[Number | None, AnyNumber | None] = Attr(optional=True, default=None)
    longitude: Attr[Number | None, AnyNumber | None] = Attr(optional=True, default=None)


class Hold(NestedBlock):
    """A room for cargo, from bow to stern."""

    tons: Attr[Number, AnyNumber] = Attr(required=True)
    """What it takes."""

    id: Attr[str | None] = Attr(computed=True, default=None)


class Flag(NestedBlock):
    """A flag on the mast, in no order."""

    country: Attr[str] = Attr(required=True)
    registration: Attr[str | None] = Attr(computed=True, default=None)
    """Number in the register of the country."""


class Cabin(NestedBlock):
    """A cabin; the label is its name."""

    beds: Attr[int] = Attr(required=True)
    deck: Attr[str | None] = Attr(optional=True, computed=True, default=None)
    """Deck that it is on. Some deck if not set."""


class Ship(Resource, type_name="harbor_ship", version=1):
    """A ship with its holds, flags and cabins."""

    name: Attr[str] = Attr(required=True)
    """Name of the ship, unique in its port."""

    port: Attr[str] = Attr(required=True)
    """Home port. A ship of another port is another ship."""

    id: Attr[str | None] = Attr(computed=True, default=None)
    """What the harbor calls the ship: `ship-` and digits."""

    draft: Attr[Number | None, AnyNumber | None] = Attr(optional=True, default=None)
    """Meters under water, exact to the last digit."""

    speed: Attr[int | None] = Attr(optional=True, computed=True, default=None)
    """Knots that it goes at most. The provider's speed limit if not set."""

    tonnage: Attr[Number | None, AnyNumber | None] = Attr(computed=True, default=None)
    """What all holds take."""

    protected: Attr[bool | None] = Attr(optional=True, default=None)
    """Whether the ship cannot be deleted."""

    radio_code: Attr[str | None] = Attr(optional=True, computed=True, sensitive=True, default=None)
    """Opens the radio channel. Made up if not set."""

    start_code: Attr[str | None] = Attr(
        optional=True, sensitive=True, write_only=True, default=None
    )
    """Starts the engine. Sent to the ship, and stored nowhere else."""

    start_code_version: Attr[int | None] = Attr(optional=True, default=None)
    """Raise it to send a new start code."""

    log: Attr[Dynamic | None, AnyDynamic | None] = Attr(optional=True, default=None)
    """Whatever the captain has to say, of any type."""

    captain: SingleBlock[Captain | None] = SingleBlock(default=None)
    berth: GroupBlock[Berth] = GroupBlock(default=None)
    hold: ListBlock[Hold] = ListBlock(max_items=20, default=())
    flag: SetBlock[Flag] = SetBlock(default=())
    cabin: MapBlock[Cabin] = MapBlock(default={})


class ShipIdentity(ResourceIdentity, type_name="harbor_ship"):
    """What tells a ship from all others."""

    port: Attr[str] = Attr(required_for_import=True)
    name: Attr[str] = Attr(required_for_import=True)


class ShipV0(Resource, type_name="harbor_ship", version=0):
    """A ship as version 0 of the schema had it."""

    title: Attr[str] = Attr(required=True)
    port: Attr[str] = Attr(required=True)
    id: Attr[str | None] = Attr(computed=True, default=None)
    draft_cm: Attr[Number | None, AnyNumber | None] = Attr(optional=True, default=None)
