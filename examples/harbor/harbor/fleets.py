"""All ships of a port: the data source `harbor_fleet`."""

from __future__ import annotations

from tofutypes import AnyList, Attr, DataSource, Nullable, Number, Object
from tofutypes.provider import Context, DataSourceHandler

from .account import Account
from .ship import Ship


class FleetShip(Object):
    """A ship, as far as it is told."""

    id: Attr[str | None]
    name: Attr[str | None]
    tonnage: Attr[Number | None]


class Fleet(DataSource, type_name="harbor_fleet"):
    """The ships of a port."""

    port: Attr[str] = Attr(required=True)
    """Port that the ships belong to."""

    ships: Attr[list[Nullable[FleetShip]] | None, AnyList[FleetShip] | None] = Attr(
        computed=True, default=None
    )
    """The ships by name."""


class Fleets(DataSourceHandler[Fleet, Account]):
    """Looks at every ship."""

    def read(self, config: Fleet, context: Context) -> Fleet:
        ships = [Ship.from_json(each) for each in self.provider.cloud.documents("ship")]
        config.ships = [
            FleetShip(id=ship.id, name=ship.name, tonnage=ship.tonnage)
            for ship in sorted(ships, key=lambda each: str(each.name))
            if ship.port == config.port
        ]
        return config
