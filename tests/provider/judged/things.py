"""A resource with everything in it, for cases that Terraform's core judges."""

from __future__ import annotations

from tofutypes import (
    AnyDynamic,
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
    Resource,
    SetBlock,
    SingleBlock,
    TofuSet,
    Unknown,
)


class Inner(NestedObject):
    set_: Attr[str | None] = Attr(name="set", optional=True, default=None)
    given: Attr[str | None] = Attr(computed=True, default=None)
    either: Attr[str | None] = Attr(optional=True, computed=True, default=None)


class Leaf(NestedBlock):
    set_: Attr[str | None] = Attr(name="set", optional=True, default=None)
    given: Attr[str | None] = Attr(computed=True, default=None)


class Disk(NestedBlock):
    set_: Attr[str | None] = Attr(name="set", optional=True, default=None)
    given: Attr[str | None] = Attr(computed=True, default=None)
    either: Attr[str | None] = Attr(optional=True, computed=True, default=None)
    leaf: SetBlock[Leaf] = SetBlock(default=())


class Thing(Resource, type_name="judged_thing"):
    case: Attr[str] = Attr(required=True)
    id: Attr[str | None] = Attr(computed=True, default=None)
    text: Attr[str | None] = Attr(optional=True, default=None)
    number: Attr[Number | None] = Attr(optional=True, default=None)
    either: Attr[str | None] = Attr(optional=True, computed=True, default=None)
    secret: Attr[str | None] = Attr(optional=True, sensitive=True, default=None)
    once: Attr[str | None] = Attr(optional=True, write_only=True, default=None)
    any: Attr[Dynamic | None, AnyDynamic] = Attr(optional=True, default=None)
    words: Attr[list[str | Unknown | None] | None] = Attr(optional=True, default=None)
    names: Attr[TofuSet[Nullable[str]] | None, AnySet[Nullable[str]] | None] = Attr(
        optional=True, default=None
    )
    tags: Attr[dict[str, str | Unknown | None] | None] = Attr(optional=True, default=None)
    all_tags: Attr[dict[str, str | Unknown | None] | None] = Attr(
        optional=True, computed=True, default=None
    )
    one: Attr[Inner | None] = Attr(optional=True, default=None)
    one_either: Attr[Inner | None] = Attr(optional=True, computed=True, default=None)
    many: Attr[list[Inner | Unknown | None] | None] = Attr(optional=True, default=None)
    several: Attr[TofuSet[Nullable[Inner]] | None, AnySet[Nullable[Inner]] | None] = Attr(
        optional=True, default=None
    )
    named: Attr[dict[str, Inner | Unknown | None] | None] = Attr(optional=True, default=None)
    single_block: SingleBlock[Disk | None] = SingleBlock(default=None)
    group_block: GroupBlock[Disk] = GroupBlock(default=None)
    list_block: ListBlock[Disk] = ListBlock(default=())
    set_block: SetBlock[Disk] = SetBlock(default=())
    map_block: MapBlock[Disk] = MapBlock(default={})
