"""Classes written by hand, with everything that a class can have."""

from __future__ import annotations

from collections.abc import Mapping

from tofutypes import (
    AnyDynamic,
    AnyList,
    AnyMap,
    AnyNumber,
    AnySet,
    Attr,
    Dynamic,
    GroupBlock,
    ListBlock,
    MapBlock,
    NestedBlock,
    NestedObject,
    Nullable,
    Number,
    Object,
    Resource,
    ResourceIdentity,
    SetBlock,
    SingleBlock,
    StringKind,
    TofuSet,
)


class Disk(NestedBlock, description_kind=StringKind.MARKDOWN):
    """A disk."""

    size: Attr[Number, AnyNumber] = Attr(required=True)
    """How large it is.

    In *gigabytes*.
    """
    name: Attr[str | None] = Attr(optional=True, default=None)


class Label(NestedBlock, deprecated=True, deprecation_message="Use tags."):
    value: Attr[Dynamic | None, AnyDynamic | None] = Attr(optional=True, default=None)


class Zone(NestedBlock):
    name: Attr[str] = Attr(required=True)
    disk: ListBlock[Disk] = ListBlock(default=())


class Placement(NestedBlock):
    zone: GroupBlock[Zone] = GroupBlock(default=None)
    host: Attr[str | None] = Attr(optional=True, default=None)


class Point(Object):
    x: Attr[Number | None, AnyNumber | None]
    y: Attr[Number | None, AnyNumber | None] = Attr(optional=True, default=None)


class Login(NestedObject):
    user: Attr[str] = Attr(required=True)
    password: Attr[str | None] = Attr(optional=True, sensitive=True, default=None)


class Server(Resource, type_name="cloud_server", version=3):
    """A server."""

    name: Attr[str] = Attr(required=True)
    """What it is called."""
    id: Attr[str | None] = Attr(computed=True, default=None)
    price: Attr[Number | None, AnyNumber | None] = Attr(
        computed=True, description="Euros an hour", default=None
    )
    on: Attr[bool | None] = Attr(optional=True, computed=True, default=None)
    from_: Attr[str | None] = Attr(name="from", optional=True, deprecated=True, default=None)
    secret: Attr[str | None] = Attr(
        optional=True, sensitive=True, write_only=True, description="Not stored.", default=None
    )
    key: Attr[str | None] = Attr(computed=True, sensitive=True, default=None)
    anything: Attr[Dynamic | None, AnyDynamic | None] = Attr(optional=True, default=None)
    tags: Attr[dict[str, Nullable[str]] | None, AnyMap[str] | None] = Attr(
        optional=True, default=None
    )
    ports: Attr[TofuSet[Nullable[Number]] | None, AnySet[AnyNumber] | None] = Attr(
        optional=True, default=None
    )
    names: Attr[list[Nullable[str]] | None, AnyList[str] | None] = Attr(optional=True, default=None)
    place: Attr[
        tuple[Nullable[Number], Nullable[str]] | None,
        tuple[Nullable[AnyNumber], Nullable[str]] | None,
    ] = Attr(optional=True, default=None)
    points: Attr[list[Nullable[Point]] | None, AnyList[Point] | None] = Attr(
        optional=True, default=None
    )
    logins: Attr[dict[str, Nullable[Login]] | None, Mapping[str, Nullable[Login]] | None] = Attr(
        optional=True, min_items=1, max_items=3, default=None
    )
    admin: Attr[Login | None] = Attr(optional=True, default=None)
    root: SingleBlock[Disk | None] = SingleBlock(default=None)
    placement: GroupBlock[Placement] = GroupBlock(default=None)
    disk: ListBlock[Disk] = ListBlock(max_items=2, default=())
    volume: SetBlock[Disk] = SetBlock(default=())
    zone: MapBlock[Zone] = MapBlock(default={})
    label: ListBlock[Label] = ListBlock(default=())
    note: MapBlock[Label] = MapBlock(default={})


class ServerIdentity(ResourceIdentity, type_name="cloud_server", version=1):
    name: Attr[str] = Attr(required_for_import=True, description="Its name.")
    region: Attr[str | None] = Attr(optional_for_import=True, default=None)


class Cluster(Resource, type_name="cloud_cluster"):
    node: ListBlock[Disk] = ListBlock(min_items=2, max_items=3)
    main: SingleBlock[Disk] = SingleBlock(min_items=1, max_items=1)
    hosts: Attr[list[Nullable[str]], AnyList[str]] = Attr(required=True)
