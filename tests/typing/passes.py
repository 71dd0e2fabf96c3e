"""What type checkers must let pass: how generated packages are used. Only checked, never run."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, assert_type

from tests.golden.nimbus.nimbus import registry
from tests.golden.nimbus.nimbus.data_sources.nimbus_image import NimbusImage
from tests.golden.nimbus.nimbus.functions import (
    ParseIdResult,
    merge_tags,
    monthly_price,
    parse_id,
    tag_text,
)
from tests.golden.nimbus.nimbus.provider import NimbusProvider
from tests.golden.nimbus.nimbus.registry import DATA_SOURCES, FUNCTIONS, IDENTITIES, RESOURCES
from tests.golden.nimbus.nimbus.resources.nimbus_database import (
    Backup,
    Endpoint,
    NimbusDatabase,
    Parameters,
    Replicas,
    Users,
)
from tests.golden.nimbus.nimbus.resources.nimbus_function import NimbusFunction, Trigger
from tests.golden.nimbus.nimbus.resources.nimbus_network import (
    NimbusNetwork,
    Peerings,
    RoutesByZone,
    Subnet,
)
from tests.golden.nimbus.nimbus.resources.nimbus_odd_names import NimbusOddNames
from tests.golden.nimbus.nimbus.resources.nimbus_server import (
    Disk,
    NetworkInterface,
    NimbusServer,
    NimbusServerIdentity,
    Placement,
    Schedule,
    Timeouts,
)
from tofutypes import (
    COMPUTED,
    OPTIONAL,
    OPTIONAL_COMPUTED,
    UNKNOWN,
    Action,
    AnyDynamic,
    Attr,
    DataSource,
    DeprecatedAttr,
    Dynamic,
    ListBlock,
    ListResource,
    Model,
    NestedBlock,
    Nullable,
    Number,
    NumberAttr,
    ProviderFunction,
    ProviderMeta,
    Resource,
    ResourceIdentity,
    SetAttr,
    StateStore,
    TofuSet,
    Unknown,
    build_model,
    is_known,
    known,
    known_items,
    parse_type,
    present,
    present_items,
    schema_of,
)
from tofutypes.documents import (
    Plan,
    PlannedChange,
    ResourceAddress,
    ResourceChange,
    State,
    StateResource,
    Values,
    planned,
    read_plan,
)
from tofutypes.errors import Path
from tofutypes.provider import (
    ActionHandler,
    ApplyContext,
    Context,
    InvokeContext,
    ListContext,
    Listed,
    ListHandler,
    LockedError,
    LockInfo,
    PlanContext,
    Provider,
    ResourceHandler,
    StateReader,
    StateStoreContext,
    StateStoreHandler,
    generated_config,
)
from tofutypes.provider.client import Client, ListedObject, Outcome
from tofutypes.schema import Attribute, Block, Function, IdentitySchema, Schema
from tofutypes.types import STRING, ObjectType

interface = NetworkInterface(network_id="net-1", address=Unknown(prefix="10."))
disk = Disk(name="data", size_gb=20)
server = NimbusServer(
    name="web",
    network_interface=[interface],
    disk=[disk, Unknown()],
    hourly_price=0.1,
    boot_secret_version=Decimal("1.5"),
    placement=Placement(avoid={"srv-1"}),
    schedule=Schedule(start="07:30", stop=UNKNOWN, weekdays=["monday", None, UNKNOWN]),
    ssh_keys=("a", "b"),
    tags={"Name": "web", "owner": None, "cost": Unknown(not_null=True)},
    timeouts=Timeouts(create="10m"),
    metadata={"weight": 0.1, "roles": ["web", None], "nested": {"on": True}},
)


def reads(server: NimbusServer, network: NimbusNetwork, function: NimbusFunction) -> None:
    assert_type(server.name, str | Unknown)
    assert_type(server.id, str | Unknown | None)
    assert_type(server.hourly_price, Number | Unknown | None)
    assert_type(server.tags, dict[str, Nullable[str]] | Unknown | None)
    assert_type(server.ssh_keys, TofuSet[Nullable[str]] | Unknown | None)
    assert_type(server.network_interface, list[NetworkInterface | Unknown] | Unknown)
    assert_type(server.disk, TofuSet[Disk | Unknown] | Unknown)
    assert_type(server.placement, Placement | Unknown)
    assert_type(server.timeouts, Timeouts | Unknown | None)
    assert_type(server.metadata, Dynamic | Unknown | None)
    assert_type(network.subnet, dict[str, Subnet | Unknown] | Unknown)
    assert_type(network.location, tuple[Nullable[Number], Nullable[Number]] | Unknown | None)
    assert_type(network.peerings, TofuSet[Nullable[Peerings]] | Unknown | None)
    assert_type(
        network.routes_by_zone,
        dict[str, Nullable[list[Nullable[RoutesByZone]]]] | Unknown | None,
    )
    assert_type(function.trigger, list[Trigger | Unknown] | Unknown)


def narrows(server: NimbusServer, database: NimbusDatabase) -> None:
    if is_known(server.name):
        server.name.upper()
    if is_known(server.id):
        assert_type(server.id, str | None)
    if is_known(server.hourly_price) and server.hourly_price is not None:
        assert_type(server.hourly_price + 1, Number)
    assert_type(known(server.id), str | None)
    assert_type(known(server.name), str)
    assert_type(present(server.id), str)
    assert_type(known(server.network_interface), list[NetworkInterface | Unknown])
    if is_known(server.network_interface):
        for each in server.network_interface:
            if is_known(each) and is_known(each.egress):
                assert_type(each.network_id, str | Unknown)
    if not is_known(server.tags):
        assert_type(server.tags, Unknown)
    elif server.tags is not None:
        assert_type(server.tags["Name"], str | Unknown | None)
        server.tags["Name"] = "db"
        server.tags["Name"] = None
        server.tags["Name"] = UNKNOWN
    if is_known(database.replicas) and database.replicas:
        first = database.replicas[0]
        if is_known(first) and first is not None and is_known(first.endpoint):
            assert_type(first.endpoint, Endpoint | None)


def narrows_numbers(
    hours: Number | Unknown, price: Number | Unknown | None, count: int | Unknown
) -> None:
    if is_known(hours):
        assert_type(hours + 1, Number)
    assert_type(known(hours), Number)
    assert_type(known(price), Number | None)
    assert_type(present(price), Number)
    assert_type(known(count), int)
    assert_type(present(count), int)


def assigns(server: NimbusServer, network: NimbusNetwork, names: list[str]) -> None:
    server.name = "db"
    server.name = Unknown(prefix="db-")
    server.id = None
    server.hourly_price = 3
    server.hourly_price = 0.1
    server.hourly_price = Decimal("0.1")
    server.network_interface = [interface]
    server.network_interface = (interface, UNKNOWN)
    server.network_interface = server.network_interface
    server.disk = [disk]
    server.disk = TofuSet([disk])
    server.disk = server.disk
    server.placement = Placement()
    server.timeouts = None
    server.metadata = "text"
    server.metadata = Dynamic(["a"], parse_type("list(string)"))
    server.addresses = names
    server.addresses = server.addresses
    server.ssh_keys = names
    server.ssh_keys = {"a", "b"}
    server.ssh_keys = frozenset(["a"])
    server.ssh_keys = TofuSet(["a", UNKNOWN])
    network.subnet = {"a": Subnet(cidr="10.0.0.0/24")}
    network.location = (50.1, None)
    network.location = network.location
    network.routes_by_zone = {"a": [RoutesByZone(destination="a", metric=1, via=None)], "b": None}


def takes_any_kind(
    server: NimbusServer, names: Sequence[str], tags: Mapping[str, str], strict: dict[str, str]
) -> None:
    server.tags = tags
    server.tags = strict
    NimbusServer(name="a", network_interface=[interface], tags=strict, addresses=["a"])
    NimbusDatabase(
        name="db",
        admin_password="a",
        engine="postgres",
        storage_gb=20,
        backup=Backup(retention_days=7),
        replicas=[Replicas(region="fra1"), None, UNKNOWN],
        users=[Users(name="a", roles=["read"])],
        parameters={"a": Parameters(value="b")},
    )
    NimbusOddNames(from__="a", class_=None, None_=True, list_=["a"], größe=0.5)
    anything: AnyDynamic = [1, "a", {"b": [None, Decimal("0.1")]}]
    server.metadata = anything


def takes_any_sequence(server: NimbusServer, names: Sequence[str], queue: deque[str]) -> None:
    server.addresses = names
    server.addresses = queue
    server.addresses = ("a", None, UNKNOWN)
    server.addresses = sorted(names)
    server.addresses = [name.upper() for name in names]
    server.addresses = list(map(str.upper, names))
    server.network_interface = [interface] * 2
    server.network_interface = [*known(server.network_interface), interface]


def without_unknown_elements(server: NimbusServer, disks: list[Disk]) -> None:
    assert_type(known_items(known(server.network_interface)), list[NetworkInterface])
    assert_type(known_items(known(server.disk)), list[Disk])
    assert_type(present_items(present(server.tags)), dict[str, str])
    names = [known(disk.name) for disk in known_items(known(server.disk))]
    server.addresses = names
    print(list(filter(is_known, known(server.network_interface))))
    by_name = sorted(disks, key=lambda disk: known(disk.name))
    server.disk = by_name
    for each in known(server.disk):
        if is_known(each):
            assert_type(each, Disk)


def keeps_any_and_bool(anything: Any, flag: bool | Unknown | None, exact: Decimal | None) -> None:
    assert_type(known(anything), Any)
    assert_type(present(anything), Any)
    if is_known(anything):
        assert_type(anything, Any)
    assert_type(present(flag), bool)
    assert_type(known(flag), bool | None)
    assert_type(present(exact), Decimal)


def classes_known_at_run_time(schema: Schema) -> None:
    built = build_model(schema, name="nimbus_server")
    assert_type(built(name="web"), Resource)
    assert_type(RESOURCES["nimbus_server"](name="web", tags={"a": "b"}), Resource)


def round_trips(server: NimbusServer) -> None:
    assert_type(server.to_msgpack(), bytes)
    assert_type(server.to_json(), str)
    assert_type(NimbusServer.from_msgpack(b""), NimbusServer)
    assert_type(NimbusServer.from_json(""), NimbusServer)
    assert_type(NimbusServer.model_validate({}), NimbusServer)
    assert_type(server.model_copy(), NimbusServer)


def functions() -> None:
    assert_type(monthly_price(Decimal("0.1"), None), Number | None)
    assert_type(monthly_price.arguments(1, 730), list[bytes])
    assert_type(monthly_price.result(b""), Number | None)
    assert_type(parse_id.result(b""), ParseIdResult | None)
    assert_type(tag_text.arguments(Dynamic("a")), list[bytes])
    merge_tags.arguments({"a": "b"}, None, {"c": UNKNOWN})
    assert_type(monthly_price.call(lambda hourly, hours: hourly * (hours or 730), []), bytes)


def registries() -> None:
    assert_type(RESOURCES["nimbus_server"], type[Resource])
    assert_type(DATA_SOURCES["nimbus_image"], type[DataSource])
    assert_type(IDENTITIES["nimbus_server"], type[ResourceIdentity])
    assert_type(FUNCTIONS["parse_id"], ProviderFunction[..., object])
    assert_type(RESOURCES["nimbus_server"].from_msgpack(b""), Resource)
    assert_type(list(RESOURCES), list[str])


def schemas(schema: Schema, identity: IdentitySchema, type_: ObjectType) -> None:
    assert_type(schema_of(NimbusServer), Schema)
    assert_type(schema_of(NimbusImage), Schema)
    assert_type(schema_of(NimbusProvider), Schema)
    assert_type(schema_of(NimbusServerIdentity), IdentitySchema)
    assert_type(schema_of(Disk), Block)
    assert_type(schema_of(Peerings), ObjectType)
    assert_type(schema_of(parse_id), Function)
    assert_type(build_model(schema), type[Resource])
    assert_type(build_model(schema, name="a", base=DataSource), type[DataSource])
    assert_type(build_model(schema.block), type[NestedBlock])
    assert_type(build_model(identity), type[ResourceIdentity])
    build_model(type_)
    Attribute(STRING, required=True)


class Rule(NestedBlock, description="A rule", deprecated=True):
    port: Attr[Number, int]


class Firewall(Resource, type_name="my_firewall", version=3):
    """Written by hand."""

    name: Attr[str] = Attr(required=True, description="Its name")
    labels: Attr[dict[str, str] | None] = OPTIONAL
    weight: NumberAttr = Attr(required=True)
    zones: SetAttr[str, None] = OPTIONAL_COMPUTED
    id: Attr[str | None] = COMPUTED
    old: DeprecatedAttr[str | None] = DeprecatedAttr(optional=True, default=None)
    hosts: Attr[list[Nullable[str]] | None, Sequence[str] | None] = Attr(
        optional=True, default=None
    )
    rule: ListBlock[Rule] = ListBlock(max_items=3, default=())
    note: str | None = None


def by_hand() -> None:
    firewall = Firewall(name="a", rule=[Rule(port=80)], note="b", weight=1.5, labels={"a": "b"})
    assert_type(firewall.labels, dict[str, str] | Unknown | None)
    assert_type(firewall.weight, Number | Unknown)
    assert_type(firewall.note, str | None)
    assert_type(firewall.rule, list[Rule | Unknown] | Unknown)
    firewall.hosts = ["a"]


def documents(plan: Plan, state: State) -> None:
    for change in plan.changes_of(NimbusServer):
        assert_type(change, ResourceChange[NimbusServer])
        assert_type(change.before, NimbusServer | None)
        if change.after is not None:
            assert_type(change.after.id, str | Unknown | None)
            if is_known(change.after.size):
                assert_type(change.after.size, str | None)
        after: NimbusServer | None = change.after
        del after
    for image in plan.drift_of(NimbusImage):
        assert_type(image.after, NimbusImage | None)
    for any_change in plan.resource_changes:
        assert_type(any_change.after, Model | Values | None)
        if isinstance(any_change.after, NimbusServer):
            assert_type(any_change.after.name, str | Unknown)
        assert_type(any_change.address.key, int | str | None)
        assert_type(any_change.is_unknown("tags"), bool)
        assert_type([each.path for each in any_change.difference()], list[Path])
    several: list[ResourceChange] = [*plan.changes_of(NimbusServer), *plan.resource_changes]
    assert_type(sorted(each.address for each in several), list[ResourceAddress])
    for resource in state.resources_of(NimbusServer):
        assert_type(resource, StateResource[NimbusServer])
        assert_type(resource.values, NimbusServer | None)
    assert_type(read_plan("plan.json", registry), Plan)
    read_plan(b"{}", [registry, RESOURCES, {"nimbus_server": NimbusServer}])
    assert_type(planned(server, PlannedChange(before=server)), Plan)


class Reboot(Action, type_name="my_reboot"):
    server: Attr[str] = Attr(required=True)


class FirewallFilter(ListResource, type_name="my_firewall"):
    zone: Attr[str | None] = OPTIONAL


class Cloud(Provider):
    address = "registry.opentofu.org/example/my"

    def reboot(self, server: str) -> None: ...


class Reboots(ActionHandler[Reboot, Cloud]):
    def plan(self, config: Reboot, context: Context) -> None:
        assert_type(config.server, str | Unknown)

    async def invoke(self, config: Reboot, context: InvokeContext) -> None:
        context.progress("rebooting")
        self.provider.reboot(known(config.server))


class AllFirewalls(ListHandler[Firewall, Cloud]):
    def list_objects(
        self, config: ListResource, context: ListContext
    ) -> Iterator[Listed[Firewall]]:
        assert_type(context.limit, int | None)
        yield Listed("a", resource=Firewall(name="a", weight=1))


class Firewalls(ListHandler[Firewall, Cloud, FirewallFilter]):
    async def list_objects(
        self, config: FirewallFilter, context: ListContext
    ) -> AsyncIterator[Listed[Firewall]]:
        assert_type(config.zone, str | Unknown | None)
        self.provider.reboot("a")
        yield Listed("a", ResourceIdentity())


class Bucket(StateStore, type_name="my_bucket"):
    name: Attr[str] = Attr(required=True)


class Buckets(StateStoreHandler[Bucket, Cloud]):
    def configure(self, config: Bucket, context: Context) -> None:
        assert_type(config.name, str | Unknown)

    async def read(self, state_id: str, context: StateStoreContext[Bucket]) -> bytes | None:
        assert_type(context.config, Bucket)
        self.provider.reboot("a")
        return None

    async def write(
        self, state_id: str, state: StateReader, context: StateStoreContext[Bucket]
    ) -> None:
        assert_type(state.size, int)
        async for chunk in state:
            assert_type(chunk, bytes)

    def delete(self, state_id: str, context: StateStoreContext[Bucket]) -> None: ...

    def lock(self, state_id: str, info: LockInfo, context: StateStoreContext[Bucket]) -> str:
        raise LockedError(info)

    def unlock(self, state_id: str, lock_id: str, context: StateStoreContext[Bucket]) -> None: ...

    def states(self, context: StateStoreContext[Bucket]) -> list[str]:
        return []


class CloudMeta(ProviderMeta, type_name="my"):
    team: Attr[str | None] = OPTIONAL


class FirewallHandler(ResourceHandler[Firewall, Cloud]):
    def plan(self, planned: Firewall, context: PlanContext[Firewall, CloudMeta]) -> Firewall:
        assert_type(context.provider_meta, CloudMeta | None)
        return planned

    def create(self, planned: Firewall, context: ApplyContext[Firewall]) -> Firewall:
        return planned

    def read(self, state: Firewall, context: Context[CloudMeta]) -> Firewall:
        if context.provider_meta is not None:
            assert_type(context.provider_meta.team, str | Unknown | None)
        return generated_config(state)

    def delete(self, state: Firewall, context: Context) -> None: ...

    def generate_config(self, state: Firewall, context: Context) -> Firewall:
        return generated_config(state)


class Offering(Cloud):
    resources = (FirewallHandler,)
    actions = (Reboots,)
    list_resources = (Firewalls, AllFirewalls)
    state_stores = (Buckets,)
    provider_meta = CloudMeta


def client_of(client: Client) -> None:
    for message in client.invoke(Reboot(server="a")):
        assert_type(message, str)
    assert_type(client.invoke(Reboot(server="a")).result(), Outcome)
    for firewall in client.list(Firewall, limit=1):
        assert_type(firewall.resource, Firewall | None)
    for firewall in client.list(FirewallFilter(zone="a"), Firewall, include_resource=True):
        assert_type(firewall, ListedObject[Firewall])
    for resource in client.list(FirewallFilter()):
        assert_type(resource.resource, Resource | None)
    client.validate(Reboot(server=UNKNOWN))
    client.provider_meta = CloudMeta(team="a")
    store = client.configure_state_store(Bucket(name="a"))
    assert_type(store.read("default"), bytes | None)
    store.write("default", [b"a"])
    with store.locked("default") as lock_id:
        assert_type(lock_id, str)
