"""The provider: what it offers."""

from .account import Account
from .docks import Docks
from .files import Files
from .fleets import Fleets
from .functions import join_name, parse_position, sum_exactly
from .labels import Labels
from .passes import Passes
from .ship_list import ShipList
from .ships import Ships
from .signals import Signals


class Harbor(Account):
    """The provider that is served."""

    address = "registry.opentofu.org/example/harbor"
    resources = (Docks, Files, Labels, Ships)
    data_sources = (Fleets,)
    ephemeral_resources = (Passes,)
    actions = (Signals,)
    list_resources = (ShipList,)
    functions = (join_name, parse_position, sum_exactly)
