"""The types that users see. Only checked, never run; `reveals.txt` has what checkers reveal."""

# pyright: reportUnusedExpression=false

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, reveal_type

from tests.golden.nimbus.nimbus.registry import RESOURCES
from tests.golden.nimbus.nimbus.resources.nimbus_database import NimbusDatabase
from tests.golden.nimbus.nimbus.resources.nimbus_network import NimbusNetwork
from tests.golden.nimbus.nimbus.resources.nimbus_server import NimbusServer
from tofutypes import Number, Unknown, is_known, known, known_items, present, present_items


def fields(server: NimbusServer, database: NimbusDatabase, network: NimbusNetwork) -> None:
    reveal_type(server.name)
    reveal_type(server.id)
    reveal_type(server.hourly_price)
    reveal_type(server.tags)
    reveal_type(server.ssh_keys)
    reveal_type(server.addresses)
    reveal_type(server.disk)
    reveal_type(server.network_interface)
    reveal_type(server.placement)
    reveal_type(server.timeouts)
    reveal_type(server.metadata)
    reveal_type(server.schedule)
    reveal_type(database.replicas)
    reveal_type(network.subnet)
    reveal_type(network.location)


def functions(
    server: NimbusServer,
    anything: Any,
    flag: bool | Unknown | None,
    count: int | Unknown | None,
    number: Number | Unknown | None,
    exact: Decimal | Unknown | None,
    mapping: Mapping[str, int | Unknown | None],
) -> None:
    reveal_type(known(server.name))
    reveal_type(present(server.id))
    reveal_type(present(flag))
    reveal_type(present(count))
    reveal_type(present(number))
    reveal_type(present(exact))
    reveal_type(known(flag))
    reveal_type(known(anything))
    reveal_type(present(anything))
    reveal_type(known(server.disk))
    reveal_type(known_items(known(server.network_interface)))
    reveal_type(known_items(known(server.disk)))
    reveal_type(known_items(mapping))
    reveal_type(present_items(present(server.tags)))
    reveal_type(present_items(present(server.addresses)))
    if is_known(server.tags):
        reveal_type(server.tags)
    if is_known(anything):
        reveal_type(anything)
    if is_known(number):
        reveal_type(number)
    if is_known(flag):
        reveal_type(flag)


def classes() -> None:
    reveal_type(RESOURCES["nimbus_server"])
    reveal_type(RESOURCES["nimbus_server"](name="web"))
