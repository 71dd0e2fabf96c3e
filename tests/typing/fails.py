"""What type checkers must flag: every line with a mark, and no other. Only checked, never run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import tofutypes
import tofutypes.models
import tofutypes.provider
import tofutypes.schema
import tofutypes.wire
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
from tofutypes import (
    UNKNOWN,
    Action,
    Attr,
    DataSource,
    Dynamic,
    ListResource,
    Model,
    NestedBlock,
    NumberAttr,
    Resource,
    StateStore,
    Unknown,
    build_model,
    known,
    schema_of,
)
from tofutypes.documents import Plan, planned, read_plan
from tofutypes.provider import (
    ActionHandler,
    InvokeContext,
    Listed,
    ListHandler,
    LockInfo,
    StateStoreHandler,
)
from tofutypes.provider.client import Client
from tofutypes.schema import Schema

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


def truth(server: NimbusServer, flag: bool | Unknown) -> None:
    if server.name:  # error: pyright, basic
        print(server.name.upper())  # error
    print((server.name or "a").upper())  # error
    print([disk for disk in known(server.disk) if disk])  # error: pyright, basic
    if not server.name:  # error: pyright, basic
        print("empty")
    while flag:  # error: pyright, basic
        print("on")
    print("a" if server.id else "b")  # error: pyright, basic
    assert server.name  # error: pyright, basic


def unknown_values_have_no_attributes(server: NimbusServer, dynamic: Dynamic) -> None:
    known(server.network_interface)[0].network_id = "a"  # error
    server.root_disk[0].size_gb = 1  # error
    dynamic.size = 1  # error
    UNKNOWN.name = "a"  # error
    print(UNKNOWN.name)  # error


def classes_have_no_values() -> None:
    print(NimbusServer.name)  # error
    print(NimbusServer.disk)  # error
    print(f"{NimbusServer.id}")  # error


def not_sequences(server: NimbusServer) -> None:
    server.addresses = b"a"  # error
    server.addresses = {"a": "b"}  # error
    server.addresses = {"a"}  # error
    server.addresses = range(3)  # error
    server.addresses = (name for name in ["a"])  # error
    server.network_interface = {"a": NetworkInterface(network_id="a")}  # error
    server.network_interface = [Disk(name="a", size_gb=1)]  # error


def deprecated_attributes(server: NimbusServer) -> None:
    print(server.flavor)  # error: mypy, pyright


def elements_may_be_unknown(server: NimbusServer, disks: list[Disk]) -> None:
    strict: list[NetworkInterface] = known(server.network_interface)  # error
    server.disk = sorted(disks, key=lambda disk: known(disk.name))  # error
    print(strict)


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
    weight: NumberAttr = Attr(required=True)


def by_hand() -> None:
    Rule(port="a", weight="heavy")  # error
    Rule(port="a", weight=None)  # error
    Rule(port="a")  # error


def documents(plan: Plan) -> None:
    plan.changes_of("nimbus_server")  # error
    for change in plan.changes_of(NimbusServer):
        _ = change.after.name  # error
        if change.after is not None:
            _ = change.after.nmae  # error
            change.after.name.upper()  # error
            network: NimbusNetwork = change.after  # error
            del network
        change.after = None  # error
    read_plan(1)  # error
    planned("a")  # error


def misspells() -> None:
    print(tofutypes.Resorce)  # error
    print(tofutypes.models.Resorce)  # error
    print(tofutypes.provider.ResourceHandlr)  # error
    print(tofutypes.schema.Schemas)  # error
    print(tofutypes.wire.decode_msgpck)  # error


class Reboot(Action, type_name="my_reboot"):
    server: Attr[str] = Attr(required=True)


class Firewall(Resource, type_name="my_firewall"):
    name: Attr[str] = Attr(required=True)


class Bucket(StateStore, type_name="my_bucket"):
    name: Attr[str] = Attr(required=True)


class FirewallFilter(ListResource, type_name="my_firewall"):
    zone: Attr[str | None] = Attr(optional=True, default=None)


Walls: TypeAlias = Iterator[Listed[Firewall]]
Servers: TypeAlias = Iterator[Listed[NimbusServer]]


class Reboots(ActionHandler[Reboot]):
    def invoke(self, config: Firewall, context: InvokeContext) -> None: ...  # error: mypy, pyright


class Reporting(ActionHandler[Reboot]):
    def invoke(self, config: Reboot, context: InvokeContext) -> None:
        context.progress(1)  # error
        context.progres("a")  # error


class WrongObjects(ListHandler[Firewall]):
    def list_objects(self, config: Any, context: Any) -> Servers: ...  # error: mypy, pyright


class WrongFilter(ListHandler[Firewall, Any, FirewallFilter]):
    def list_objects(self, config: Reboot, context: Any) -> Walls: ...  # error: mypy, pyright


class FilterFirst(ListHandler[FirewallFilter]):  # error
    pass


class WrongPlace(tofutypes.provider.Provider):
    actions = (WrongObjects,)  # error
    state_stores = (WrongObjects,)  # error
    provider_meta = Reboot  # error


class WrongBytes(StateStoreHandler[Bucket]):
    def read(self, state_id: str, context: Any) -> str: ...  # error: mypy, pyright
    def lock(self, state_id: str, info: LockInfo, context: Any) -> None: ...  # error: mypy, pyright


class StateStoreOfResource(StateStoreHandler[Firewall]):  # error
    pass


def client_of(client: Client) -> None:
    client.invoke(Firewall(name="a"))  # error
    client.list(FirewallFilter)  # error
    client.list(Firewall(name="a"))  # error
    client.configure_state_store(Firewall(name="a"))  # error
    client.configure_state_store(Bucket(name="a")).write("a", "text")  # error
    for firewall in client.list(Firewall):
        firewall.resource.name.upper()  # error
