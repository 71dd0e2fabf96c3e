"""The example provider, called in this process: how providers are tested without a core."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from examples.harbor.harbor.account import HarborConfig
from examples.harbor.harbor.dock import Crane, Dock, Lane
from examples.harbor.harbor.files import File
from examples.harbor.harbor.fleets import Fleet, FleetShip
from examples.harbor.harbor.functions import parse_position, sum_exactly
from examples.harbor.harbor.labels import Label
from examples.harbor.harbor.provider import Harbor
from examples.harbor.harbor.ship import Cabin, Captain, Flag, Hold, Ship, ShipIdentity
from examples.harbor.harbor.ship_list import ShipFilter
from examples.harbor.harbor.signals import Signal
from tofutypes import Action, Resource, Unknown, present
from tofutypes.provider import ProviderError
from tofutypes.provider.client import Client, host

PEKING = Ship(
    name="Peking",
    port="Hamburg",
    draft=Decimal("4.75"),
    captain=Captain(name="Ann"),
    hold=[Hold(tons=Decimal("0.1")), Hold(tons=Decimal("0.2"))],
    flag=[Flag(country="de"), Flag(country="dk")],
    cabin={"bow": Cabin(beds=2)},
)
DOCK = Dock(name="north", crane=Crane(reach=30), lanes=[Lane(width=12)])


@pytest.fixture
def harbor(tmp_path: Path) -> Iterator[Client]:
    with host(Harbor) as client:
        client.configure(HarborConfig(folder=str(tmp_path)))
        yield client


def test_what_is_planned(harbor: Client) -> None:
    planned = harbor.plan(PEKING).planned
    assert planned is not None
    assert planned.id == Unknown(prefix="ship-", not_null=True)
    assert planned.tonnage == Decimal("0.3")
    assert planned.speed == 12


@pytest.mark.parametrize("config", [PEKING, DOCK, Label(text="x")])
def test_a_life(harbor: Client, config: Resource) -> None:
    state = harbor.apply(harbor.plan(config))
    found = harbor.read(state)
    assert found.value == state.value
    again = harbor.plan(config, state)
    assert again.planned == state.value
    assert harbor.apply(harbor.plan(None, state)).value is None


@pytest.mark.parametrize(
    ("config", "where"),
    [
        (Ship(name="a", port="b", hold=[Hold(tons=1), Hold(tons=0)]), "hold[1].tons"),
        (File(path="relative", content=""), "path"),
        (HarborConfig(folder="x", speed_limit=0), "speed_limit"),
        (Signal(ship="s", times=0), "times"),
    ],
)
def test_what_is_refused(
    harbor: Client, config: Resource | Action | HarborConfig, where: str
) -> None:
    with pytest.raises(ProviderError) as caught:
        harbor.validate(config)
    assert [str(each.path) for each in caught.value.diagnostics] == [where]


def test_import_and_the_fleet(harbor: Client) -> None:
    state = harbor.apply(harbor.plan(PEKING))
    (found,) = harbor.import_state(Ship, ShipIdentity(port="Hamburg", name="Peking"))
    assert state.value is not None
    assert found.value["id"] == state.value.id
    assert harbor.read_data(Fleet(port="Kiel")).value.ships == []
    ship = FleetShip(id=state.value.id, name="Peking", tonnage=Decimal("0.3"))
    assert harbor.read_data(Fleet(port="Hamburg")).value.ships == [ship]


def test_a_signal(harbor: Client) -> None:
    ship = present(present(harbor.apply(harbor.plan(PEKING)).value).id)
    assert list(harbor.invoke(Signal(ship=ship, times=2))) == [
        "Peking sounds its horn (1 of 2)",
        "Peking sounds its horn (2 of 2)",
    ]
    (warning,) = harbor.plan_action(Signal(ship=ship, times=6)).diagnostics
    assert warning.summary == "The port may complain"
    with pytest.raises(ProviderError, match="There is no such ship"):
        harbor.invoke(Signal(ship="ship-0")).result()


def test_the_list_of_ships(harbor: Client) -> None:
    state = harbor.apply(harbor.plan(PEKING))
    harbor.apply(harbor.plan(Ship(name="Passat", port="Kiel")))
    (found,) = harbor.list(ShipFilter(port="Hamburg"), Ship, include_resource=True)
    assert (found.display_name, found.identity) == ("Peking of Hamburg", state.identity)
    assert found.resource == state.value
    assert len(list(harbor.list(Ship))) == 2
    assert len(list(harbor.list(Ship, limit=1))) == 1


def test_functions(harbor: Client) -> None:
    assert harbor.call(sum_exactly, Decimal("0.1"), Decimal("0.2")) == Decimal("0.3")
    assert harbor.call(parse_position, "53.55,9.99").longitude == Decimal("9.99")
    with pytest.raises(ProviderError, match="Two numbers"):
        harbor.call(parse_position, "here")
