"""What type checkers must flag: every line with a mark, and no other. Only checked, never run."""

from __future__ import annotations

from tests.golden.nimbus.nimbus.functions import merge_tags, monthly_price, parse_id
from tests.golden.nimbus.nimbus.registry import RESOURCES
from tests.golden.nimbus.nimbus.resources.nimbus_database import Backup, NimbusDatabase, Users
from tests.golden.nimbus.nimbus.resources.nimbus_network import NimbusNetwork, Subnet
from tests.golden.nimbus.nimbus.resources.nimbus_odd_names import NimbusOddNames
from tests.golden.nimbus.nimbus.resources.nimbus_server import (
    Disk,
    NetworkInterface,
    NimbusServer,
    Placement,
    RootDisk,
    Schedule,
    Timeouts,
)
from tofutypes import Attr, DataSource, Model, NestedBlock, Schema, build_model, schema_of

INTERFACES = [NetworkInterface(network_id="net-1")]
DISK = Disk(name="data", size_gb=20)


def constructs() -> None:
    NimbusServer(name=3, network_interface=INTERFACES)  # error
    NimbusServer(name=None, network_interface=INTERFACES)  # error
    NimbusServer(network_interface=INTERFACES)  # error
    NimbusServer(name="a")  # error
    NimbusServer("a", network_interface=INTERFACES)  # error
    NimbusServer(name="a", network_interface=INTERFACES, nmae="b")  # error
    NimbusServer(name="a", network_interface=[DISK])  # error
    NimbusServer(name="a", network_interface=[None])  # error
    NimbusServer(name="a", network_interface=NetworkInterface(network_id="a"))  # error
    NimbusServer(name="a", network_interface=[{"network_id": "a"}])  # error
    NimbusServer(name="a", network_interface=[NetworkInterface(network_id=1)])  # error
    NimbusServer(name="a", network_interface=INTERFACES, disk=[RootDisk()])  # error
    NimbusServer(name="a", network_interface=INTERFACES, placement=None)  # error
    NimbusServer(name="a", network_interface=INTERFACES, timeouts=Placement())  # error
    NimbusServer(name="a", network_interface=INTERFACES, schedule=Timeouts())  # error
    NimbusServer(name="a", network_interface=INTERFACES, addresses="a")  # error
    NimbusServer(name="a", network_interface=INTERFACES, addresses=[1])  # error
    NimbusServer(name="a", network_interface=INTERFACES, addresses={"a"})  # error
    NimbusServer(name="a", network_interface=INTERFACES, ssh_keys="a")  # error
    NimbusServer(name="a", network_interface=INTERFACES, ssh_keys=[1])  # error
    NimbusServer(name="a", network_interface=INTERFACES, tags=["a"])  # error
    NimbusServer(name="a", network_interface=INTERFACES, tags={"a": 1})  # error
    NimbusServer(name="a", network_interface=INTERFACES, tags={1: "a"})  # error
    NimbusServer(name="a", network_interface=INTERFACES, metadata=object())  # error
    NimbusServer(name="a", network_interface=INTERFACES, hourly_price="1")  # error
    Schedule(start="a", stop="b", weekdays="monday")  # error
    NimbusNetwork(name="a", cidr="b", location=(1, 2, 3))  # error
    NimbusNetwork(name="a", cidr="b", subnet=[Subnet(cidr="a")])  # error
    NimbusNetwork(name="a", cidr="b", routes_by_zone={"a": "b"})  # error
    NimbusOddNames(**{"from": "a"})  # error
    NimbusDatabase.model_validate({}).users = [Users(name="a"), Backup(retention_days=1)]  # error


def reads(server: NimbusServer) -> None:
    server.name.upper()  # error
    server.hourly_price + 1  # error
    print(server.network_interface[0])  # error
    len(server.network_interface)  # error
    print(DISK.size_gb + 1, DISK.name)  # error
    print(DISK.size_gb < 1)  # error
    print("a" in server.disk)  # error
    for _ in server.disk:  # error
        pass
    print(server.nmae)  # error
    print(server.schedule.start)  # error


def assigns(server: NimbusServer) -> None:
    server.name = None  # error
    server.name = 3  # error
    server.disk = [INTERFACES[0]]  # error
    server.placement = None  # error
    server.addresses = "a"  # error
    server.tags = {"a": 1}  # error
    server.timeouts = Placement()  # error
    server.nmae = "a"  # error


def functions() -> None:
    monthly_price("a", None)  # error
    monthly_price.arguments(1)  # error
    monthly_price.arguments(None, 1)  # error
    parse_id.arguments(1)  # error
    parse_id.call(lambda a, b: None, [])  # error
    merge_tags.arguments({"a": 1})  # error


def others(schema: Schema) -> None:
    servers: type[NimbusServer] = RESOURCES["nimbus_server"]  # error
    sources: type[DataSource] = build_model(schema)  # error
    build_model("a")  # error
    build_model(schema, base=NestedBlock)  # error
    schema_of(Model)  # error
    schema_of(servers(name="a", network_interface=INTERFACES))  # error
    print(sources)


class Rule(NestedBlock):
    port: Attr[str] = Attr(requierd=True)  # error
