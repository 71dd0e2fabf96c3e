"""All ships, for `terraform query`: the list resource `harbor_ship`."""

from __future__ import annotations

from collections.abc import Iterator

from tofutypes import Attr, ListResource
from tofutypes.provider import ListContext, Listed, ListHandler

from .account import Account
from .ship import Ship


class ShipFilter(ListResource, type_name="harbor_ship"):
    """Lists ships."""

    port: Attr[str | None] = Attr(optional=True, default=None)
    """Home port of the ships. All ports if not set."""


class ShipList(ListHandler[Ship, Account, ShipFilter]):
    """Reads a ship when it is wanted; the handler of ships says what identifies it."""

    def list_objects(self, config: ShipFilter, context: ListContext) -> Iterator[Listed[Ship]]:
        for document in self.provider.cloud.documents("ship"):
            ship = Ship.from_json(document)
            if config.port in (None, ship.port):
                yield Listed(f"{ship.name} of {ship.port}", resource=ship)
